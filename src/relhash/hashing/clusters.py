"""Clusters of candidates: the cells in which ζ bits of the code agree.

Both halves of Eq. 1 that look back at the code so far (I(c : c_prev) and H(x | c_prev)) are estimated on such a clustering,
and new references are sampled inside one of its cells (Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.compilation import compiled

MAX_CLUSTER_BITS = 20  # a direct table of 2^ζ cells is kept while clustering


@dataclass(frozen=True, eq=False)
class Clustering:
    """A partition of the points.

    Attributes
    ----------
    cells
        The cluster of each point, numbered from 0 without gaps.
    totals
        ``(clusters, kinds)``: candidates of each kind in each cluster (see :mod:`relhash.hashing.information`).
    """

    cells: NDArray[np.int32]
    totals: NDArray[np.int64]

    @property
    def n_clusters(self) -> int:
        return int(self.totals.shape[0])

    @property
    def n_points(self) -> NDArray[np.int64]:
        """Number of distinct candidates in each cluster."""
        return np.bincount(self.cells, minlength=self.n_clusters)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of candidates in each cluster."""
        return self.totals[:, 0] + self.totals[:, 1]

    @cached_property
    def weighted_entropies(self) -> NDArray[np.float64]:
        """Size · entropy of x in each cluster: 0 where all candidates come from one set."""
        target, train = self.totals[:, 0], self.totals[:, 1]
        weighted = special.xlogy(self.sizes, self.sizes) - special.xlogy(target, target) - special.xlogy(train, train)
        return np.where((target > 0) & (train > 0), weighted, 0.0)

    @property
    def membership_entropy(self) -> float:
        """H(x | c_prev) of Eq. 1."""
        return float(self.weighted_entropies.sum() / max(self.sizes.sum(), 1))


def cluster_by_bits(bits: NDArray[np.uint8], chosen: NDArray[np.int64], weights: NDArray[np.int64]) -> Clustering:
    """Cells of the ``chosen`` rows of ``bits`` (functions × points); no row chosen gives one cluster of everything.

    >>> bits = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.uint8)
    >>> cluster_by_bits(bits, np.array([0]), np.ones((4, 2), np.int64)).cells.tolist()
    [0, 0, 1, 1]
    """
    cells, totals = _cells_of_bits(bits, np.asarray(chosen, np.int64), weights)
    return Clustering(cells, totals)


def cluster_by_keys(keys: NDArray[np.int64], weights: NDArray[np.int64]) -> Clustering:
    """Cells of points with equal ``keys`` (any integers)."""
    _, cells = np.unique(keys, return_inverse=True)
    totals = np.zeros((int(cells.max(initial=-1)) + 1, weights.shape[1]), np.int64)
    np.add.at(totals, cells, weights)
    return Clustering(cells.astype(np.int32), totals)


def _cells_in_numpy(
    bits: NDArray[np.uint8], chosen: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    codes = (bits[chosen].astype(np.int64) << np.arange(len(chosen))[::-1, None]).sum(axis=0)
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    number = np.argsort(np.argsort(first)).astype(np.int32)  # clusters in the order in which they are met
    cells = number[inverse]
    totals = np.zeros((len(first), weights.shape[1]), np.int64)
    np.add.at(totals, cells, weights)
    return cells, totals


@compiled(seconds=lambda bits, chosen, weights: 1e-4 + 1e-7 * weights.size, plain=_cells_in_numpy)
def _cells_of_bits(
    bits: NDArray[np.uint8], chosen: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:  # pragma: no cover - compiled
    n_points, n_kinds = weights.shape
    cells = np.zeros(n_points, np.int32)
    for row in chosen:
        for i in range(n_points):
            cells[i] = (cells[i] << 1) | bits[row, i]
    number = np.full(1 << len(chosen), -1, np.int32)
    n_clusters = 0
    for i in range(n_points):
        code = cells[i]
        if number[code] < 0:
            number[code] = n_clusters
            n_clusters += 1
        cells[i] = number[code]
    totals = np.zeros((n_clusters, n_kinds), np.int64)
    for i in range(n_points):
        for kind in range(n_kinds):
            totals[cells[i], kind] += weights[i, kind]
    return cells, totals


def count_ones(
    bits: NDArray[np.uint8], functions: Sequence[int] | NDArray[np.int64], clusters: Clustering, weights: NDArray[np.int64]
) -> NDArray[np.int64]:
    """``(functions, clusters, kinds)``: candidates to whom each of these functions gives a 1.

    >>> one_cluster = Clustering(np.zeros(2, np.int32), np.array([[3, 3]]))
    >>> count_ones(np.array([[0, 1]], np.uint8), [0], one_cluster, np.array([[2, 0], [1, 3]])).tolist()
    [[[1, 3]]]
    """
    return _count_ones(bits, np.asarray(functions, np.int64), clusters.cells, weights, clusters.n_clusters)


def _ones_in_numpy(
    bits: NDArray[np.uint8], functions: NDArray[np.int64], cells: NDArray[np.int32], weights: NDArray[np.int64], n_clusters: int
) -> NDArray[np.int64]:
    ones = np.zeros((len(functions), n_clusters, weights.shape[1]), np.int64)
    for own, function in zip(ones, functions, strict=True):
        np.add.at(own, cells, bits[function][:, None] * weights)
    return ones


@compiled(
    seconds=lambda bits, functions, cells, weights, n: len(functions) * (2e-5 + 6e-8 * weights.size), plain=_ones_in_numpy
)
def _count_ones(
    bits: NDArray[np.uint8], functions: NDArray[np.int64], cells: NDArray[np.int32], weights: NDArray[np.int64], n_clusters: int
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    n_points, n_kinds = weights.shape
    ones = np.zeros((len(functions), n_clusters, n_kinds), np.int64)
    for number, function in enumerate(functions):
        for i in range(n_points):
            bit = bits[function, i]
            for kind in range(n_kinds):
                ones[number, cells[i], kind] += bit * weights[i, kind]  # a branch would be mispredicted half of the time
    return ones
