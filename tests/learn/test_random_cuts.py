"""Trees without the work that is done once for all of them: the same as scikit-learn's, node by node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import ExtraTreesClassifier

from relhash.errors import ParameterError
from relhash.learn import ForestClassifier
from relhash.learn.forest import Trees
from relhash.learn.random_cuts import grow_random_cuts


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


def test_what_no_tree_can_be_grown_on_is_refused():
    how = {"n_trees": 2, "min_samples_leaf": 1, "balanced": False, "random_state": 0}
    labels = np.array([0, 1], np.int8)
    with pytest.raises(ParameterError, match="finite"):
        grow_random_cuts(np.array([[np.nan], [1.0]]), labels, max_features="sqrt", **how)
    with pytest.raises(ParameterError, match="'sqrt' or 'log2'"):
        grow_random_cuts(np.eye(2), labels, max_features="all", **how)
