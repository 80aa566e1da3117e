"""Which functions to give up: those that turned out poor beside the others (last line of Algorithm 1).

A function's worth changes as the code grows around it, so all functions are judged again, on the same clusterings, before
any is deleted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.in_memory import StoredBits
from relhash.hashing.information import bit_terms
from relhash.hashing.objective import TermWeights

FUNCTIONS_AT_ONCE = 64  # bounds the memory of the count tables


def current_objectives(
    code: StoredBits,
    table: NDArray[np.float64],
    n_cluster_bits: int,
    term_weights: TermWeights,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """H(x, c) − I(c : others) − weight · H(y | others, c) of every function of ``code`` against the present code.

    ζ random bits stand for "the others"; these bits themselves are judged by another ζ, as no bit may be judged by itself.
    H(x | others) is left out: it hardly differs between the two.
    """
    n_functions = code.n_functions
    size = min(n_cluster_bits, n_functions // 2)
    drawn = rng.permutation(n_functions)[: 2 * size]
    values = _values(code, np.arange(n_functions), drawn[:size], table, term_weights)
    if size:
        judges = drawn[:size]
        values[judges] = _values(code, judges, drawn[size:], table, term_weights)
    return values


def low_functions(objectives: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """At most ``most`` functions that lie more than a standard deviation below the mean, the lowest first.

    >>> low_functions(np.array([1.0, 1.1, 0.2, 1.0, 0.1]), 1).tolist()
    [4]
    """
    order = np.argsort(objectives, kind="stable")[: max(most, 0)]
    return order[objectives[order] < objectives.mean() - objectives.std()]


def _values(
    code: StoredBits,
    functions: NDArray[np.int64],
    others: NDArray[np.int64],
    table: NDArray[np.float64],
    term_weights: TermWeights,
) -> NDArray[np.float64]:
    clusters, values = code.clusters(others), np.empty(len(functions))
    for start in range(0, len(functions), FUNCTIONS_AT_ONCE):
        part = slice(start, start + FUNCTIONS_AT_ONCE)
        values[part] = term_weights(bit_terms(code.ones_of(functions[part], clusters), clusters.totals, table))
    return values
