"""Extremely randomised trees: the same as scikit-learn's, node by node, for any number of jobs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import ExtraTreesClassifier

from relhash.errors import ParameterError
from relhash.learn import ForestClassifier
from relhash.learn.forest import Trees


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(8, 90),
    width=st.integers(1, 30),
    leaf=st.integers(1, 6),
    tried=st.sampled_from(["sqrt", "log2", 0.5, 1]),
    balanced=st.booleans(),
    n_jobs=st.sampled_from([None, 2]),
)
@settings(max_examples=40, deadline=None)
def test_trees_are_those_of_scikit_learn(seed, n, width, leaf, tried, balanced, n_jobs):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, width)) < 0.4, 0, rng.normal(size=(n, width))).astype(np.float32)
    y = rng.integers(0, 2, n).astype(np.int8)
    y[:2] = 0, 1
    weight = "balanced" if balanced else None
    model = ExtraTreesClassifier(
        9, min_samples_leaf=leaf, max_features=tried, class_weight=weight, random_state=seed
    ).fit(X, y)  # fmt: skip
    settings = ForestClassifier(9, leaf, tried, balanced=balanced, random_cuts=True)
    ours = settings.fit(X, y, random_state=seed, n_jobs=n_jobs).to_arrays()
    for name, array in Trees.from_sklearn(model).to_arrays().items():
        np.testing.assert_array_equal(ours[name], array, err_msg=name)


def test_features_that_are_no_numbers_are_refused():
    with pytest.raises(ParameterError, match="finite"):
        ForestClassifier(2, random_cuts=True).fit(np.array([[np.nan], [1.0]]), [0, 1])
