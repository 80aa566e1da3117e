"""Figures of raw text, from rows that were judged and from a corpus that a person judges at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import relhash
from relhash.bench.benchmarks.raw_text import (
    Fate,
    JudgedRow,
    JudgedText,
    Verdict,
    figure_of,
    judged_texts,
    report_of,
)
from relhash.bench.datasets.raw_text_gold import gold_of_documents
from tests.bench.datasets.test_raw_text_gold import annotated
from tests.bench.made_results import assert_says_who_made_it


def row(probability: float, verdict: Verdict, *, accepted: bool = True) -> JudgedRow:
    return JudgedRow(probability, accepted, verdict)


@pytest.fixture
def figure():
    """Ten rows: eight accepted, of which one name is unknown in two, and of the six others four are right."""
    right, wrong, spurious = Verdict.RIGHT, Verdict.RELATION_WRONG, Verdict.ENTITY_SPURIOUS
    rows = [row(0.95, right), row(0.95, right), row(0.95, spurious), row(0.75, right), row(0.75, right), row(0.75, wrong)]
    rows += [row(0.75, Verdict.NEGATED), row(0.75, spurious)]
    rows += [row(0.05, wrong, accepted=False), row(0.15, spurious, accepted=False)]
    fates = (Fate.FOUND,) * 4 + (Fate.ENTITY_MISSED, Fate.RELATION_WRONG, Fate.RELATION_WRONG, Fate.NEGATED)
    return figure_of("toy", [JudgedText(tuple(rows), fates, 12, 9, 10, 8, 3), JudgedText((), (), 0, 0, 0, 0, 1)])


def test_shares_are_what_a_person_counts(figure):
    assert (figure.texts, figure.sentences, figure.related, figure.recall) == (2, 4, 8, 0.5)
    assert (figure.accepted.rows, figure.accepted.judgeable, figure.accepted.precision) == (8, 6 / 8, 4 / 6)
    assert (figure.confident.rows, figure.confident.judgeable, figure.confident.precision) == (3, 2 / 3, 1)
    assert figure.lost == {"entity missed": 1, "not paired": 0, "relation wrong": 2, "negated": 1}
    assert figure.wrong == {"relation wrong": 1, "negated": 1, "entity spurious": 2}
    assert (figure.entity_recall, figure.entity_precision) == (0.8, 0.75)


def test_reliability_is_of_judgeable_candidates_accepted_or_not(figure):
    assert [(one.n, round(one.probability, 2), one.right) for one in figure.reliability] == [
        (1, 0.05, 0),
        (4, 0.75, 0.5),
        (2, 0.95, 1),
    ]
    assert figure.calibration_error == pytest.approx((0.05 + 4 * 0.25 + 2 * 0.05) / 7)


def test_nothing_found_is_no_division_by_zero(tmp_path: Path) -> None:
    empty = figure_of("empty", [])
    assert empty.recall is empty.accepted.precision is empty.calibration_error is None
    report_of([empty], "ppi").write(tmp_path)
    assert "| recall | – |" in (tmp_path / "raw-text.md").read_text()


def test_files_hold_the_figures(figure, tmp_path: Path) -> None:
    report_of([figure, figure], "ppi").write(tmp_path / "new")
    stored = json.loads((tmp_path / "new" / "raw-text.json").read_text())
    assert stored["model"] == "ppi"
    assert_says_who_made_it(stored)
    report_of([figure], "theirs.relhash", "en_core_sci_sm 0.5.4 (ud)").write(tmp_path / "theirs")
    made = json.loads((tmp_path / "theirs" / "raw-text.json").read_text())["made"]
    assert made["parse source"] == "en_core_sci_sm 0.5.4 (ud)"
    assert [one["recall"] for one in stored["rows"]] == [0.5, 0.5]
    assert stored["rows"][0]["reliability"][1] == {"n": 4, "probability": 0.75, "right": 0.5}
    assert "| … right, of the judgeable | 0.667 | 0.667 |" in (tmp_path / "new" / "raw-text.md").read_text()
    assert (tmp_path / "new" / "raw-text.png").read_bytes().startswith(b"\x89PNG")


SENTENCE = "RAF1 binds to MEK1 in resting cells."


def test_the_model_gets_the_text_alone() -> None:
    """Gold entities that no tagger would find stay unknown to it, and those it finds are its own."""
    strange = annotated(SENTENCE, ["RAF1", "resting"], [(0, 1)])
    plain = annotated(SENTENCE, ["RAF1", "MEK1"], [(0, 1)])
    model = relhash.load("ppi")
    first, second = judged_texts(model, list(gold_of_documents([strange, plain])))
    assert first.fates == (Fate.ENTITY_MISSED,)
    assert second.fates == (Fate.FOUND,)
    assert [one.verdict for one in (*first.rows, *second.rows)] == [Verdict.ENTITY_SPURIOUS, Verdict.RIGHT]
