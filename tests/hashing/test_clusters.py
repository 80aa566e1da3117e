from __future__ import annotations

import numpy as np

from relhash.hashing.clusters import cluster_by_bits


def test_cells_are_points_with_equal_bits():
    rng = np.random.default_rng(0)
    bits, weights = rng.integers(0, 2, (6, 300)).astype(np.uint8), rng.integers(0, 3, (300, 3))
    clustering = cluster_by_bits(bits, np.array([1, 4, 5]), weights)
    keys = [tuple(column) for column in bits[[1, 4, 5]].T.tolist()]
    assert len({(key, cell) for key, cell in zip(keys, clustering.cells.tolist(), strict=True)}) == len(set(keys)) == 8
    for cell in range(8):
        assert clustering.totals[cell].tolist() == weights[clustering.cells == cell].sum(axis=0).tolist()
    assert cluster_by_bits(bits, np.array([], np.int64), weights).n_clusters == 1
