"""Cells that are kept are small, and give the tables of those they were taken from."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from relhash.bench.cells import Cell, CellFile, ranks_of, write_tests
from relhash.bench.report import finish
from relhash.learn.metrics import auc
from tests.bench.toy_runs import cell, labels_with, run_of, set_of
from tests.test_docs import text_of
from tests.tools.loading import load

if TYPE_CHECKING:
    from relhash.bench.cells import TestSet  # pytest would look for tests in it

keep_cells = load("keep_cells")


def finished(folder: Path, protocol: str, tests: list[TestSet], cells: list[Cell]) -> CellFile:
    """A run as it is left in its folder, and its cells."""
    write_tests(folder / f"{protocol}.tests.json.gz", protocol, tests, {"notes": [], "parsed_by": ""})
    store = CellFile(folder / f"{protocol}.cells.jsonl")
    for number, one in enumerate(cells):
        store.add(str(number), one)
    finish(run_of(protocol, tests, cells), folder)
    return store


def test_kept_cells_are_small_and_give_the_same_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [set_of(one) for one in ("A→B", "B→A")]
    cells = [
        cell(system, test.direction, seed, labels_with(right + seed))
        for test in tests
        for system, right in (("KLSH-NU-RF", 2), ("random", 1), ("best", 1))
        for seed in (0, 1)
    ]
    source, target = tmp_path / "out", tmp_path / "kept"
    store = finished(source, "ppi-cross", tests, cells)
    asked = ["--protocol", "published-code", "--systems", "KLSH-NU-RF,random", "--command", "c"]
    monkeypatch.setattr(sys, "argv", ["keep_cells.py", str(source), str(target), *asked])
    keep_cells.main()
    before, after = (
        json.loads(file.read_text(encoding="utf-8")) for file in (source / "ppi-cross.json", target / "published-code.json")
    )
    assert after["made"]["command"] == "c"
    assert (after["made"]["commit"], after["made"]["date"]) == ("abc", "2026-11-17")
    assert after["rows"] == [row for row in before["rows"] if row["system"] != "best"]
    assert after["differences"] == [one for one in before["differences"] if "best" not in (one["first"], one["second"])]
    assert (target / "published-code.cells.jsonl.gz").stat().st_size < (source / "ppi-cross.cells.jsonl").stat().st_size / 2
    store.add("again", cells[0])
    with pytest.raises(SystemExit, match="more than one cell for the same run of KLSH-NU-RF"):
        keep_cells.main()

    newer = tmp_path / "newer"
    again = CellFile(newer / "ppi-cross.cells.jsonl")
    for number, test in enumerate(tests):
        again.add(f"new {number}", cell("KLSH-NU-RF", test.direction, 0, labels_with(4)))
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--newer", str(newer)])
    keep_cells.main()
    rows = json.loads((target / "published-code.json").read_text(encoding="utf-8"))["rows"]
    kept = {(row["system"], row["direction"]): (row["n_runs"], row["f1"]) for row in rows if row["variant"] == "all"}
    assert kept["KLSH-NU-RF", "A→B"] == kept["KLSH-NU-RF", "B→A"] == (1, 1)
    assert kept["random", "A→B"][0] == 2


def test_of_few_labels_some_cells_keep_their_ranks_and_all_their_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = [set_of(one) for one in ("A→B", "B→A")]
    cells = [
        replace(cell(system, test.direction, seed, labels_with(right + seed)), labels=labels, ranks=np.arange(test.y.size) % 7)
        for test in tests
        for system, right in (("NU+linear", 2), ("random+linear", 1), ("ngram-lr", 1))
        for seed in (0, 1)
        for labels in (50, 100)
    ]
    source, target = tmp_path / "out", tmp_path / "kept"
    finished(source, "few-labels", tests, cells)
    asked = ["--protocol", "few-labels", "--command", "c", "--compared-at", "100", "--compared", "NU+linear,random+linear"]
    monkeypatch.setattr(sys, "argv", ["keep_cells.py", str(source), str(target), *asked])
    keep_cells.main()
    before, after = (json.loads(text_of(folder / "few-labels.json")) for folder in (source, target))
    assert after["rows"] == before["rows"]
    wanted = [one for one in before["differences"] if (one["labels"], one["second"]) == (100, "random+linear")]
    assert len(wanted) == 3
    assert after["differences"] == wanted


def test_steps_of_ranks_hardly_change_auc() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(6000) < 0.2
    scores = rng.normal(size=6000) + y
    ranks = ranks_of(scores)
    assert auc(y, keep_cells.in_levels(ranks, 128).astype(float)) == pytest.approx(auc(y, scores), abs=0.001)
    assert len(set(keep_cells.in_levels(ranks, 128))) == 128
