"""``relhash codes fit --engine dask`` writes the file that one process writes."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest

from relhash.scale.codes import fit_codes
from tests.cli.running import exit_code


def fit(texts, path, *options):
    given = ["codes", "fit", texts / "a.jsonl", "--adapt", texts / "b.jsonl", "-o", path, "--quiet", "--no-cache"]
    return exit_code(*given, *options)


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def assert_same_codes(one, other):
    from relhash.models import SharedCodes

    first, second = SharedCodes.load(one), SharedCodes.load(other)
    arrays, others = first.code.to_arrays()[0], second.code.to_arrays()[0]
    assert arrays.keys() == others.keys()
    for name in arrays:
        np.testing.assert_array_equal(arrays[name], others[name], err_msg=name)
    assert first.card == second.card
    assert contents(one) == contents(other)


@pytest.mark.parametrize(
    "options",
    [("--preset", "KLSH-NU-RF", "--bits", "4"), pytest.param(("--bits", "8"), marks=pytest.mark.slow)],
)
def test_the_same_file(texts, tmp_path, address, options):
    assert fit(texts, tmp_path / "local", *options) == 0
    where = ("--engine", "dask", "--scheduler", address, "--partition-size", "11")
    assert fit(texts, tmp_path / "dask", *options, *where) == 0
    assert_same_codes(tmp_path / "local", tmp_path / "dask")


def test_partitions_are_told_as_they_are_read(texts, client):
    told = []
    given = {"preset": "KLSH-NU-RF", "learner": {"n_bits": 2}, "cache": False, "partition_size": 20}
    fit_codes([texts / "a.jsonl"], [texts / "b.jsonl"], client, **given, on_partition=told.append)
    assert told == [3, 3, 3]


def test_text_without_candidates_is_refused(tmp_path, address, capsys):
    (tmp_path / "empty.jsonl").write_text('{"id": "a", "text": "Nothing relates here."}\n')
    code = exit_code(
        "codes",
        "fit",
        tmp_path / "empty.jsonl",
        "-o",
        tmp_path / "codes",
        "--engine",
        "dask",
        "--scheduler",
        address,
        "--quiet",
    )
    assert code == 2
    assert "no candidates" in capsys.readouterr().err
    assert not (tmp_path / "codes").exists()
