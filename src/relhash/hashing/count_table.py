"""One table from which every split of a reference set follows: nearest reference × cluster × kind of candidate.

For one neighbour the bit of a candidate is the side of its nearest reference. Counting candidates once by nearest reference
is therefore enough: the ones of a split are the sum of the lines of its side 1, and moving one reference to the other side
moves one line.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled


def _nearest_in_numpy(
    nearest: NDArray[np.uint8], n_references: int, rows: NDArray[np.int32], cells: NDArray[np.int32],
    weights: NDArray[np.int64], n_clusters: int,
) -> NDArray[np.int64]:  # fmt: skip
    table = np.zeros((n_references, n_clusters, weights.shape[1]), np.int64)
    references = nearest[rows]
    has = references < n_references
    np.add.at(table, (references[has], cells[has]), weights[has])
    return table


@compiled(seconds=lambda nearest, n, rows, cells, weights, m: 3e-5 + 6e-8 * weights.size, plain=_nearest_in_numpy)
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


@compiled(
    seconds=lambda splits, table: 2e-5 + 2e-9 * len(splits) * table.size,
    plain=lambda splits, table: np.tensordot(splits.astype(np.int64), table, 1),
)
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
    filled = np.empty((n_references, n_clusters), np.int64)  # clusters in which a reference is anybody's nearest …
    n_filled = np.zeros(n_references, np.int64)  # … and how many they are
    for reference in range(n_references):
        for g in range(n_clusters):
            count = 0
            for kind in range(n_kinds):
                count += table[reference, g, kind]
                ones[g, kind] += split[reference] * table[reference, g, kind]
            if count > 0:
                filled[reference, n_filled[reference]] = g
                n_filled[reference] += 1
    target_all, train_all, n_labelled = 0, 0, 0
    target, train = 0, 0
    clusters = 0.0
    for g in range(n_clusters):
        target_all += totals[g, 0]
        train_all += totals[g, 1]
        target += ones[g, 0]
        train += ones[g, 1]
        for kind in range(2, n_kinds):
            n_labelled += totals[g, kind]
    n = max(target_all + train_all, 1)
    label_scale = supervised_weight / max(n_labelled, 1)
    for g in range(n_clusters):
        clusters += _share(ones, totals, g, n_log_n, n, label_scale)
    value = clusters + _overall(target, train, target_all, train_all, n_log_n) / n
    best_value = value
    n_ones = 0
    for reference in range(n_references):
        n_ones += split[reference]
    for t in range(len(moves)):
        moved = moves[t]
        sign = -1 if split[moved] else 1
        if n_ones + sign == 0:  # side 1 must not be empty
            continue
        proposed = clusters
        target_moved, train_moved = target, train
        for position in range(n_filled[moved]):
            g = filled[moved, position]
            proposed -= _share(ones, totals, g, n_log_n, n, label_scale)
            for kind in range(n_kinds):
                ones[g, kind] += sign * table[moved, g, kind]
            proposed += _share(ones, totals, g, n_log_n, n, label_scale)
            target_moved += sign * table[moved, g, 0]
            train_moved += sign * table[moved, g, 1]
        new_value = proposed + _overall(target_moved, train_moved, target_all, train_all, n_log_n) / n
        if new_value - value >= thresholds[t]:
            clusters, value, target, train = proposed, new_value, target_moved, train_moved
            n_ones += sign
            split[moved] ^= 1
            if value > best_value:
                best_value = value
                best[:] = split
        else:
            for position in range(n_filled[moved]):
                g = filled[moved, position]
                for kind in range(n_kinds):
                    ones[g, kind] -= sign * table[moved, g, kind]
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
    g: int,
    n_log_n: NDArray[np.float64],
    n: int,
    label_scale: float,
) -> float:  # pragma: no cover - compiled
    """What cluster ``g`` adds to H(c | cluster) − weight · H(y | cluster, c)."""
    one = ones[g, 0] + ones[g, 1]
    both = totals[g, 0] + totals[g, 1]
    share = (n_log_n[both] - n_log_n[one] - n_log_n[both - one]) / n
    if label_scale > 0:
        labels = 0.0
        labelled_one = 0
        labelled_zero = 0
        for kind in range(2, ones.shape[1]):
            zero = totals[g, kind] - ones[g, kind]
            labels -= n_log_n[ones[g, kind]] + n_log_n[zero]
            labelled_one += ones[g, kind]
            labelled_zero += zero
        share -= label_scale * (labels + n_log_n[labelled_one] + n_log_n[labelled_zero])
    return share
