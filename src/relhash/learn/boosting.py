"""Boosted trees: small trees, each of which corrects the ones before it. The classifier of a few dozen telling numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, special

from relhash.codec import FLAT
from relhash.errors import ModelFileError
from relhash.learn.classifier import CLASSIFIERS, Classifier, FittedClassifier, Fitting, both_classes
from relhash.learn.forest import Trees


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
