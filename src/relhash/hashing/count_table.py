"""One table from which every split of a reference set follows: nearest reference × cluster × kind of candidate.

For one neighbour the bit of a candidate is the side of its nearest reference. Counting candidates once by nearest reference
is therefore enough: the ones of a split are the sum of the lines of its side 1, and moving one reference to the other side
moves one line.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relhash.kernels.compilation import compiled

__all__ = ["anneal", "count_nearest", "subset_sums"]


@compiled
def count_nearest(
    nearest: NDArray[np.uint8],
    n_references: int,
    rows: NDArray[np.int32],
    cells: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_clusters: int,
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """The table ``(references, clusters, kinds)``; candidates without a nearest reference are in no line."""
    n_points, n_kinds = weights.shape
    table = np.zeros((n_references, n_clusters, n_kinds), np.int64)
    for i in range(n_points):
        reference = nearest[rows[i]]
        if reference < n_references:
            for kind in range(n_kinds):
                table[reference, cells[i], kind] += weights[i, kind]
    return table


@compiled
def subset_sums(splits: NDArray[np.uint8], table: NDArray[np.int64]) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """``(splits, clusters, kinds)``: candidates that would get a 1."""
    n_references, n_clusters, n_kinds = table.shape
    ones = np.zeros((len(splits), n_clusters, n_kinds), np.int64)
    for s in range(len(splits)):
        for reference in range(n_references):
            if splits[s, reference]:
                for g in range(n_clusters):
                    for kind in range(n_kinds):
                        ones[s, g, kind] += table[reference, g, kind]
    return ones


@compiled
def anneal(
    table: NDArray[np.int64],
    totals: NDArray[np.int64],
    n_log_n: NDArray[np.float64],
    supervised_weight: float,
    start: NDArray[np.uint8],
    moves: NDArray[np.int64],
    thresholds: NDArray[np.float64],
) -> NDArray[np.uint8]:  # pragma: no cover - compiled
    """The best split that a Metropolis chain meets.

    Step t moves reference ``moves[t]`` to the other side if the objective does not fall by more than ``-thresholds[t]``. Only
    the clusters in which the moved reference is anybody's nearest change their share of the objective.
    """
    n_references, n_clusters, n_kinds = table.shape
    split = start.copy()
    best = start.copy()
    ones = np.zeros((n_clusters, n_kinds), np.int64)
    for reference in range(n_references):
        if split[reference]:
            ones += table[reference]
    n = max(totals[:, :2].sum(), 1)
    n_labelled = max(totals[:, 2:].sum(), 1)
    target_all, train_all = totals[:, 0].sum(), totals[:, 1].sum()
    target, train, n_ones = ones[:, 0].sum(), ones[:, 1].sum(), split.sum()
    clusters = 0.0
    for g in range(n_clusters):
        clusters += _share(ones[g], totals[g], n_log_n, n, n_labelled, supervised_weight)
    value = clusters + _overall(target, train, target_all, train_all, n_log_n) / n
    best_value = value
    moved = np.empty(n_kinds, np.int64)
    for t in range(len(moves)):
        line = table[moves[t]]
        sign = -1 if split[moves[t]] else 1
        if n_ones + sign == 0:  # side 1 must not be empty
            continue
        change = 0.0
        moved_target = 0
        moved_train = 0
        for g in range(n_clusters):
            if line[g].any():
                for kind in range(n_kinds):
                    moved[kind] = ones[g, kind] + sign * line[g, kind]
                change += _share(moved, totals[g], n_log_n, n, n_labelled, supervised_weight)
                change -= _share(ones[g], totals[g], n_log_n, n, n_labelled, supervised_weight)
                moved_target += sign * line[g, 0]
                moved_train += sign * line[g, 1]
        proposed = clusters + change
        overall = _overall(target + moved_target, train + moved_train, target_all, train_all, n_log_n) / n
        if proposed + overall - value >= thresholds[t]:
            clusters, value = proposed, proposed + overall
            target += moved_target
            train += moved_train
            n_ones += sign
            split[moves[t]] ^= 1
            for g in range(n_clusters):
                for kind in range(n_kinds):
                    ones[g, kind] += sign * line[g, kind]
            if value > best_value:
                best_value = value
                best[:] = split
    return best


@compiled
def _overall(
    target: int, train: int, target_all: int, train_all: int, n_log_n: NDArray[np.float64]
) -> float:  # pragma: no cover - compiled
    """N · (H(x, c) − H(c)) up to a constant, from the candidates that get a 1."""
    zeros = n_log_n[target_all - target] + n_log_n[train_all - train]
    sides = n_log_n[target + train] + n_log_n[target_all + train_all - target - train]
    return sides - zeros - n_log_n[target] - n_log_n[train]


@compiled
def _share(
    ones: NDArray[np.int64],
    totals: NDArray[np.int64],
    n_log_n: NDArray[np.float64],
    n: int,
    n_labelled: int,
    supervised_weight: float,
) -> float:  # pragma: no cover - compiled
    """What one cluster adds to H(c | cluster) − weight · H(y | cluster, c)."""
    one = ones[0] + ones[1]
    both = totals[0] + totals[1]
    share = (n_log_n[both] - n_log_n[one] - n_log_n[both - one]) / n
    if supervised_weight > 0:
        labels = 0.0
        labelled_one = 0
        labelled_zero = 0
        for kind in range(2, len(ones)):
            zero = totals[kind] - ones[kind]
            labels -= n_log_n[ones[kind]] + n_log_n[zero]
            labelled_one += ones[kind]
            labelled_zero += zero
        share -= supervised_weight * (labels + n_log_n[labelled_one] + n_log_n[labelled_zero]) / n_labelled
    return share
