"""The compiled walk against scikit-learn, element by element; arrays that must not be believed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from relhash.errors import ModelFileError, ParameterError
from relhash.learn.forest import Trees


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
        ("left", lambda a: a[None], "length"),
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


def test_two_classes_are_those_of_a_relation_or_none():
    X = np.arange(8.0).reshape(-1, 1)
    model = RandomForestClassifier(3, random_state=0).fit(X, X[:, 0] > 3)
    np.testing.assert_allclose(Trees.from_sklearn(model).scores(X), model.predict_proba(X)[:, 1], atol=1e-12)
    for wrong in (np.where(X[:, 0] > 3, 2, 1), np.arange(8) % 3):
        with pytest.raises(ParameterError, match="classes 0 and 1 are expected"):
            Trees.from_sklearn(RandomForestClassifier(3, random_state=0).fit(X, wrong))


def plain_walk(forest: Trees, X: np.ndarray) -> np.ndarray:
    """The slow, obviously right walk: one row, one tree, one node at a time, thresholds in double precision."""
    scores = []
    for row in X.astype(np.float32):
        total = 0.0
        for root in forest.roots[:-1]:
            node = root
            while forest.left[node] >= 0:
                is_left = float(row[forest.feature[node]]) <= forest.threshold[node]
                node = forest.left[node] if is_left else forest.right[node]
            total += forest.value[node]
        scores.append(total / forest.n_trees)
    return np.array(scores)


@pytest.mark.parametrize("n_rows", [1, 7, 8, 9, 63, 64, 65, 150])
def test_rows_in_step_walk_as_one_by_one(n_rows):
    rng = np.random.default_rng(n_rows)
    X, y = rng.normal(size=(200, 5)), rng.integers(0, 2, 200)
    forest = Trees.from_sklearn(ExtraTreesClassifier(11, random_state=0).fit(X, y))
    np.testing.assert_array_equal(forest.scores(X[:n_rows]), plain_walk(forest, X[:n_rows]))


@given(st.floats(-1e30, 1e30), st.integers(-3, 3))
def test_thresholds_between_two_singles_decide_as_in_double_precision(threshold, steps):
    value = np.float32(threshold)
    for _ in range(abs(steps)):
        value = np.nextafter(value, np.float32(np.sign(steps) * np.inf))
    one = {
        "feature": np.array([0, -1, -1]), "threshold": np.array([threshold, 0, 0]), "left": np.array([1, -1, -1]),
        "right": np.array([2, -1, -1]), "value": np.array([0.5, 0.0, 1.0]), "roots": np.array([0, 3]),
        "n_features": np.array(1),
    }  # fmt: skip
    forest = Trees.from_arrays(one)
    np.testing.assert_array_equal(forest.scores(np.array([[value]])), [float(not float(value) <= threshold)])
