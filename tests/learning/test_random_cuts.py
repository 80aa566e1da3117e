"""Our extremely randomised trees are scikit-learn's, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import ExtraTreesClassifier

from relhash.errors import ParameterError
from relhash.learning import ForestClassifier
from relhash.learning.random_cuts import grown
from relhash.learning.trees import Trees


def assert_same_trees(X, y, *, n_trees=6, least=1, share="sqrt", balanced=False, seed=0):
    theirs = ExtraTreesClassifier(
        n_trees,
        min_samples_leaf=least,
        max_features=share,
        class_weight="balanced" if balanced else None,
        random_state=seed,
    ).fit(X, y)
    ours = grown(
        X, y, n_trees=n_trees, min_samples_leaf=least, max_features=share, balanced=balanced, random_state=seed, n_jobs=1
    )
    expected = Trees.from_sklearn(theirs).to_arrays()
    for name, array in ours.to_arrays().items():
        np.testing.assert_array_equal(array, expected[name], err_msg=name)


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("least", [1, 5])
def test_trees_on_numbers_facts_and_constants(balanced, least):
    rng = np.random.default_rng(0)
    X = np.hstack([rng.normal(size=(300, 8)), rng.integers(0, 2, (300, 8)), np.ones((300, 4)), rng.integers(0, 3, (300, 3))])
    y = (X[:, 0] + X[:, 9] + rng.normal(size=300) > 1.2).astype(np.int8)
    assert_same_trees(X.astype(np.float32), y, least=least, balanced=balanced, seed=7)


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(4, 60), width=st.integers(1, 9), values=st.integers(1, 6), seed=st.integers(0, 2**31 - 2),
    least=st.integers(1, 4), share=st.sampled_from(["sqrt", "log2", 0.3, 1.0]), balanced=st.booleans(),
)  # fmt: skip
def test_trees_on_anything(n, width, values, seed, least, share, balanced):
    """Few values make many ties, constant columns and nodes that cannot be divided."""
    rng = np.random.default_rng(seed)
    X = (rng.integers(0, values, (n, width)) * rng.choice([1.0, 1e-8, 0.1], width)).astype(np.float32)
    y = (np.arange(n) % 3 == 0).astype(np.int8)
    assert_same_trees(
        X, y, n_trees=3, least=least, share=share if width > 1 or share != "log2" else "sqrt", balanced=balanced, seed=seed
    )


def test_rows_without_any_difference_are_one_leaf():
    trees = grown(
        np.zeros((6, 3), np.float32), np.array([0, 1] * 3, np.int8), n_trees=2, min_samples_leaf=1, max_features="sqrt",
        balanced=False, random_state=0,
    )  # fmt: skip
    assert trees.feature.tolist() == [-1, -1]
    assert trees.value.tolist() == [0.5, 0.5]


def test_numbers_that_are_none_and_shares_that_make_no_sense_are_refused():
    X, y = np.array([[np.nan], [1.0]]), np.array([0, 1])
    with pytest.raises(ParameterError, match="finite"):
        ForestClassifier(2, random_cuts=True).fit(X, y)
    for share in ("third", 1.5, 0.0):
        with pytest.raises(ParameterError, match="max_features"):
            ForestClassifier(2, max_features=share, random_cuts=True).fit(np.eye(2), y)


def test_any_number_of_threads_grows_the_same(data):
    one, two = (ForestClassifier(9, random_cuts=True).fit(*data, n_jobs=jobs).to_arrays() for jobs in (1, 2))
    assert all(np.array_equal(one[name], two[name]) for name in one)
