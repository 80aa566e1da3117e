"""Extremely randomised trees, grown in compiled code: to the last bit those of scikit-learn's ``ExtraTreesClassifier``.

Each node draws some features, a cut at random between the smallest and the largest value of each, and takes the one that lowers
Gini's impurity most (Geurts, Ernst and Wehenkel 2006). The order of all draws and sums is scikit-learn's, so that its trees and
ours are the same for the same seed, and tests can tell; here a table is looked at column by column, and nothing is checked or
copied for each tree anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ParameterError
from relhash.kernels.threads import over_ranges
from relhash.learning.trees import LEAF, Trees

__all__ = ["grown", "n_drawn"]

LARGEST_DRAW = 2147483647
"""What scikit-learn's generator returns at most."""
ALIKE = np.float32(1e-7)
"""Values that differ by no more are the same."""
NOTHING = float(np.finfo(np.float64).eps)
"""Impurity up to which a node is pure."""


def n_drawn(max_features: str | float, n_features: int) -> int:
    """How many features a node draws, as scikit-learn understands ``max_features``.

    >>> n_drawn("sqrt", 257), n_drawn(0.5, 10), n_drawn("log2", 10)
    (16, 5, 3)
    """
    if max_features == "sqrt":
        return max(1, int(np.sqrt(n_features)))
    if max_features == "log2":
        return max(1, int(np.log2(n_features)))
    if isinstance(max_features, str) or not 0 < max_features <= 1:
        raise ParameterError(f"forest: max_features={max_features!r} is not sqrt, log2 or a share above 0 and up to 1")
    return max(1, int(max_features * n_features))


def grown(
    X: NDArray[Any],
    labels: NDArray[np.int8],
    *,
    n_trees: int,
    min_samples_leaf: int,
    max_features: str | float,
    balanced: bool,
    random_state: int,
    n_jobs: int | None = None,
) -> Trees:
    """The trees; the same for any number of jobs."""
    columns = np.ascontiguousarray(np.asarray(X, np.float32).T)
    if not np.isfinite(columns).all():
        raise ParameterError("forest: features must be finite")
    n_features, n_rows = columns.shape
    counts = np.bincount(labels, minlength=2)
    of_class = n_rows / (2 * counts.astype(np.float64)) if balanced else np.ones(2)
    weights = np.array([of_class, [of_class[0], 0], [0, of_class[1]]])  # of a row, and what it adds to either class
    draw = n_drawn(max_features, n_features)
    seeds = np.random.RandomState(random_state).randint(np.iinfo(np.int32).max, size=n_trees)
    states = np.array([np.random.RandomState(seed).randint(0, LARGEST_DRAW) for seed in seeds.tolist()], np.uint32)
    own: list[Any] = [None] * n_trees

    def grow(start: int, stop: int) -> None:
        for number in range(start, stop):
            own[number] = _grow(columns, labels.astype(np.uint8), weights, draw, min_samples_leaf, states[number])

    over_ranges(grow, np.ones(n_trees, np.int64), n_jobs)
    sizes = [len(nodes[0]) for nodes in own]
    roots = np.cumsum([0, *sizes]).astype(np.int32)
    feature, threshold, left, right, value = (np.concatenate(parts) for parts in zip(*own, strict=True))
    shift = np.repeat(roots[:-1], sizes)
    return Trees(
        feature,
        threshold,
        np.where(left == LEAF, LEAF, left + shift).astype(np.int32),
        np.where(right == LEAF, LEAF, right + shift).astype(np.int32),
        value,
        roots,
        n_features,
    )


@compiled
def _drawn(state):  # type: ignore[no-untyped-def]  # pragma: no cover
    """The next state of a 32-bit xorshift generator; the number drawn is its lower 31 bits."""
    state = np.uint32(1) if state == 0 else state
    state ^= np.uint32(state << np.uint32(13))
    state ^= np.uint32(state >> np.uint32(17))
    return np.uint32(state ^ np.uint32(state << np.uint32(5)))


@compiled
def _gini(first, second, total):  # type: ignore[no-untyped-def]  # pragma: no cover
    return 1.0 - (first * first + second * second) / (total * total)


@compiled
def _left_of(rows, labels, weights, start, at, stop, zeros, ones, total):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Weights of both classes, and of all, in ``rows[start:at]``: added from the left, or taken away from the right."""
    if at - start <= stop - at:
        left_zeros, left_ones, left = 0.0, 0.0, 0.0
        for place in range(start, at):
            label = labels[rows[place]]
            left += weights[0, label]
            left_zeros += weights[1, label]
            left_ones += weights[2, label]
    else:
        left_zeros, left_ones, left = zeros, ones, total
        for place in range(stop - 1, at - 1, -1):
            label = labels[rows[place]]
            left -= weights[0, label]
            left_zeros -= weights[1, label]
            left_ones -= weights[2, label]
    return left_zeros, left_ones, left


@compiled
def _divide(found, rows, start, stop, cut):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Put those up to ``cut`` first; where the others begin. What is too large changes places with the last not looked at."""
    at, end = start, stop
    while at < end:
        if np.float64(found[at]) <= cut:
            at += 1
        else:
            end -= 1
            found[at], found[end] = found[end], found[at]
            rows[at], rows[end] = rows[end], rows[at]
    return at


@compiled
def _grow(columns, labels, weights, draw, least, state):  # type: ignore[no-untyped-def]  # pragma: no cover
    """One tree: feature, threshold, left and right child (numbers within the tree) and value of each node."""
    n_features, n_rows = columns.shape
    most = 2 * max(1, n_rows // least) + 1
    feature, threshold = np.full(most, -1, np.int32), np.zeros(most)
    left, right = np.full(most, -1, np.int32), np.full(most, -1, np.int32)
    value = np.empty(most)
    rows = np.arange(n_rows + 1).astype(np.int32)
    found = np.empty(n_rows + 1, np.float32)
    features, constant = np.arange(n_features), np.empty(n_features, np.int64)
    # what waits: start, stop, parent (its number, negative for the right child), known constants; and the impurity
    waiting, impurities = np.empty((most + 1, 4), np.int64), np.empty(most + 1)
    waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3] = 0, n_rows, 0, 0
    whole = 0.0
    for row in range(n_rows):
        whole += weights[0, labels[row]]
    n_waiting, n_nodes = 1, 0
    while n_waiting:
        n_waiting -= 1
        start, stop, parent, n_known = waiting[n_waiting]
        impurity = impurities[n_waiting]
        zeros, ones, total = 0.0, 0.0, 0.0
        for place in range(start, stop):
            label = labels[rows[place]]
            total += weights[0, label]
            zeros += weights[1, label]
            ones += weights[2, label]
        node = n_nodes
        n_nodes += 1
        if node == 0:
            impurity = _gini(zeros, ones, total)
        elif parent > 0:
            left[parent - 1] = node
        else:
            right[-parent - 1] = node
        value[node] = (ones / total) / (zeros / total + ones / total)
        if stop - start < 2 or stop - start < 2 * least or impurity <= NOTHING:
            continue

        best, best_at, best_cut, best_gain = -1, stop, 0.0, -np.inf
        current = -1
        n_found, n_drawn_constants, n_constants = 0, 0, n_known
        n_left_over, n_visited = n_features, 0
        while n_left_over > n_constants and (n_visited < draw or n_visited <= n_found + n_drawn_constants):
            n_visited += 1
            state = _drawn(state)
            number = np.int64(state & np.uint32(LARGEST_DRAW))
            j = n_drawn_constants + number % (n_left_over - n_found - n_drawn_constants)
            if j < n_known:
                features[n_drawn_constants], features[j] = features[j], features[n_drawn_constants]
                n_drawn_constants += 1
                continue
            j += n_found
            current = features[j]
            column = columns[current]
            lowest = highest = column[rows[start]]
            for place in range(start, stop):
                own = column[rows[place]]
                found[place] = own
                lowest = own if own < lowest else lowest
                highest = own if own > highest else highest
            if highest <= np.float32(lowest + ALIKE):
                features[j], features[n_constants] = features[n_constants], current
                n_found += 1
                n_constants += 1
                continue
            n_left_over -= 1
            features[n_left_over], features[j] = features[j], features[n_left_over]
            state = _drawn(state)
            span = np.float64(highest) - np.float64(lowest)
            cut = span * np.float64(state & np.uint32(LARGEST_DRAW)) / np.float64(LARGEST_DRAW) + np.float64(lowest)
            if cut == np.float64(highest):
                cut = np.float64(lowest)
            at = _divide(found, rows, start, stop, cut)
            if at - start < least or stop - at < least:
                continue
            left_zeros, left_ones, left_total = _left_of(rows, labels, weights, start, at, stop, zeros, ones, total)
            right_total = total - left_total
            impure_left = _gini(left_zeros, left_ones, left_total)
            impure_right = _gini(zeros - left_zeros, ones - left_ones, right_total)
            gain = -right_total * impure_right - left_total * impure_left
            if gain > best_gain:
                best, best_at, best_cut, best_gain = current, at, cut, gain
        is_split = best >= 0
        if is_split:
            if current != best:
                column = columns[best]
                for place in range(start, stop):
                    found[place] = column[rows[place]]
                _divide(found, rows, start, stop, best_cut)
            left_zeros, left_ones, left_total = _left_of(rows, labels, weights, start, best_at, stop, zeros, ones, total)
            right_total = total - left_total
            impure_left = _gini(left_zeros, left_ones, left_total)
            impure_right = _gini(zeros - left_zeros, ones - left_ones, right_total)
            improvement = (total / whole) * (
                impurity - (right_total / total * impure_right) - (left_total / total * impure_left)
            )
            is_split = not improvement + NOTHING < 0.0
        # constants that were known keep their order, for the children and for what waits
        for j in range(n_known):
            features[j] = constant[j]
        for j in range(n_known, n_known + n_found):
            constant[j] = features[j]
        if not is_split:
            continue
        feature[node], threshold[node] = best, best_cut
        for first, after, sign, own_impurity in ((best_at, stop, -1, impure_right), (start, best_at, 1, impure_left)):
            waiting[n_waiting, 0], waiting[n_waiting, 1] = first, after
            waiting[n_waiting, 2], waiting[n_waiting, 3] = sign * (node + 1), n_constants
            impurities[n_waiting] = own_impurity
            n_waiting += 1
    return feature[:n_nodes], threshold[:n_nodes], left[:n_nodes], right[:n_nodes], value[:n_nodes]
