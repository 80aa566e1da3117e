"""What answers say of a table: precision and recall with intervals that hold."""

from __future__ import annotations

import numpy as np

from relhash.model.answers.questions import Queue
from relhash.model.estimates import Estimate, Warranty, warranty


def test_nothing_is_said_without_draws():
    p, accepted = np.array([0.9, 0.8, 0.1]), np.array([True, True, False])
    assert warranty(p, accepted, [0], [True], [np.nan]) is None
    assert warranty(p, accepted, [2], [True], [0.3]) is None  # drawn, but not accepted
    assert warranty(p, accepted, [], [], []) is None


def test_chosen_answers_count_for_themselves_only():
    """Ten accepted rows; two chosen ones are wrong, the drawn ones are right: 8 of 10 at most."""
    right = [False, False, True, True, True]
    found = warranty(np.full(10, 0.9), np.ones(10, bool), range(5), right, [np.nan] * 2 + [0.1] * 3)
    assert found.precision.high == 0.8
    assert found.precision.low >= 0.3
    assert found.drawn == 3


def test_what_is_all_answered_is_known_for_sure():
    p, y = np.linspace(0.05, 0.95, 20), np.arange(20) % 3 == 0
    accepted = p > 0.5
    found = warranty(p, accepted, range(20), y, [0.05] * 20)
    assert found.precision.low == found.precision.high == y[accepted].mean()
    assert found.recall.value == y[accepted].sum() / y.sum()


def test_intervals_hold_the_truth():
    """Questions drawn and chosen by the queue: nine of ten intervals or more hold the true precision, and recall."""
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 1.5, size=800)
    right = rng.uniform(size=800) < 0.7 * p + 0.05
    accepted = p > 0.4
    truth = {"precision": right[accepted].mean(), "recall": right[accepted].sum() / right.sum()}
    inside = dict.fromkeys(truth, 0)
    for seed in range(40):
        asked = Queue([None] * 800, random_state=seed).next(p, (), 120, drawn=0.6)  # type: ignore[list-item]
        rows = [one.row for one in asked]
        draws = [np.nan if one.draw is None else one.draw for one in asked]
        found = warranty(p, accepted, rows, right[rows], draws)
        for name, value in truth.items():
            inside[name] += getattr(found, name).low - 1e-9 <= value <= getattr(found, name).high + 1e-9
    assert min(inside.values()) >= 36


def test_how_many_answers_are_needed():
    recall = Estimate(0.5, 0.4, 0.6)
    assert Warranty(Estimate(0.95, 0.91, 0.98), recall, 80).needed(0.9) == 0
    assert Warranty(Estimate(0.85, 0.7, 0.95), recall, 20).needed(0.9) is None
    assert 50 < Warranty(Estimate(0.95, 0.8, 0.99), recall, 20).needed(0.9) < 80
