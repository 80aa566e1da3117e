"""Which functions to give up: those that turned out poor beside the others (last line of Algorithm 1).

A function's worth changes as the code grows around it, so all functions are judged again, on the same clusterings, before
any is deleted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.hashing.clusters import Clustering, cluster_by_bits
from relhash.hashing.information import bit_terms
from relhash.hashing.objective import TermWeights

__all__ = ["current_objectives", "low_functions"]

FUNCTIONS_AT_ONCE = 64  # bounds the memory of the count tables


def current_objectives(
    bits: NDArray[np.uint8],
    weights: NDArray[np.int64],
    table: NDArray[np.float64],
    n_cluster_bits: int,
    term_weights: TermWeights,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """H(x, c) − I(c : others) − weight · H(y | others, c) of every row of ``bits`` against the present code.

    ζ random bits stand for "the others"; these bits themselves are judged by another ζ, as no bit may be judged by itself.
    H(x | others) is left out: it hardly differs between the two.
    """
    size = min(n_cluster_bits, len(bits) // 2)
    drawn = rng.permutation(len(bits))[: 2 * size]
    values = _values(bits, cluster_by_bits(bits, drawn[:size], weights), weights, table, term_weights)
    if size:
        judges = drawn[:size]
        values[judges] = _values(bits[judges], cluster_by_bits(bits, drawn[size:], weights), weights, table, term_weights)
    return values


def low_functions(objectives: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """At most ``most`` functions that lie more than a standard deviation below the mean, the lowest first.

    >>> low_functions(np.array([1.0, 1.1, 0.2, 1.0, 0.1]), 1).tolist()
    [4]
    """
    order = np.argsort(objectives, kind="stable")[: max(most, 0)]
    return order[objectives[order] < objectives.mean() - objectives.std()]


def _values(
    bits: NDArray[np.uint8],
    others: Clustering,
    weights: NDArray[np.int64],
    table: NDArray[np.float64],
    term_weights: TermWeights,
) -> NDArray[np.float64]:
    values = np.empty(len(bits))
    for start in range(0, len(bits), FUNCTIONS_AT_ONCE):
        part = slice(start, start + FUNCTIONS_AT_ONCE)
        terms = bit_terms(_count_ones(bits[part], others.cells, weights, others.n_clusters), others.totals, table)
        values[part] = term_weights(terms)
    return values


@compiled
def _count_ones(
    bits: NDArray[np.uint8], cells: NDArray[np.int32], weights: NDArray[np.int64], n_clusters: int
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    n_functions, n_points = bits.shape
    n_kinds = weights.shape[1]
    ones = np.zeros((n_functions, n_clusters, n_kinds), np.int64)
    for function in range(n_functions):
        for i in range(n_points):
            bit = bits[function, i]
            for kind in range(n_kinds):
                ones[function, cells[i], kind] += bit * weights[i, kind]  # a branch would be mispredicted half of the time
    return ones
