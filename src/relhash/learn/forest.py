"""Trees: random forests (the paper's classifier on bits, ours on coordinates and descriptors) and boosted trees.

scikit-learn grows the trees; from then on they are five arrays over all nodes of all trees, which a model file can hold
without pickle, walked by compiled code. The walk of a forest gives scikit-learn's ``predict_proba`` (to 1e-12: the same
thresholds, the same values, averaged in the same order).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, special

from relhash.codec import FLAT, InArrays
from relhash.compilation import compiled
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.classifier import CLASSIFIERS, Classifier, FittedClassifier, Fitting, both_classes

LEAF = -1
SIDE_BY_SIDE = 8
"""Rows that walk in step: the processor waits for the memory of all of them at once."""
ROWS_IN_CACHE = 64
"""Rows that go through a tree before the next tree is read."""


@dataclass(frozen=True, eq=False)
class Trees(InArrays):
    """Trees over numbered features; node ``roots[t]`` is the root of tree ``t``, whose nodes end at ``roots[t + 1]``.

    Attributes
    ----------
    feature
        Feature that a node asks for; -1 in a leaf.
    threshold
        A row goes left if its feature is at most this (0.5 throughout for binary features).
    left, right
        Children of a node, by number over all trees; -1 in a leaf. Children stand after their parent, so no walk can circle.
    value
        Share of the positive class among the training weight of a node; the leaf's one is the tree's vote.
    roots
        First node of each tree, and the number of nodes at the end.
    n_features
        Number of columns a row must have.
    """

    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float64]
    roots: NDArray[np.int32]
    n_features: int

    @property
    def n_trees(self) -> int:
        return self.roots.size - 1

    @classmethod
    def from_sklearn(cls, model: Any) -> Trees:
        """Take the trees out of a fitted binary ``RandomForestClassifier`` (or ``ExtraTreesClassifier``)."""
        if list(model.classes_) != [0, 1]:  # False and True are equal to these
            raise ParameterError(f"forest: classes 0 and 1 are expected, not {list(model.classes_)}")
        trees = [estimator.tree_ for estimator in model.estimators_]
        shares = [tree.value[:, 0, 1] / tree.value[:, 0, :].sum(axis=1) for tree in trees]
        return cls.of(trees, np.concatenate(shares), int(model.n_features_in_))

    @classmethod
    def of(cls, trees: Sequence[Any], value: NDArray[np.float64], n_features: int) -> Trees:
        """Trees as scikit-learn grows them (``estimator.tree_``), with the ``value`` of each of their nodes."""
        roots = np.cumsum([0] + [tree.node_count for tree in trees])

        def children(side: str) -> NDArray[np.int32]:
            parts = [getattr(tree, f"children_{side}") for tree in trees]
            return np.concatenate([np.where(p < 0, LEAF, p + root) for p, root in zip(parts, roots)]).astype(np.int32)

        left = children("left")
        feature = np.concatenate([tree.feature for tree in trees])
        threshold = np.concatenate([tree.threshold for tree in trees])
        return cls(
            feature=np.where(left == LEAF, LEAF, feature).astype(np.int32),
            threshold=np.where(left == LEAF, 0.0, threshold),
            left=left,
            right=children("right"),
            value=value,
            roots=roots.astype(np.int32),
            n_features=n_features,
        )

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Mean vote of the trees for each row of ``X`` (dense or sparse, any number type).

        >>> from sklearn.ensemble import RandomForestClassifier
        >>> X, y = np.array([[0, 1], [1, 1], [0, 0]]), [0, 1, 0]
        >>> model = RandomForestClassifier(5, random_state=0).fit(X, y)
        >>> bool(np.allclose(Trees.from_sklearn(model).scores(X), model.predict_proba(X)[:, 1], atol=1e-12))
        True
        """
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ParameterError(f"forest: rows of {self.n_features} features are expected, not an array of shape {X.shape}")
        scores = np.empty(X.shape[0])
        block = max(1, 32_000_000 // max(1, self.n_features))  # rows of a dense block: at most 128 MB
        for start in range(0, X.shape[0], block):
            rows = X[start : start + block]
            dense = rows.toarray() if hasattr(rows, "toarray") else rows
            # scikit-learn compares float32 features with float64 thresholds: so do we, or a value between the two goes astray
            values = np.ascontiguousarray(dense, dtype=np.float32)
            if not np.isfinite(values).all():
                raise ParameterError("forest: features must be finite")
            _walk(values, self._nodes, self._nodes.view(np.int32), self.value, self.roots, scores[start : start + block])
        return scores

    @cached_property
    def _nodes(self) -> NDArray[np.float32]:
        """Threshold, feature, left and right child of each node side by side, in one line of the processor's cache.

        The last three are integers (``view(np.int32)``). A leaf leads to itself, so that rows walk on side by side until all
        have arrived. The threshold is the largest float32 that is no larger: for features in float32 it decides the same.
        """
        leaf = self.left == LEAF
        itself = np.arange(self.left.size, dtype=np.int32)
        nodes = np.empty((self.left.size, 4), np.float32)
        with np.errstate(over="ignore"):
            rounded = self.threshold.astype(np.float32)
        too_large = rounded.astype(np.float64) > self.threshold
        nodes[:, 0] = np.where(leaf, np.inf, np.where(too_large, np.nextafter(rounded, np.float32(-np.inf)), rounded))
        integers = nodes.view(np.int32)
        integers[:, 1] = np.where(leaf, 0, self.feature)
        integers[:, 2], integers[:, 3] = np.where(leaf, itself, self.left), np.where(leaf, itself, self.right)
        return nodes

    def verify(self) -> None:
        """Refuse arrays that would send a walk outside of them."""
        n = self.feature.size
        parts = (self.feature, self.threshold, self.left, self.right, self.value)
        if any(part.shape != (n,) for part in parts):
            raise ModelFileError("forest: its arrays differ in length")
        if self.roots.size < 2 or self.roots[0] != 0 or self.roots[-1] != n or np.any(np.diff(self.roots) < 1):
            raise ModelFileError("forest: the beginnings of the trees are not in order")
        nodes = np.arange(n)
        end = np.repeat(self.roots[1:], np.diff(self.roots))
        leaf = self.left == LEAF
        if np.any(leaf != (self.right == LEAF)) or np.any(leaf != (self.feature == LEAF)):
            raise ModelFileError("forest: a node is neither a leaf nor a split")
        inner = ~leaf
        for child in (self.left, self.right):
            if np.any((child <= nodes)[inner]) or np.any((child >= end)[inner]):
                raise ModelFileError("forest: a child lies outside of its tree")
        if np.any((self.feature < 0)[inner]) or np.any((self.feature >= self.n_features)[inner]):
            raise ModelFileError("forest: a node asks for a feature that does not exist")
        if not np.isfinite(self.threshold).all() or not ((self.value >= 0) & (self.value <= 1)).all():
            raise ModelFileError("forest: a threshold or a vote is not a proper number")


def _walk_in_numpy(X, thresholds, nodes, value, roots, scores):  # type: ignore[no-untyped-def]
    """All rows through all trees at once."""
    at = np.repeat(roots[:-1, None].astype(np.int64), len(X), axis=1)
    rows = np.arange(len(X))
    while True:
        side = np.where(X[rows, nodes[at, 1]] <= thresholds[at, 0], 2, 3)
        child = nodes[at, side]
        if (child == at).all():
            break
        at = child
    scores[:] = np.cumsum(value[at], axis=0)[-1] / len(at)  # tree after tree


@compiled(seconds=lambda X, thresholds, nodes, value, roots, scores: 1e-3 + 1e-6 * len(X) * roots.size, plain=_walk_in_numpy)
def _walk(X, thresholds, nodes, value, roots, scores):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Mean vote for each row: some rows at a time through tree after tree, in step, each waiting in its leaf for the others."""
    n_rows, n_trees = X.shape[0], roots.size - 1
    at = np.empty(SIDE_BY_SIDE, np.int64)
    for start in range(0, n_rows, ROWS_IN_CACHE):
        stop = min(n_rows, start + ROWS_IN_CACHE)
        for row in range(start, stop):
            scores[row] = 0.0
        for tree in range(n_trees):
            for first in range(start, stop, SIDE_BY_SIDE):
                n_here = min(SIDE_BY_SIDE, stop - first)
                for lane in range(n_here):
                    at[lane] = roots[tree]
                moving = True
                while moving:
                    moving = False
                    for lane in range(n_here):
                        node = at[lane]
                        side = 2 if X[first + lane, nodes[node, 1]] <= thresholds[node, 0] else 3
                        child = nodes[node, side]
                        moving |= child != node
                        at[lane] = child
                for lane in range(n_here):
                    scores[first + lane] += value[at[lane]]
        for row in range(start, stop):
            scores[row] /= n_trees


DENSE_ENOUGH = 200_000_000
"""Cells up to which a sparse table is made dense for a forest."""


@dataclass(frozen=True, eq=False)
class FittedForest(FittedClassifier):
    """The trees; a score is the mean of their votes."""

    trees: Trees = field(metadata=FLAT)

    def scores(self, X: Any) -> NDArray[np.float64]:
        return self.trees.scores(X)


@dataclass(frozen=True)
class ForestClassifier(Classifier):
    """Random forest on the features (the paper: 100 trees on 100 bits). It is the same for any number of jobs.

    Parameters
    ----------
    n_trees, min_samples_leaf, max_features
        As in scikit-learn.
    balanced
        Weigh classes inversely to their frequency: our choice for our own systems. The paper does not say whether its forest
        weighs them; presets named after its systems do not (``classifier=ForestClassifier(balanced=True)`` does). A threshold
        that takes a fraction of the target hardly notices, one at a fixed score does.
    random_cuts
        Extremely randomised trees: every tree sees all rows, and a node takes the best of random cuts instead of the best cut.
        On real-valued features they carry over better to other text.

    Examples
    --------
    >>> X, y = np.eye(4).repeat(5, axis=0), np.repeat([1, 0, 0, 1], 5)
    >>> ForestClassifier(20).fit(X, y, random_state=0).scores(np.eye(4)).round()
    array([1., 0., 0., 1.])
    """

    n_trees: int = 100
    min_samples_leaf: int = 1
    max_features: str | float = "sqrt"
    balanced: bool = False
    random_cuts: bool = False

    kind: ClassVar[str] = "forest"
    fitted = FittedForest

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedForest:
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

        labels = both_classes(y)
        table = self.prepared(X)
        if not np.isfinite(table.data if sparse.issparse(table) else table).all():
            raise ParameterError("forest: features must be finite")
        if not sparse.issparse(table):
            table = np.asfortranarray(table)  # a node looks at one column after the other
        model = (ExtraTreesClassifier if self.random_cuts else RandomForestClassifier)(
            self.n_trees,
            min_samples_leaf=self.min_samples_leaf,
            max_features=self.max_features,
            class_weight="balanced" if self.balanced else None,
            random_state=how.get("random_state", 0),
            n_jobs=how.get("n_jobs"),
        )
        return FittedForest(Trees.from_sklearn(model.fit(table, labels)))

    def prepared(self, X: Any) -> Any:
        """A sparse table that is not too large as a dense one of float32: several times faster to grow trees on."""
        if sparse.issparse(X) and X.shape[0] * X.shape[1] <= DENSE_ENOUGH:
            return X.astype(np.float32).toarray()
        return X


CLASSIFIERS.register(ForestClassifier.kind, ForestClassifier)


@dataclass(frozen=True, eq=False)
class FittedBoosted(FittedClassifier):
    """The trees, their leaves moved into the range from 0 to 1; ``lowest`` and ``width`` move the mean of a walk back."""

    trees: Trees = field(metadata=FLAT)
    lowest: float
    width: float

    def log_odds(self, X: Any) -> NDArray[np.float64]:
        return self.lowest + self.width * self.trees.scores(X)

    def scores(self, X: Any) -> NDArray[np.float64]:
        return np.asarray(special.expit(self.log_odds(X)))

    def verify(self) -> None:
        if not np.isfinite([self.lowest, self.width]).all() or self.width <= 0:
            raise ModelFileError("boosted: the range of the leaves is not a proper one")


@dataclass(frozen=True)
class BoostedClassifier(Classifier):
    """Gradient boosting of small trees on dense or sparse features.

    Parameters
    ----------
    n_trees, depth, rate
        How many trees, how deep, and how much each counts.
    rows, columns
        The share of rows that a tree sees, and of columns that a node chooses from.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((300, 4))
    >>> learned = BoostedClassifier(60, rate=0.2).fit(X, (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5), random_state=0)
    >>> learned.scores(np.array([[0.9, 0.1, 0, 0], [0.9, 0.9, 0, 0]])).round()
    array([1., 0.])
    """

    n_trees: int = 150
    depth: int = 4
    rate: float = 0.08
    rows: float = 0.3
    columns: float = 0.2

    kind: ClassVar[str] = "boosted"
    fitted = FittedBoosted

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedBoosted:
        from sklearn.ensemble import GradientBoostingClassifier

        labels = both_classes(y)
        model = GradientBoostingClassifier(
            n_estimators=self.n_trees,
            max_depth=self.depth,
            learning_rate=self.rate,
            subsample=self.rows,
            max_features=self.columns,
            min_samples_leaf=10,
            random_state=how.get("random_state", 0),
        )
        dense = X.toarray() if sparse.issparse(X) else np.asarray(X)
        model.fit(dense.astype(np.float32), labels)
        share = float(labels.mean())
        trees = [estimator.tree_ for estimator in model.estimators_[:, 0]]
        leaves = np.concatenate([tree.value[:, 0, 0] for tree in trees]) * self.rate
        lowest, highest = float(leaves.min()), float(leaves.max())
        width = highest - lowest or 1.0
        start = float(np.log(share / (1 - share)))
        return FittedBoosted(
            Trees.of(trees, (leaves - lowest) / width, dense.shape[1]),
            lowest=start + len(trees) * lowest,
            width=len(trees) * width,
        )


CLASSIFIERS.register(BoostedClassifier.kind, BoostedClassifier)
