"""Nearest neighbours by Hamming distance against a plain search."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from relhash.errors import ModelFileError
from relhash.learn import NeighbourClassifier


def test_neighbours_equal_a_plain_search(data):
    X, y = data
    train, test = X[:200, :8], X[200:, :8]
    scores = NeighbourClassifier(5).fit(train, y[:200]).scores(test)
    distances = cdist(test, train, "cityblock")
    for row, distance in enumerate(distances):
        near = distance <= np.sort(distance)[4]
        assert scores[row] == pytest.approx(y[:200][near].mean())


def test_neighbours_do_not_depend_on_the_order_of_training(data):
    X, y = data
    order = np.random.default_rng(3).permutation(300)
    np.testing.assert_allclose(
        NeighbourClassifier(3).fit(X, y).scores(X), NeighbourClassifier(3).fit(X[order], y[order]).scores(X), atol=1e-12
    )


def test_counts_that_cannot_be_are_refused(data):
    arrays = NeighbourClassifier().fit(*data).to_arrays()
    with pytest.raises(ModelFileError, match="count"):
        NeighbourClassifier.read({**arrays, "positive": arrays["count"] + 1})
    for change in ({"k": np.array(0)}, {"count": arrays["count"] * 0}, {"positive": arrays["positive"] * 0 - 1}):
        with pytest.raises(ModelFileError, match="a count is not possible"):
            NeighbourClassifier.read({**arrays, **change})
    with pytest.raises(ModelFileError, match="fit together"):
        NeighbourClassifier.read({**arrays, "count": arrays["count"][1:]})


def test_one_neighbour_is_enough(data):
    X, y = data
    nearest = NeighbourClassifier(1).fit(X, y)
    np.testing.assert_array_equal(NeighbourClassifier.read(nearest.to_arrays()).scores(X), nearest.scores(X))


def test_the_kernel_decides_among_the_nearest_codes(data):
    """Of the codes as near as the shortlist's last, those with the nearest coordinates vote; a stored model says the same."""
    X, y = data
    rng = np.random.default_rng(1)
    X = np.hstack([X[:, :8] != 0, rng.normal(size=(len(X), 5)).astype(np.float32)])
    train, test = X[:200], X[200:]
    fitted = NeighbourClassifier(5, shortlist=40).fit(
        train, y[:200], columns={"bits": slice(0, 8), "coordinates": slice(8, 13)}
    )
    by_code, by_kernel = cdist(test[:, :8], train[:, :8], "cityblock"), cdist(test[:, 8:], train[:, 8:])
    for row, score in enumerate(fitted.scores(test)):
        listed = np.flatnonzero(by_code[row] <= np.sort(by_code[row])[39])
        near = listed[np.argsort(by_kernel[row][listed])[:5]]
        assert score == pytest.approx(y[:200][near].mean())
    np.testing.assert_array_equal(NeighbourClassifier.read(fitted.to_arrays()).scores(test), fitted.scores(test))
