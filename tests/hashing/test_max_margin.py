"""Support vector machines on a few points, against libsvm and the conditions of optimality."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from relhash.hashing.margin import margin_solutions, regularised
from relhash.hashing.splits import all_splits, random_split


def gram_of(points, gamma=0.5):
    return np.exp(-gamma * ((points[:, None] - points[None]) ** 2).sum(axis=-1))


def libsvm(gram, split):
    machine = SVC(C=1e9, kernel="precomputed", tol=1e-12).fit(gram, split)
    coefficients = np.zeros(len(gram))
    coefficients[machine.support_] = machine.dual_coef_[0]
    return coefficients, float(machine.intercept_[0])


@pytest.mark.parametrize("n_references", [2, 3, 4, 6])
def test_every_split_equals_libsvm_element_by_element(n_references):
    rng = np.random.default_rng(n_references)
    for _ in range(5):
        gram = regularised(gram_of(rng.normal(size=(n_references, 3))), 1e-2)
        coefficients, intercepts = margin_solutions(gram, all_splits(n_references))
        for split, own, intercept in zip(all_splits(n_references), coefficients, intercepts, strict=True):
            expected, expected_intercept = libsvm(gram, split)
            scale = np.abs(expected).max()
            assert np.abs(own - expected).max() < 1e-4 * scale
            assert abs(intercept - expected_intercept) < 1e-4 * max(1.0, abs(expected_intercept))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n_references=st.integers(2, 24), dimensions=st.integers(1, 4))
def test_solutions_satisfy_the_conditions_of_optimality(seed, n_references, dimensions):
    """Karush–Kuhn–Tucker: multipliers not negative and balanced, every margin at least 1, exactly 1 at support vectors."""
    rng = np.random.default_rng(seed)
    gram = regularised(gram_of(rng.normal(size=(n_references, dimensions))), 1e-3)
    split = random_split(n_references, rng)
    (coefficients,), (intercept,) = margin_solutions(gram, split[None])
    y = 2.0 * split - 1
    scale = np.abs(coefficients).max()
    assert (coefficients * y).min() >= -1e-9 * scale
    assert abs(coefficients.sum()) < 1e-8 * scale * n_references
    margins = y * (gram @ coefficients + intercept)
    assert margins.min() > 1 - 1e-6
    assert np.abs(margins[np.abs(coefficients) > 1e-9 * scale] - 1).max() < 1e-6


def test_nearly_singular_and_indefinite_grams_give_finite_bits():
    copies = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    indefinite = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.9], [0.0, 0.9, 1.0]])
    assert np.linalg.eigvalsh(indefinite)[0] < 0
    for gram in (copies, indefinite):
        coefficients, intercepts = margin_solutions(regularised(gram, 1e-3), all_splits(3))
        assert np.isfinite(coefficients).all()
        assert np.isfinite(intercepts).all()


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n_references=st.integers(2, 6))
def test_the_last_digits_of_a_gram_matrix_do_not_show(seed, n_references):
    """Another processor adds up in another order. The solutions are the same numbers all the same."""
    rng = np.random.default_rng(seed)
    gram = regularised(np.round(gram_of(rng.normal(size=(n_references, 3))), 2), 1e-2)
    noise = rng.uniform(-1, 1, gram.shape) * 4e-16
    splits = all_splits(n_references)
    for own, other in zip(margin_solutions(gram, splits), margin_solutions(gram + noise + noise.T, splits), strict=True):
        assert np.mean(own == other) > 0.99  # a number can lie just where it is rounded up or down
        assert np.abs(own - other).max() < 1e-7


def test_a_point_between_two_like_sides_is_on_neither():
    """Two references against two, all alike: the boundary goes through the middle, whatever the last digit says."""
    for similarity in np.linspace(0.05, 0.9, 40):
        gram = regularised(np.full((4, 4), similarity) + (1 - similarity) * np.eye(4), 1e-3)
        (coefficients,), (intercept,) = margin_solutions(gram, np.array([[0, 1, 0, 1]], np.uint8))
        assert intercept == 0
        assert abs(coefficients[0]) == coefficients[1] == abs(coefficients[2]) == coefficients[3]
