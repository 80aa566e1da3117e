"""The rules by which a threshold is put, and one from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import ParameterError
from relhash.learn.metrics import oracle_threshold
from relhash.learn.threshold import (
    PLATEAU,
    THRESHOLD_RULES,
    ThresholdRule,
    best_fraction,
    choose_threshold,
    parse_strategy,
    put_share,
    score_at_fraction,
)


@given(st.lists(st.sampled_from([0.0, 0.1, 0.4, 0.5, 0.51, 1.0]), min_size=1, max_size=30), st.floats(0, 1))
def test_no_cut_comes_closer_to_the_fraction(scores, fraction):
    scores = np.array(scores)
    reached = (scores >= score_at_fraction(scores, fraction)).mean()
    possible = [(scores >= t).mean() for t in np.append(scores, 2.0)]
    assert abs(reached - fraction) == pytest.approx(min(abs(p - fraction) for p in possible))


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.2, 0.4, 0.5, 0.8])), min_size=2, max_size=30))
def test_best_fraction_is_the_largest_that_is_nearly_the_oracle_of_the_training_side(pairs):
    y, scores = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    y[0] = True
    best = oracle_threshold(y, scores)[1]

    def f1(labels):
        return 2 * (labels & y).sum() / (labels.sum() + y.sum())

    labels = scores >= score_at_fraction(scores, best_fraction(y, scores))
    assert f1(labels) >= best - PLATEAU - 1e-9
    larger = [scores >= cut for cut in np.unique(scores) if (scores >= cut).sum() > labels.sum()]
    assert all(f1(more) < best - PLATEAU + 1e-9 for more in larger)


def test_a_rule_from_elsewhere_is_parsed_and_named(monkeypatch):
    monkeypatch.setattr(THRESHOLD_RULES, "_parts", dict(THRESHOLD_RULES._parts))  # so that it is gone after the test
    THRESHOLD_RULES.register("one-in", ThresholdRule(lambda scored, n: put_share(scored, 1 / n), (1, 1000)))
    scores = np.linspace(0, 1, 20)
    threshold = choose_threshold("one-in:4", np.zeros(20), np.zeros(20), target=scores)
    assert (threshold.strategy, threshold.basis, threshold.labels(scores).sum()) == ("one-in:4", "target", 5)
    with pytest.raises(ParameterError, match="between 1 and 1000"):
        parse_strategy("one-in:0")
    with pytest.raises(ParameterError, match=r"there are fraction, share:N, .*one-in:N"):
        parse_strategy("one-of:3")
