from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import entropy

from relhash.hashing.information import cluster_by_bits


def test_cells_are_points_with_equal_bits():
    rng = np.random.default_rng(0)
    bits, weights = rng.integers(0, 2, (6, 300)).astype(np.uint8), rng.integers(0, 3, (300, 3))
    clustering = cluster_by_bits(bits, np.array([1, 4, 5]), weights)
    keys = [tuple(column) for column in bits[[1, 4, 5]].T.tolist()]
    assert len({(key, cell) for key, cell in zip(keys, clustering.cells.tolist(), strict=True)}) == len(set(keys)) == 8
    for cell in range(8):
        assert clustering.totals[cell].tolist() == weights[clustering.cells == cell].sum(axis=0).tolist()
    assert cluster_by_bits(bits, np.array([], np.int64), weights).n_clusters == 1


def test_entropy_of_membership_is_that_of_the_mixed_clusters():
    """A single candidate of the other set makes a cluster mixed; one of a single set says nothing."""
    bits = np.array([[0, 0, 1, 1, 0], [0, 0, 0, 0, 1]], np.uint8)
    weights = np.array([[1, 0], [0, 3], [4, 0], [0, 1], [0, 5]])  # target and training candidates of each point
    clustering = cluster_by_bits(bits, np.arange(2), weights)
    expected = {(1, 3): 4 * entropy([1, 3]), (4, 1): 5 * entropy([4, 1]), (0, 5): 0.0}
    found = {tuple(map(int, total)): own for total, own in zip(clustering.totals, clustering.weighted_entropies, strict=True)}
    assert found == pytest.approx(expected)
    assert clustering.membership_entropy == pytest.approx(sum(expected.values()) / 14)
