"""Random forests: the paper's classifier on bits, and ours on coordinates and descriptors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.learning.classifier import CLASSIFIERS, Arrays, Classifier, FittedClassifier, Fitting, both_classes
from relhash.learning.trees import Trees

DENSE_ENOUGH = 200_000_000
"""Cells up to which a sparse table is made dense for a forest."""


@dataclass(frozen=True, eq=False)
class FittedForest(FittedClassifier):
    """The trees; a score is the mean of their votes."""

    trees: Trees

    def scores(self, X: Any) -> NDArray[np.float64]:
        return self.trees.scores(X)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return self.trees.to_arrays()


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

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedForest:
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

        from relhash.learning.random_cuts import grow_random_cuts

        labels = both_classes(y)
        table = self.prepared(X)
        if not sparse.issparse(table):
            table = np.asfortranarray(table)  # a node looks at one column after the other
            if self.random_cuts:
                return FittedForest(
                    grow_random_cuts(
                        table,
                        labels,
                        n_trees=self.n_trees,
                        min_samples_leaf=self.min_samples_leaf,
                        max_features=self.max_features,
                        balanced=self.balanced,
                        random_state=how.get("random_state", 0),
                        n_jobs=how.get("n_jobs"),
                    )
                )
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

    @classmethod
    def read(cls, arrays: Arrays) -> FittedForest:
        return FittedForest(Trees.from_arrays(arrays))


CLASSIFIERS.register(ForestClassifier.kind, ForestClassifier)
