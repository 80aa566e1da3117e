"""Extremely randomised trees, grown by scikit-learn's compiled builder without what its estimator does again for each tree.

``ExtraTreesClassifier`` looks at the labels, sorts them, checks the weights and makes an estimator for every single tree: a
seventh of the time of 150 trees on a few thousand rows. Here that is done once. The trees are the same, node by node and to the
last bit (the tests compare them), because builder, splitter and seeds are scikit-learn's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree._criterion import Gini
from sklearn.tree._splitter import RandomSplitter
from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

from relhash.errors import ParameterError
from relhash.learn.forest import Trees
from relhash.processes import n_processes

_LARGEST = np.iinfo(np.int32).max


def grow_random_cuts(
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
    """What ``Trees.from_sklearn(ExtraTreesClassifier(…).fit(X, labels))`` is for a dense, finite table.

    Parameters
    ----------
    X, labels
        The rows (column by column in memory is fastest) and their classes, 0 and 1, both there.
    n_trees, min_samples_leaf, max_features
        As in scikit-learn.
    balanced
        Weigh classes inversely to their frequency.
    random_state, n_jobs
        Seed; threads, which change nothing.
    """
    X = np.asarray(X, np.float32)
    if not np.isfinite(X).all():
        raise ParameterError("forest: features must be finite")
    n_tried = _n_tried(max_features, X.shape[1])
    weights = (labels.size / (2 * np.bincount(labels)))[labels] if balanced else None
    y = np.ascontiguousarray(labels[:, None], np.float64)
    n_classes = np.array([2], np.intp)
    draw = np.random.RandomState(random_state)  # as scikit-learn draws the seeds of its trees
    seeds = [draw.randint(_LARGEST) for _ in range(n_trees)]

    def grown(own: Sequence[int]) -> list[Any]:
        trees = []
        state = np.random.RandomState(0)
        for seed in own:
            state.seed(seed)
            splitter = RandomSplitter(Gini(1, n_classes), n_tried, min_samples_leaf, 0.0, state, None)
            tree = Tree(X.shape[1], n_classes, 1)
            builder = DepthFirstTreeBuilder(splitter, max(2, 2 * min_samples_leaf), min_samples_leaf, 0.0, _LARGEST, 0.0)
            builder.build(tree, X, y, weights)
            trees.append(tree)
        return trees

    n_threads = min(n_processes(n_jobs), n_trees)
    if n_threads == 1:
        trees = grown(seeds)
    else:
        turns = [seeds[thread::n_threads] for thread in range(n_threads)]
        with ThreadPoolExecutor(n_threads) as pool:
            by_turn = list(pool.map(grown, turns))
        trees = [by_turn[number % n_threads][number // n_threads] for number in range(n_trees)]
    return Trees.of_classes(trees, X.shape[1])


def _n_tried(max_features: str | float, n_features: int) -> int:
    """Of how many columns a node tries a cut."""
    if isinstance(max_features, int):
        return max_features
    if isinstance(max_features, float):
        return max(1, int(max_features * n_features))
    roots = {"sqrt": np.sqrt, "log2": np.log2}
    if max_features not in roots:
        raise ParameterError(f"forest: max_features is a number, 'sqrt' or 'log2', not {max_features!r}")
    return max(1, int(roots[max_features](n_features)))
