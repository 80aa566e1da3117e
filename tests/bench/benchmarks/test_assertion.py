"""Judges of negation and speculation, on events drawn by hand."""

from __future__ import annotations

import json

import pytest

from relhash.bench.benchmarks.assertion import MarkedEvent, figures_of, report_of
from relhash.biomed.cues import CueScope, Statement
from tests.bench.made_results import assert_says_who_made_it
from tests.biomed.test_assertion import SENTENCES, drawn

DOUBTED = ("speculative", "questioned")


@pytest.fixture(scope="module")
def figures():
    events = [
        MarkedEvent("d", CueScope.of(drawn(text, arcs)), Statement(head, names), told == "negated", told in DOUBTED)
        for text, (arcs, head, names, told) in SENTENCES.items()
    ]
    return list(figures_of(events))


def test_every_judge_has_a_row_per_class_and_the_model_beats_a_word_in_the_sentence(figures):
    f1 = {(figure.judge, figure.marked): figure.f1 for figure in figures}
    assert f1["model", "negation"] == f1["model", "speculation"] == 1
    assert 0 < f1["a cue stands in the sentence", "negation"] < 1
    assert f1["majority (all asserted)", "negation"] == 0
    assert len(figures) == 10


def test_files_hold_the_rows(figures, tmp_path):
    report_of(figures).write(tmp_path / "new")
    stored = json.loads((tmp_path / "new" / "assertion.json").read_text())
    assert len(stored["rows"]) == 10
    assert_says_who_made_it(stored)
    assert "| model | negation | 1.000 | 1.000 | 1.000 |" in (tmp_path / "new" / "assertion.md").read_text()
