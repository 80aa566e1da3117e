"""Forests: the same for any number of jobs, and as their settings say."""

from __future__ import annotations

import numpy as np

from relhash.learn import ForestClassifier


def test_forest_is_the_same_for_any_number_of_jobs(data):
    one, two = (ForestClassifier(10).fit(*data, random_state=4, n_jobs=jobs).scores(data[0]) for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_seed_and_settings_count(data):
    X, y = data
    plain = ForestClassifier(10).fit(X, y, random_state=0)
    assert plain.trees.n_trees == 10
    assert not np.array_equal(plain.scores(X), ForestClassifier(10).fit(X, y, random_state=1).scores(X))
    larger_leaves = ForestClassifier(10, min_samples_leaf=40).fit(X, y)
    assert larger_leaves.trees.feature.size < plain.trees.feature.size
    rare = y.copy()
    rare[np.flatnonzero(y)[10:]] = 0
    unweighted, balanced = (ForestClassifier(10, min_samples_leaf=20, balanced=one).fit(X, rare) for one in (False, True))
    assert balanced.scores(X).mean() > unweighted.scores(X).mean() + 0.1
