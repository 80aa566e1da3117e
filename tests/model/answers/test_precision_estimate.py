from __future__ import annotations

import numpy as np

from relhash.model.answers.questions import Queue
from relhash.model.answers.teaching import estimate_precision


def test_nothing_is_said_without_draws():
    accepted = np.array([True, True, False])
    assert estimate_precision(accepted, [0], [True], [np.nan]) is None
    assert estimate_precision(accepted, [2], [True], [0.3]) is None  # drawn, but not accepted
    assert estimate_precision(accepted, [], [], []) is None


def test_chosen_answers_count_for_themselves_only():
    """Ten accepted rows; two chosen ones are wrong, the drawn ones are right: 8 of 10."""
    found = estimate_precision(np.ones(10, bool), [0, 1, 2, 3, 4], [False, False, True, True, True], [np.nan] * 2 + [0.1] * 3)
    assert found.value == 0.8
    assert found.high == 0.8
    assert found.low < 0.7
    assert found.drawn == 3


def test_rare_draws_weigh_more():
    found = estimate_precision(np.ones(100, bool), [0, 1], [True, False], [0.01, 0.03])
    assert found.value == 0.75


def test_intervals_hold_the_truth():
    """Simulated curation: questions chosen and drawn by the queue; nine of ten intervals or more hold the true precision."""
    rng = np.random.default_rng(0)
    inside, values = 0, []
    p = rng.uniform(size=600)
    right = rng.uniform(size=600) < 0.7 * p + 0.15
    accepted = p > 0.5
    truth = right[accepted].mean()
    for seed in range(40):
        asked = Queue([None] * 600, random_state=seed).next(p, (), 150)  # type: ignore[list-item]
        rows = [one.row for one in asked]
        draws = [np.nan if one.draw is None else one.draw for one in asked]
        found = estimate_precision(accepted, rows, right[rows], draws)
        inside += found.low <= truth <= found.high
        values.append(found.value)
    assert inside >= 36
    assert abs(np.mean(values) - truth) < 0.03
