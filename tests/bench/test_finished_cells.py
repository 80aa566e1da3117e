"""Finished cells come back as they were written, and what is not a cell is left alone."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.cells import Cell, CellFile, ranks_of
from relhash.learn.metrics import auc


@pytest.mark.parametrize("given", [None, np.array([True, False, True] * 5)])
def test_a_cell_comes_back(tmp_path, given):
    path = tmp_path / "p.cells.jsonl"
    ranks = None if given is None else ranks_of(np.random.default_rng(0).integers(0, 5, 15) / 7)
    kept = {"given": given, "ranks": ranks, "group": 3, "made": "abc 2026-11-17"}
    cell = Cell("best", "A→B", 0, 1, 25, 2.5, {"all": {"f1": 0.1 + 0.2, "auc": None}}, **kept)
    CellFile(path).add("key", cell)
    again = CellFile(path).finished["key"]
    np.testing.assert_array_equal(again.given, given)
    np.testing.assert_array_equal(again.ranks, ranks)
    assert (again.group, again.made) == (3, "abc 2026-11-17")
    assert (again.system, again.direction, again.seed, again.labels) == ("best", "A→B", 1, 25)
    assert again.figures == cell.figures  # to the last digit


def test_a_line_that_was_cut_off_is_left_alone(tmp_path):
    path = tmp_path / "p.cells.jsonl"
    CellFile(path).add("one", Cell("best", "A→B", 0, 0, None, 1.0, {}))
    with path.open("a") as handle:
        handle.write('{"cut off')
    CellFile(path).add("two", Cell("best", "B→A", 0, 0, None, 1.0, {}))
    assert set(CellFile(path).finished) == {"one", "two"}


def test_cells_of_another_protocol_in_the_folder_are_known(tmp_path):
    CellFile(tmp_path / "other.cells.jsonl").add("key", Cell("best", "A→B", 0, 0, None, 1.0, {}))
    assert "key" in CellFile(tmp_path / "mine.cells.jsonl").finished
    assert not CellFile(None).finished


def test_ranks_have_the_auc_of_the_scores_however_many_there_are(tmp_path):
    rng = np.random.default_rng(0)
    scores, y = rng.uniform(size=70_000), rng.uniform(size=70_000) < 0.3
    path = tmp_path / "p.cells.jsonl"
    CellFile(path).add("key", Cell("best", "A→B", 0, 0, None, 1.0, {}, y, ranks_of(scores)))
    assert auc(y, CellFile(path).finished["key"].ranks) == auc(y, scores)
