"""Decisions that rounding could turn."""

from __future__ import annotations

from dataclasses import replace

from relhash.learning.threshold import Threshold
from relhash.models.margins import margins_of
from tests.models.conftest import part


def at(model, score):
    return replace(model, decision=replace(model.decision, threshold=Threshold(score, "score")))


def test_scores_at_the_threshold_are_counted(small_model):
    model, text = small_model.model_, part("fulltext", 6)
    scores = model.scores(text)
    found = margins_of(at(model, scores[0] + 5e-7), text)
    assert found.candidates == len(scores)
    assert found.narrow == sum(abs(scores - scores[0]) < 1e-6) > 0
    assert found.narrowest == abs(scores[0] - (scores[0] + 5e-7))


def test_others_are_not(small_model):
    assert margins_of(at(small_model.model_, 5.0), part("fulltext", 6)).narrow == 0
    assert margins_of(small_model.model_, []).narrowest is None
