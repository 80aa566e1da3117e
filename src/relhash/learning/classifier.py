"""Classifiers over features of candidates, behind one small interface, each made of plain arrays once fitted.

``fit(X, y, sample_weight)``, ``scores(X)`` in [0, 1], ``to_arrays()`` / ``from_arrays()``: the extractor, the model file and
the benchmarks know nothing else. A row's score never depends on the other rows, bit for bit: sums run over one row at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, special

from relhash.errors import ModelFileError, ParameterError
from relhash.learning.trees import Forest

__all__ = ["CLASSIFIERS", "Classifier", "ForestClassifier", "HammingNeighbours", "LinearClassifier", "classifier_from_arrays"]

Floats = NDArray[np.float64]

DENSE_ENOUGH = 200_000_000
"""Cells up to which a sparse table is made dense for a forest."""


class Classifier(Protocol):
    """What every classifier here can do."""

    kind: ClassVar[str]

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self: ...

    def scores(self, X: Any) -> Floats: ...

    def to_arrays(self) -> dict[str, NDArray[Any]]: ...

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self: ...


class ForestClassifier:
    """Random forest on the features (the paper: 100 trees on 100 bits).

    Parameters
    ----------
    n_trees, min_samples_leaf, max_features
        As in scikit-learn.
    balanced
        Weigh classes inversely to their frequency. The paper does not.
    random_cuts
        Extremely randomised trees: every tree sees all rows, and a node takes the best of random cuts instead of the best cut.
        On real-valued features they carry over better to other text.
    random_state, n_jobs
        As in scikit-learn; the forest is the same for any number of jobs.
    """

    kind: ClassVar[str] = "forest"

    def __init__(
        self,
        n_trees: int = 100,
        *,
        min_samples_leaf: int = 1,
        max_features: str | float = "sqrt",
        balanced: bool = False,
        random_cuts: bool = False,
        random_state: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.balanced = balanced
        self.random_cuts = random_cuts
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

        labels = both_classes(y)
        model = (ExtraTreesClassifier if self.random_cuts else RandomForestClassifier)(
            self.n_trees,
            min_samples_leaf=self.min_samples_leaf,
            max_features=self.max_features,
            class_weight="balanced" if self.balanced else None,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        if sparse.issparse(X) and X.shape[0] * X.shape[1] <= DENSE_ENOUGH:
            X = X.toarray().astype(np.float32)  # several times faster to grow trees on
        self.forest_ = Forest.from_sklearn(model.fit(X, labels, sample_weight))
        return self

    def scores(self, X: Any) -> Floats:
        """Mean vote of the trees."""
        return self.forest_.scores(X)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return self.forest_.to_arrays()

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        forest = Forest.from_arrays(arrays)
        classifier = cls(forest.n_trees)
        classifier.forest_ = forest
        return classifier


class LinearClassifier:
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
    """

    kind: ClassVar[str] = "linear"

    def __init__(self, C: float = 0.2, *, balanced: bool = True) -> None:
        self.C = C
        self.balanced = balanced

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        from sklearn.linear_model import LogisticRegression

        labels = both_classes(y)
        model = LogisticRegression(C=self.C, class_weight="balanced" if self.balanced else None, max_iter=500, tol=1e-4)
        rows = sparse.csr_matrix(X, dtype=np.float64)
        # a column that is zero in all rows gets weight zero: with few labels nearly all of them are, so leave them out
        used = np.unique(rows.indices)
        model.fit(rows[:, used], labels, sample_weight)
        self.weights_: Floats = np.zeros(rows.shape[1])
        self.weights_[used] = model.coef_[0]
        self.intercept_ = float(model.intercept_[0])
        return self

    def decision(self, X: Any) -> Floats:
        """Log-odds of each row."""
        rows = sparse.csr_matrix(X, dtype=np.float64)
        if rows.shape[1] != self.weights_.size:
            raise ParameterError(f"linear: rows of {self.weights_.size} features are expected, not {rows.shape[1]}")
        # always the sparse product: it adds up one row at a time, where a dense one changes with the shape of the batch
        return rows @ self.weights_ + self.intercept_

    def scores(self, X: Any) -> Floats:
        """Probability of the positive class (of classes made equally frequent, when ``balanced``)."""
        return special.expit(self.decision(X))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"weights": self.weights_, "intercept": np.array(self.intercept_)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        weights = _stored(arrays, "weights", np.floating, 1)
        intercept = _stored(arrays, "intercept", np.floating, 0)
        if not np.isfinite(weights).all() or not np.isfinite(intercept):
            raise ModelFileError("linear: a weight is not a number")
        classifier = cls()
        classifier.weights_, classifier.intercept_ = np.ascontiguousarray(weights, np.float64), float(intercept)
        return classifier


class HammingNeighbours:
    """Share of positives among the nearest training codes by Hamming distance (KLSH-kNN).

    All codes as near as the k-th are counted, so the result does not depend on the order of the training points.

    >>> X, y = np.array([[0, 0, 1], [0, 1, 1], [1, 1, 0]]), [0, 0, 1]
    >>> HammingNeighbours(1).fit(X, y).scores(np.array([[1, 1, 1], [0, 0, 1]]))
    array([0.5, 0. ])
    """

    kind: ClassVar[str] = "neighbours"

    def __init__(self, k: int = 7) -> None:
        self.k = k

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        labels = both_classes(y)
        weights = np.ones(labels.size) if sample_weight is None else np.asarray(sample_weight, np.float64)
        codes = _binary(X)
        # equal codes are one point with the weight of all of them: distances are computed once
        self.codes_, place, self.multiplicity_ = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
        size = len(self.codes_)
        self.positive_: Floats = np.bincount(place.ravel(), weights * labels, size).astype(np.float64)
        self.total_: Floats = np.bincount(place.ravel(), weights, size).astype(np.float64)
        return self

    def scores(self, X: Any) -> Floats:
        codes = _binary(X)
        if codes.shape[1] != self.codes_.shape[1]:
            raise ParameterError(f"neighbours: codes of {self.codes_.shape[1]} bits are expected, not {codes.shape[1]}")
        references = self.codes_.astype(np.float32)
        ones = references.sum(axis=1)
        k = min(self.k, int(self.multiplicity_.sum()))
        scores = np.empty(len(codes))
        for start in range(0, len(codes), 1024):
            block = codes[start : start + 1024].astype(np.float32)
            # sums of zeros and ones below 2^24 are exact in float32: no dependence on the shape of the product
            distances = block.sum(axis=1)[:, None] + ones - 2 * (block @ references.T)
            for row, distance in enumerate(distances.astype(np.int64), start):
                count = np.cumsum(np.bincount(distance, self.multiplicity_))
                near = distance <= np.searchsorted(count, k)
                scores[row] = self.positive_[near].sum() / self.total_[near].sum()
        return scores

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "codes": np.packbits(self.codes_, axis=1),
            "n_bits": np.array(self.codes_.shape[1]),
            "multiplicity": self.multiplicity_,
            "positive": self.positive_,
            "total": self.total_,
            "k": np.array(self.k),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        packed = _stored(arrays, "codes", np.uint8, 2)
        n_bits = int(_stored(arrays, "n_bits", np.integer, 0))
        classifier = cls(int(_stored(arrays, "k", np.integer, 0)))
        classifier.multiplicity_ = _stored(arrays, "multiplicity", np.integer, 1)
        classifier.positive_ = _stored(arrays, "positive", np.floating, 1)
        classifier.total_ = _stored(arrays, "total", np.floating, 1)
        columns = (classifier.multiplicity_, classifier.positive_, classifier.total_)
        if not 0 < n_bits <= 8 * packed.shape[1] or any(len(packed) != column.size for column in columns):
            raise ModelFileError("neighbours: its arrays do not fit together")
        if classifier.k < 1 or classifier.multiplicity_.min() < 1 or not (classifier.total_ > 0).all():
            raise ModelFileError("neighbours: a count is not positive")
        classifier.codes_ = np.unpackbits(packed, axis=1, count=n_bits)
        return classifier


CLASSIFIERS: dict[str, type[Any]] = {kind.kind: kind for kind in (ForestClassifier, LinearClassifier, HammingNeighbours)}
"""Classifiers by name; a committee of them registers itself (:mod:`relhash.learning.committee`)."""


def classifier_from_arrays(kind: str, arrays: Mapping[str, NDArray[Any]]) -> Classifier:
    """A stored classifier by its name."""
    if kind not in CLASSIFIERS:
        raise ModelFileError(f"unknown classifier {kind!r}; this version knows {', '.join(CLASSIFIERS)}")
    classifier: Classifier = CLASSIFIERS[kind].from_arrays(arrays)
    return classifier


def both_classes(y: ArrayLike) -> NDArray[np.int8]:
    """Labels as 0 and 1, both of them present."""
    labels = np.asarray(y).astype(bool).astype(np.int8)
    positive = int(labels.sum())
    if not 0 < positive < labels.size:
        kind = "positive" if positive else "negative"
        raise ParameterError(f"all {labels.size} labelled candidates are {kind}: a classifier needs examples of both")
    return labels


def _binary(X: Any) -> NDArray[np.uint8]:
    dense = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    return np.ascontiguousarray(dense != 0, dtype=np.uint8)


def _stored(arrays: Mapping[str, NDArray[Any]], name: str, dtype: type, n_dimensions: int) -> NDArray[Any]:
    if name not in arrays:
        raise ModelFileError(f"stored classifier lacks {name}")
    array = np.asarray(arrays[name])
    if array.ndim != n_dimensions or not np.issubdtype(array.dtype, dtype):
        raise ModelFileError(f"stored classifier: {name} is of the wrong kind ({array.dtype}, {array.ndim} dimensions)")
    return array
