"""The compiled walk against scikit-learn, element by element; arrays that must not be believed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from relhash.errors import ModelFileError, ParameterError
from relhash.learning.trees import Trees


@given(st.integers(0, 10_000), st.integers(3, 60), st.integers(1, 12), st.booleans(), st.sampled_from([None, "balanced"]))
@settings(max_examples=25, deadline=None)
def test_walk_equals_predict_proba(seed, n, n_features, binary, class_weight):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, n_features)) if binary else rng.normal(size=(n, n_features))
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    kind = RandomForestClassifier if seed % 2 else ExtraTreesClassifier
    model = kind(7, random_state=seed, class_weight=class_weight).fit(X, y)
    test = rng.integers(0, 2, (50, n_features)) if binary else rng.normal(size=(50, n_features))
    forest = Trees.from_sklearn(model)
    np.testing.assert_allclose(forest.scores(test), model.predict_proba(test)[:, 1], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(forest.scores(sparse.csr_matrix(test)), forest.scores(test))
    again = Trees.from_arrays(forest.to_arrays())
    np.testing.assert_array_equal(again.scores(test), forest.scores(test))


@pytest.fixture(scope="module")
def arrays():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (80, 6)), rng.integers(0, 2, 80)
    return Trees.from_sklearn(RandomForestClassifier(3, random_state=0).fit(X, y)).to_arrays()


def test_rows_do_not_depend_on_each_other(arrays):
    forest = Trees.from_arrays(arrays)
    X = np.random.default_rng(1).integers(0, 2, (30, 6))
    np.testing.assert_array_equal(forest.scores(X)[:7], forest.scores(X[:7]))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("left", lambda a: np.where(a == 1, 10**6, a), "outside"),
        ("right", lambda a: np.where(a > 0, 0, a), "outside"),  # back to the root: an endless walk
        ("right", lambda a: np.where(np.arange(a.size) == 0, -1, a), "neither"),
        ("feature", lambda a: np.where(a >= 0, 6, a), "feature"),
        ("feature", lambda a: a.astype(float), "wrong kind"),
        ("left", lambda a: a.astype(np.int64) + 2**40, "too large"),
        ("value", lambda a: a + 2, "proper"),
        ("threshold", lambda a: a * np.nan, "proper"),
        ("roots", lambda a: a[::-1], "order"),
        ("roots", lambda a: a[:1], "order"),
        ("value", lambda a: a[:-1], "length"),
        ("left", lambda a: a[None], "wrong kind"),
    ],
)
def test_damaged_arrays_are_refused(arrays, name, change, message):
    with pytest.raises(ModelFileError, match=message):
        Trees.from_arrays({**arrays, name: change(arrays[name])})


def test_a_child_in_another_tree_is_refused(arrays):
    left = arrays["left"].copy()
    left[0] = arrays["roots"][1]
    with pytest.raises(ModelFileError, match="outside"):
        Trees.from_arrays({**arrays, "left": left})


def test_missing_array_and_wrong_rows(arrays):
    with pytest.raises(ModelFileError, match="missing"):
        Trees.from_arrays({name: array for name, array in arrays.items() if name != "left"})
    forest = Trees.from_arrays(arrays)
    with pytest.raises(ParameterError, match="6 features"):
        forest.scores(np.zeros((2, 5)))
    with pytest.raises(ParameterError, match="finite"):
        forest.scores(np.full((2, 6), np.nan))
