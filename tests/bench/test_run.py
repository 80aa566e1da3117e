"""What a benchmark leaves in its folder is enough to make every table again."""

from __future__ import annotations

import gzip
import json

import pytest

from relhash.bench.cells import CellFile, read_run, write_tests
from relhash.bench.report import finish
from relhash.errors import DataMissingError
from tests.bench.toy_runs import cell, labels_with, run_of, set_of


@pytest.fixture
def kept(tmp_path):
    """A folder with the cells of two systems, and what was reported when they ran."""
    tests = [set_of(one) for one in ("A→B", "B→A")]
    cells = [
        cell(system, test.direction, seed, labels_with(right + seed))
        for test in tests
        for system, right in (("KLSH-NU-RF", 2), ("random", 1))
        for seed in (0, 1)
    ]
    run = run_of("ppi-cross", tests, cells)
    write_tests(tmp_path / "ppi-cross.tests.json.gz", "ppi-cross", tests, {"notes": run.notes, "parsed_by": run.parsed_by})
    store = CellFile(tmp_path / "ppi-cross.cells.jsonl")
    for number, one in enumerate(cells):
        store.add(str(number), one)
    finish(run, tmp_path)
    return tmp_path


def tables(folder):
    stored = json.loads((folder / "ppi-cross.json").read_text())
    stored.pop("made")
    return stored


def test_tables_come_back_from_kept_cells_without_any_corpus(kept):
    before = tables(kept)
    assert before["differences"]
    (kept / "ppi-cross.json").unlink()
    finish(read_run(kept), kept)
    assert tables(kept) == before


def test_packed_cells_are_read_too(kept):
    before = tables(kept)
    plain = kept / "ppi-cross.cells.jsonl"
    (kept / "ppi-cross.cells.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    finish(read_run(kept), kept)
    assert tables(kept) == before


def test_a_file_of_results_says_who_made_it(kept):
    made = json.loads((kept / "ppi-cross.json").read_text())["made"]
    assert set(made) == {"command", "commit", "date", "machine", "versions", "parse source", "cells"}
    assert made["parse source"] == "a parser"
    assert made["cells"] == {"abc 2026-11-17": 8}
    assert made["versions"]["numpy"]
    assert made["date"].startswith("20")


def test_what_cannot_be_computed_from_says_why(kept, tmp_path):
    with pytest.raises(DataMissingError, match="no file"):
        read_run(tmp_path / "nowhere")
    store = CellFile(kept / "ppi-cross.cells.jsonl")
    store.add("short", cell("random", "C→D", 0, labels_with(1)))
    with pytest.raises(DataMissingError, match="does not fit the test set"):
        read_run(kept)
    (kept / "ppi-cross.cells.jsonl").unlink()
    with pytest.raises(DataMissingError, match="no finished cell"):
        read_run(kept)
    (kept / "ppi-cross.tests.json.gz").write_bytes(b"nonsense")
    with pytest.raises(DataMissingError, match="not a file of test sets"):
        read_run(kept)
