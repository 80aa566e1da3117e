"""Logistic regression, which has few ways to go wrong: the classifier of many sparse features and of few labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, special

from relhash.errors import ModelFileError
from relhash.learn.classifier import (
    CLASSIFIERS,
    Classifier,
    FittedClassifier,
    Fitting,
    both_classes,
    check_width,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FittedLinear(FittedClassifier):
    """One weight per feature, and an intercept."""

    weights: Floats
    intercept: float

    def log_odds(self, X: Any) -> Floats:
        rows = sparse.csr_matrix(X, dtype=np.float64)
        check_width(LinearClassifier.kind, rows, self.weights.size)
        # always the sparse product: it adds up one row at a time, where a dense one changes with the shape of the batch
        return np.asarray(rows @ self.weights + self.intercept)

    def scores(self, X: Any) -> Floats:
        """Probability of the positive class (of classes made equally frequent, when ``balanced``)."""
        return np.asarray(special.expit(self.log_odds(X)))

    def verify(self) -> None:
        if self.weights.ndim != 1 or not np.isfinite(self.weights).all() or not np.isfinite(self.intercept):
            raise ModelFileError("linear: a weight is not a number")


@dataclass(frozen=True)
class LinearClassifier(Classifier):
    """L2-regularised logistic regression on sparse or dense features.

    Parameters
    ----------
    C
        Inverse strength of the regularisation.
    balanced
        Weigh classes inversely to their frequency.

    Examples
    --------
    >>> X, y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]]), [0, 1, 1, 0]
    >>> LinearClassifier(C=10.0).fit(X, y).scores(X).round(1)
    array([0.2, 0.8, 0.8, 0.2])
    >>> str(LinearClassifier(C=0.1))
    'linear C=0.1'
    """

    C: float = 0.2
    balanced: bool = True

    kind: ClassVar[str] = "linear"
    fitted = FittedLinear

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedLinear:
        from sklearn.linear_model import LogisticRegression

        labels = both_classes(y)
        model = LogisticRegression(C=self.C, class_weight="balanced" if self.balanced else None, max_iter=500, tol=1e-4)
        rows = sparse.csr_matrix(X, dtype=np.float64)
        # a column that is zero in all rows gets weight zero: with few labels nearly all of them are, so leave them out
        used = np.unique(rows.indices)
        if not used.size:  # nothing tells the rows apart
            share = float(labels.mean())
            return FittedLinear(np.zeros(rows.shape[1]), 0.0 if self.balanced else float(np.log(share / (1 - share))))
        model.fit(rows[:, used], labels)
        weights: Floats = np.zeros(rows.shape[1])
        weights[used] = model.coef_[0]
        return FittedLinear(weights, float(model.intercept_[0]))


CLASSIFIERS.register(LinearClassifier.kind, LinearClassifier)
