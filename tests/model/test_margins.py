"""Decisions that rounding could turn."""

from __future__ import annotations

from dataclasses import replace

from relhash.learn.threshold import Threshold
from relhash.model import margins
from relhash.model.margins import margins_of
from tests.model.conftest import part


def at(model, score):
    return replace(model, decision=replace(model.decision, threshold=Threshold(score, "score")))


def test_scores_at_the_threshold_are_counted(small_model):
    model, text = small_model.model_, part("fulltext", 6)
    scores = model.scores(text)
    found = margins_of(at(model, scores[0] + 5e-7), text)
    assert found.candidates == len(scores)
    assert found.narrow == sum(abs(scores - scores[0]) < 1e-6) > 0
    assert found.narrowest == abs(scores[0] - (scores[0] + 5e-7))


def test_bits_that_nearly_turn_are_counted(small_model, monkeypatch):
    model, text = small_model.model_, part("fulltext", 6)
    found = margins_of(model, text)
    assert found.bits == found.candidates * model.features.code.n_bits
    assert 0 <= found.narrow_bits < found.bits / 10
    monkeypatch.setattr(margins, "NARROW", 1e3)  # of some nobody can say how far they are: a single reference is near
    assert found.bits / 2 < margins_of(model, text).narrow_bits <= found.bits


def test_others_are_not(small_model):
    assert margins_of(at(small_model.model_, 5.0), part("fulltext", 6)).narrow == 0
    assert margins_of(small_model.model_, []).narrowest is None
