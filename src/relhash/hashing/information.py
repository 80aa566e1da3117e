"""Entropies of binary codes, in nats, from counts.

Everything the greedy learner optimises (Garg et al. 2019, Eq. 1) is a function of small contingency tables, so this module
takes counts, never the data: the same functions serve one machine and a cluster. The first half is plain numpy and reads
like the formulas; the second half is what the learner runs thousands of times, compiled, and equal to the first half.

The tables of the second half have one line a *cluster* and one column a *kind* of candidate: column 0 counts target
candidates, column 1 training candidates (together the membership x), and further columns, if any, count labelled training
candidates a class (y).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.compilation import compiled


def entropy(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Entropy of the distribution proportional to ``counts`` along the last axis.

    >>> float(entropy(np.array([1, 1])))   # a fair coin
    0.6931471805599453
    >>> float(entropy(np.array([0, 0])))   # nothing was counted
    0.0
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    p = np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)
    return np.asarray(-special.xlogy(p, p).sum(axis=-1) + 0.0)


def n_log_n(largest: int) -> NDArray[np.float64]:
    """``n · log n`` for n = 0 … ``largest``: with it an entropy of counts needs additions only."""
    n = np.arange(largest + 1, dtype=np.float64)
    return np.asarray(special.xlogy(n, n))


@compiled(seconds=lambda ones, totals, table: 1e-6 * ones.size)
def bit_terms(
    ones: NDArray[np.int64], totals: NDArray[np.int64], table: NDArray[np.float64]
) -> NDArray[np.float64]:  # pragma: no cover - compiled
    """The terms of Eq. 1 for many possible bits at once.

    Parameters
    ----------
    ones
        ``(bits, clusters, kinds)``: candidates whose bit is 1.
    totals
        ``(clusters, kinds)``: all candidates.
    table
        :func:`n_log_n` up to the number of candidates.

    Returns
    -------
    ``(bits, 4)``: H(x, c), I(c : cluster), H(y | cluster, c), which is 0 when no class is counted, and H(c).
    """
    n_bits, n_clusters, n_kinds = ones.shape
    terms = np.zeros((n_bits, 4))
    n = totals[:, :2].sum()
    n_labelled = totals[:, 2:].sum()
    if n == 0:
        return terms
    for b in range(n_bits):
        target_one = 0
        train_one = 0
        target_zero = 0
        train_zero = 0
        within = 0.0
        labels = 0.0
        for g in range(n_clusters):
            target, train = ones[b, g, 0], ones[b, g, 1]
            one = target + train
            both = totals[g, 0] + totals[g, 1]
            within += table[both] - table[one] - table[both - one]
            target_one += target
            train_one += train
            target_zero += totals[g, 0] - target
            train_zero += totals[g, 1] - train
            if n_labelled > 0:
                side_one = 0
                side_zero = 0
                for y in range(2, n_kinds):
                    one_y = ones[b, g, y]
                    zero_y = totals[g, y] - one_y
                    labels -= table[one_y] + table[zero_y]
                    side_one += one_y
                    side_zero += zero_y
                labels += table[side_one] + table[side_zero]
        joint = table[n] - table[target_one] - table[train_one] - table[target_zero] - table[train_zero]
        marginal = table[n] - table[target_one + train_one] - table[target_zero + train_zero]
        terms[b, 0] = joint / n
        terms[b, 1] = max(0.0, (marginal - within) / n)
        if n_labelled > 0:
            terms[b, 2] = labels / n_labelled
        terms[b, 3] = marginal / n
    return terms
