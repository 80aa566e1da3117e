from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import RelHashWarning
from relhash.hashing import HashcodeLearner
from relhash.hashing.points import Points, label_columns


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 40))
def test_equal_candidates_are_one_point(seed, n_views, n):
    rng = np.random.default_rng(seed)
    rows = [rng.integers(0, 4, n).astype(np.int32) for _ in range(n_views)]
    membership, classes = rng.integers(0, 2, n), rng.integers(-1, 3, n)
    points = Points.from_rows(rows, membership, classes, 3)
    keys = list(zip(*(view.tolist() for view in rows), strict=True))
    assert len(points) == len(set(keys))
    assert points.n_candidates == n
    for first, weights in zip(points.first, points.weights, strict=True):
        same = np.array([key == keys[first] for key in keys])
        expected = [(same & (membership == x)).sum() for x in (0, 1)] + [(same & (classes == y)).sum() for y in range(3)]
        assert weights.tolist() == expected


def test_missing_labels_are_no_class():
    classes, n_classes = label_columns(np.array([1.0, np.nan, 0.0]), 2)
    assert classes.tolist() == [1, -1, 0, -1, -1]
    assert n_classes == 2


def test_data_that_nothing_can_divide_are_said_to_be_so():
    """A fit on constant data gave constant bits without a word."""
    with pytest.warns(RelHashWarning, match="all 50 candidates are the same to the kernel"):
        HashcodeLearner(2, random_state=0).fit(np.ones((50, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RelHashWarning)
        HashcodeLearner(2, random_state=0).fit(np.eye(50))
