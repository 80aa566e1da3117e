"""``relhash hash --engine dask`` writes the codes of one process, in order; what was done stays, and ``similar`` reads it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from relhash.errors import OutputError
from relhash.models import FittedModel
from relhash.models.code_files import CODE_COLUMNS, code_rows
from relhash.models.tables import read_rows
from relhash.scale.code_table import read_code_table
from relhash.scale.hashed import hash_partition, hash_to_dataset
from relhash.scale.job import HashJob, PredictionJob
from relhash.scale.manifest import ERRORS, MANIFEST
from relhash.scale.partitions import cut, find_files
from relhash.scale.prediction import predict_to_dataset
from tests.cli.running import exit_code, run
from tests.scale.poison import poisoned
from tests.scale.rows import rows_in


def hashed(model, *arguments):
    return exit_code("hash", model, *arguments, "--engine", "dask", "--quiet")


@pytest.mark.parametrize(("name", "options"), [("codes.parquet", ()), ("codes", ("--bits",))])
def test_the_codes_are_those_of_one_process(model, texts, tmp_path, address, name, options):
    inputs = [texts / "a.jsonl", texts / "b.jsonl"]
    folder, local = tmp_path / name, tmp_path / "local.parquet"
    assert hashed(model, *inputs, "-o", folder, "--scheduler", address, "--partition-size", "9", *options) == 0
    assert exit_code("hash", model, *inputs, "-o", local, "--quiet", "--no-cache", *options) == 0
    assert rows_in(folder) == rows_in(local)
    assert pq.read_table(folder).schema.names == pq.read_table(local).schema.names == list(CODE_COLUMNS)
    manifest = json.loads((folder / MANIFEST).read_text())
    assert manifest["complete"]
    assert manifest["counts"]["documents"] == 40
    assert manifest["counts"]["rows"] == manifest["counts"]["candidates"] == len(rows_in(folder))
    assert len(manifest["partitions"]) == len(list(folder.glob("part-*.parquet"))) == 5
    together, apart = read_code_table(local), read_code_table(folder)
    assert np.array_equal(together.codes, apart.codes)
    wanted = [0, len(together) // 2, len(together) - 1]
    assert together.rows(wanted) == apart.rows(wanted)


def test_inspect_reads_the_folder(model, texts, tmp_path, client, capsys):
    folder, local = tmp_path / "codes.parquet", tmp_path / "local.tsv"
    hash_to_dataset(HashJob.of_model(model), [texts], folder, client, partition_size=15)
    assert exit_code("hash", model, texts / "a.jsonl", texts / "b.jsonl", "-o", local, "--quiet", "--no-cache") == 0
    code, of_folder, _ = run(capsys, "inspect", folder, "--codes", "--json")
    assert code == 0
    assert json.loads(of_folder) == json.loads(run(capsys, "inspect", local, "--codes", "--json")[1])


def test_started_again_it_does_only_what_is_missing(model, texts, folder, client):
    job = HashJob.of_model(model)
    whole = hash_to_dataset(job, [texts], folder, client, partition_size=10)
    rows = rows_in(folder)
    (folder / "part-000002.parquet").unlink()
    made = []
    again = hash_to_dataset(job, [texts], folder, client, partition_size=10, on_partition=lambda one, n: made.append(n))
    assert made == [1]
    assert rows_in(folder) == rows
    assert (whole.documents, whole.rows) == (again.documents, again.rows) == (40, len(rows))
    with pytest.raises(OutputError, match="another job"):
        hash_to_dataset(HashJob.of_model(model, bits=True), [texts], folder, client, partition_size=10)
    with pytest.raises(OutputError, match="another job"):
        predict_to_dataset(PredictionJob.of_model(model), [texts], folder, client, partition_size=10)


def test_a_broken_document_goes_to_a_side_file(model, texts, tmp_path, monkeypatch):
    """Any error of one document, not of those before and after it in its batch."""
    job = HashJob.of_model(model)
    poison, partition = poisoned(texts / "a.jsonl", job, "hash_stream", monkeypatch)
    counts = hash_partition(job, partition, tmp_path / "part-000000.parquet")
    monkeypatch.undo()
    assert counts.documents == 24
    assert counts.errors == [{"file": str(texts / "a.jsonl"), "document": poison, "error": "ZeroDivisionError: too much"}]
    alone = FittedModel.load(model, cache=False)
    expected = list(code_rows(alone.hash_stream(partition.documents([])), alone.n_bits, made_by=alone.identity))
    found = [row for _, row in read_rows(tmp_path / "part-000000.parquet")]
    assert found == [{name: row[name] for name in CODE_COLUMNS} for row in expected if row["document"] != poison]


def test_a_full_disk_leaves_no_half_partition(model, texts, tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    (partition,) = cut(find_files([texts / "a.jsonl"]), [25], 25)
    with pytest.raises(OSError, match="No space left") as met:
        hash_partition(HashJob.of_model(model), partition, tmp_path / "part-000000.parquet")
    assert Path(met.value.filename).name == "part-000000.parquet"
    assert not list(tmp_path.iterdir())


def test_errors_are_one_line(model, texts, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("relhash.scale.cluster.PATIENCE", 1)
    for options, said in (
        (("-o", tmp_path / "codes.npz"), "--engine dask writes a folder of Parquet files; name one: -o codes/"),
        ((), "--engine dask writes a folder of Parquet files"),
        (("-o", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:9"), "no Dask scheduler answers there"),
        (("-o", tmp_path / "out", "--require-sha256", "00"), "not the one that is required"),
    ):
        code = hashed(model, texts, *options)
        (line,) = capsys.readouterr().err.splitlines()
        assert (code, said in line) == (2, True), line
    assert not list(tmp_path.iterdir())


def test_a_summary(model, texts, tmp_path, address, capsys):
    (tmp_path / "poisoned.jsonl").write_text((texts / "a.jsonl").read_text() + "{broken\n")
    given = ["hash", model, tmp_path / "poisoned.jsonl", "-o", tmp_path / "out", "--engine", "dask", "--scheduler", address]
    code, _, said = run(capsys, *given)
    assert code == 0
    assert "codes of 100 bits in 25 documents written to" in said
    assert "1 document could not be read" in said
    assert len((tmp_path / "out" / ERRORS).read_text().splitlines()) == 1
    code, out, _ = run(capsys, *given, "--json")
    told = json.loads(out)
    assert (told["made_now"], told["counts"]["documents"], told["counts"]["errors"]) == (0, 25, 1)
