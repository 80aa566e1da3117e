"""Means of judged sheets, and files that give them again."""

from __future__ import annotations

import json

import pytest

from relhash.bench.benchmarks.sheet_tables import (
    JudgedSheet,
    SheetScores,
    markdown,
    means,
    recompute,
    summary,
    write_sheets,
)
from relhash.errors import DataMissingError
from tests.bench.made_results import assert_says_who_made_it


def sheet(draw, rule, f1, *, rows=30, oracle=0.5):
    scores = SheetScores(f1, 0.4 + f1, 0.3, 0.2, oracle, 0.6, float(draw == 1))
    return JudgedSheet("A→B", "random", rows, draw, rule, scores)


SHEETS = [
    sheet(0, "one", 0.1), sheet(1, "one", 0.3), sheet(0, "two", 0.5), sheet(1, "two", 0.5),
    sheet(0, "one", 0.4, rows=60), sheet(1, "one", 0.4, rows=60),
]  # fmt: skip


def test_means_are_taken_over_draws_and_then_over_kinds():
    figures = means(SHEETS)
    assert [(one.rule, one.rows, one.draws, round(one.scores.f1, 6)) for one in figures] == [
        ("one", 30, 2, 0.2), ("two", 30, 2, 0.5), ("one", 60, 2, 0.4),
    ]  # fmt: skip
    first, second = summary(figures)
    assert (first["rule"], second["rule"]) == ("one", "two")
    assert (first["f1"], first["loss"], first["worst_loss"]) == pytest.approx((0.3, 0.2, 0.3))
    assert first["too_imprecise"] == 0.5
    assert "| one | 0.300 | 0.700 | 0.500 | 0.200 | 0.300 | 50.0% |" in markdown(figures)


def test_a_file_can_be_computed_again(tmp_path):
    write_sheets(SHEETS, tmp_path, "biomed_en")
    file = tmp_path / "sheet.json"
    before = file.read_text()
    stored = json.loads(before)
    assert_says_who_made_it(stored)
    assert [row["f1"] for row in stored["summary"]] == [row["f1"] for row in summary(means(SHEETS))]
    file.write_text(json.dumps({"made": stored["made"], "summary": "spoilt"}))
    assert recompute(tmp_path) == means(SHEETS)
    assert file.read_text() == before
    assert (tmp_path / "sheet.md").read_text().endswith(markdown(means(SHEETS)))


def test_a_folder_without_sheets_is_refused(tmp_path):
    with pytest.raises(DataMissingError, match=r"sheet\.draws"):
        recompute(tmp_path)
