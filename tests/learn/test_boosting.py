"""Boosted trees: scikit-learn's log-odds from plain arrays, and settings that count."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from relhash.errors import ModelFileError
from relhash.learn import BoostedClassifier


def test_log_odds_are_those_of_scikit_learn(data):
    X, y = data
    ours = BoostedClassifier(20, depth=3, rate=0.1, rows=0.5, columns=0.5).fit(X, y, random_state=3)
    theirs = GradientBoostingClassifier(
        n_estimators=20, max_depth=3, learning_rate=0.1, subsample=0.5, max_features=0.5, min_samples_leaf=10, random_state=3
    ).fit(np.asarray(X, np.float32), y)
    np.testing.assert_allclose(ours.log_odds(X), theirs.decision_function(np.asarray(X, np.float32)), atol=1e-9)
    np.testing.assert_allclose(ours.scores(X), theirs.predict_proba(np.asarray(X, np.float32))[:, 1], atol=1e-9)


def test_seed_and_rate_count(data):
    X, y = data
    plain = BoostedClassifier(10).fit(X, y, random_state=0).scores(X)
    assert not np.array_equal(plain, BoostedClassifier(10).fit(X, y, random_state=1).scores(X))
    assert np.ptp(BoostedClassifier(10, rate=0.01).fit(X, y, random_state=0).scores(X)) < np.ptp(plain)


def test_a_range_that_is_none_is_refused(data):
    arrays = BoostedClassifier(5).fit(*data).to_arrays()
    with pytest.raises(ModelFileError, match="range"):
        BoostedClassifier.read({**arrays, "width": np.array(-1.0)})


def test_candidates_that_look_the_same_have_the_share_of_relations_as_their_score():
    y = np.arange(40) % 4 == 0
    fitted = BoostedClassifier(5, rows=1.0).fit(np.zeros((40, 3)), y, random_state=0)
    np.testing.assert_allclose(fitted.scores(np.zeros((2, 3))), 0.25, atol=1e-6)
    BoostedClassifier.read(fitted.to_arrays())  # a range of no width would be refused
