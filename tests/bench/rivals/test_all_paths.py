"""Regularised least squares against the normal equations."""

from __future__ import annotations

import numpy as np

from relhash.bench.rivals.all_paths import least_squares


def test_least_squares_against_the_normal_equations():
    from scipy import sparse

    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5))
    y = X[:, 0] > 0.3
    weights, constant = least_squares(sparse.csr_matrix(X), y, 0.7)
    with_constant = np.column_stack([X, np.ones(30)])
    expected = np.linalg.solve(with_constant.T @ with_constant + 0.7 * np.eye(6), with_constant.T @ np.where(y, 1.0, -1.0))
    np.testing.assert_allclose([*weights, constant], expected, atol=1e-3)
