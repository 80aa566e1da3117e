"""``relhash hash -o index/``: the same files on one machine and on a cluster; what was done stays, and more text is added."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pyarrow as pa
import pytest

from relhash.errors import OutputError
from relhash.model.index import CODES, Index
from relhash.scale.dataset import index_partition, make_index, predict_to_dataset
from relhash.scale.job import HashJob, PredictionJob
from relhash.scale.manifest import ERRORS, MANIFEST
from relhash.scale.partitions import cut, find_files
from tests.cli.running import exit_code, run
from tests.scale.poison import poisoned


def contents(folder):
    """The files of an index but for the plan, which names the folder's inputs as they were found."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != MANIFEST}


def test_the_files_are_those_of_one_process(model, texts, tmp_path, address):
    inputs = [texts / "a.jsonl", texts / "b.jsonl"]
    here, there = tmp_path / "here", tmp_path / "there"
    options = ("--partition-size", "9", "--quiet")
    assert exit_code("hash", model, *inputs, "-o", here, *options) == 0
    assert exit_code("hash", model, *inputs, "-o", there, *options, "--engine", "dask", "--scheduler", address) == 0
    assert contents(here) == contents(there)
    assert len(list(here.glob("part-*.arrow"))) == 5
    manifest = json.loads((here / MANIFEST).read_text())
    assert manifest["counts"]["documents"] == 40
    assert manifest["counts"]["rows"] == manifest["counts"]["candidates"] == len(Index.open(here))


def test_an_index_holds_the_pairs_that_are_asked_for(model, texts, tmp_path, capsys):
    """Of --types, --grounded, --max-pairs and --no-ground none was obeyed."""
    whole, few = tmp_path / "whole", tmp_path / "few"
    assert exit_code("hash", model, texts / "a.jsonl", "-o", whole, "--quiet") == 0
    assert exit_code("hash", model, texts / "a.jsonl", "-o", few, "--max-pairs", "1", "--quiet") == 0
    assert 0 < len(Index.open(few)) < len(Index.open(whole))
    capsys.readouterr()
    assert exit_code("hash", model, texts / "a.jsonl", "-o", tmp_path / "none", "--types", "chemical-disease", "--quiet") == 2
    assert "no candidates" in capsys.readouterr().err


def test_more_text_is_added_and_nothing_rewritten(model, texts, tmp_path):
    job, folder = HashJob.of_model(model), tmp_path / "index"
    first = make_index(job, [texts / "a.jsonl"], folder, partition_size=10)
    before, rows = contents(folder), len(Index.open(folder))
    second = make_index(job, [texts / "b.jsonl"], folder, partition_size=7)
    assert first.documents < second.documents == 40
    assert len(Index.open(folder)) == second.rows > rows
    assert contents(folder).items() >= before.items()
    (folder / "part-000001.arrow").unlink()
    made = []
    make_index(job, [texts / "a.jsonl"], folder, partition_size=10, on_partition=lambda one, n: made.append(n))
    assert made == [1]
    assert contents(folder).items() >= before.items()
    for other in (HashJob.of_model(model, n_bits=64), PredictionJob.of_model(model)):
        with pytest.raises(OutputError, match="another job"):
            (make_index if isinstance(other, HashJob) else predict_to_dataset)(other, [texts], folder, None)


def test_a_broken_document_goes_to_a_side_file(model, texts, tmp_path, monkeypatch):
    """Any error of one document, not of those before and after it in its batch."""
    job = HashJob.of_model(model)
    make_index(job, [texts / "a.jsonl"], tmp_path)
    whole = len(Index.open(tmp_path))
    poison, partition = poisoned(texts / "a.jsonl", job, "read", monkeypatch)
    counts = index_partition(job, partition, tmp_path / "part-000000.arrow")
    assert counts.documents == 24
    assert counts.errors == [{"file": str(texts / "a.jsonl"), "document": poison, "error": "ZeroDivisionError: too much"}]
    assert 0 < len(Index.open(tmp_path)) < whole


def test_a_full_disk_leaves_no_half_partition(model, texts, tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    job = HashJob.of_model(model)
    make_index(job, [texts / "a.jsonl"], tmp_path)
    (tmp_path / "part-000000.arrow").unlink()
    before = contents(tmp_path)
    monkeypatch.setattr(pa.ipc, "new_file", full)
    (partition,) = cut(find_files([texts / "a.jsonl"]), [25], 25)
    with pytest.raises(OSError, match="No space left") as met:
        index_partition(job, partition, tmp_path / "part-000000.arrow")
    assert Path(met.value.filename).name == "part-000000.arrow"
    assert contents(tmp_path) == before


def test_errors_are_one_line(model, texts, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("relhash.scale.cluster.PATIENCE", 1)
    for options, said in (
        (("-o", tmp_path / "codes.npz"), "--engine dask makes an index, which is a folder; name one: -o index/"),
        ((), "--engine dask makes an index"),
        (("-o", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:9"), "no Dask scheduler answers there"),
        (("-o", tmp_path / "out", "--require-sha256", 64 * "0"), "not the file that was asked for"),
    ):
        code = exit_code("hash", model, texts, *options, "--engine", "dask", "--quiet")
        (line,) = capsys.readouterr().err.splitlines()
        assert (code, said in line) == (2, True), line
    assert not list(tmp_path.iterdir())


def test_a_summary(model, texts, tmp_path, capsys):
    (tmp_path / "poisoned.jsonl").write_text((texts / "a.jsonl").read_text() + "{broken\n")
    given = ["hash", model, tmp_path / "poisoned.jsonl", "-o", tmp_path / "out", "--lenient"]
    code, _, said = run(capsys, *given)
    assert code == 0
    assert "pairs of 25 documents in the index" in said
    assert "1 document could not be read" in said
    assert len((tmp_path / "out" / ERRORS).read_text().splitlines()) == 1
    assert (tmp_path / "out" / CODES).is_file()
    code, out, _ = run(capsys, *given, "--json")
    told = json.loads(out)
    assert (told["made_now"], told["counts"]["documents"], told["counts"]["errors"]) == (0, 25, 1)
