"""Nearest neighbours among codes: the classifier of KLSH-kNN (Garg et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ModelFileError
from relhash.hashing.codes import pack
from relhash.hashing.hamming import hamming_distances
from relhash.learn.classifier import (
    CLASSIFIERS,
    Arrays,
    Classifier,
    FittedClassifier,
    Fitting,
    both_classes,
    check_width,
    stored,
)

Floats = NDArray[np.float64]

BLOCK = 256
"""Rows whose distances to all training codes are in memory at a time."""


@dataclass(frozen=True, eq=False)
class FittedNeighbours(FittedClassifier):
    """The distinct training codes: how often each occurs, and how often as a relation."""

    codes: NDArray[np.uint8]
    count: NDArray[np.int64]
    positive: NDArray[np.int64]
    k: int

    def scores(self, X: Any) -> Floats:
        codes = _binary(X)
        check_width(NeighbourClassifier.kind, codes, self.codes.shape[1])
        references = pack(self.codes)
        k = min(self.k, int(self.count.sum()))
        scores = np.empty(len(codes))
        for start in range(0, len(codes), BLOCK):
            for row, distance in enumerate(hamming_distances(pack(codes[start : start + BLOCK]), references), start):
                reached = np.cumsum(np.bincount(distance, self.count))
                near = distance <= np.searchsorted(reached, k)
                scores[row] = self.positive[near].sum() / self.count[near].sum()
        return scores

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "codes": np.packbits(self.codes, axis=1),
            "n_bits": np.array(self.codes.shape[1]),
            "count": self.count,
            "positive": self.positive,
            "k": np.array(self.k),
        }


@dataclass(frozen=True)
class NeighbourClassifier(Classifier):
    """Share of positives among the ``k`` nearest training codes by Hamming distance.

    All codes as near as the k-th are counted, so the result does not depend on the order of the training points.

    >>> X, y = np.array([[0, 0, 1], [0, 1, 1], [1, 1, 0]]), [0, 0, 1]
    >>> NeighbourClassifier(1).fit(X, y).scores(np.array([[1, 1, 1], [0, 0, 1]]))
    array([0.5, 0. ])
    """

    k: int = 7

    kind: ClassVar[str] = "neighbours"

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedNeighbours:
        labels = both_classes(y)
        # equal codes are one point with the weight of all of them: distances are computed once
        codes, place, count = np.unique(_binary(X), axis=0, return_inverse=True, return_counts=True)
        positive = np.bincount(place.ravel(), labels, len(codes)).astype(np.int64)
        return FittedNeighbours(codes, count, positive, self.k)

    @classmethod
    def read(cls, arrays: Arrays) -> FittedNeighbours:
        packed = stored(arrays, "codes", np.uint8, 2)
        n_bits, k = (int(stored(arrays, name, np.integer, 0)) for name in ("n_bits", "k"))
        count, positive = (stored(arrays, name, np.integer, 1) for name in ("count", "positive"))
        if not 0 < n_bits <= 8 * packed.shape[1] or any(len(packed) != column.size for column in (count, positive)):
            raise ModelFileError("neighbours: its arrays do not fit together")
        if k < 1 or count.min() < 1 or not ((positive >= 0) & (positive <= count)).all():
            raise ModelFileError("neighbours: a count is not possible")
        return FittedNeighbours(np.unpackbits(packed, axis=1, count=n_bits), count, positive, k)


def _binary(X: Any) -> NDArray[np.uint8]:
    dense = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    return np.ascontiguousarray(dense != 0, dtype=np.uint8)


CLASSIFIERS.register(NeighbourClassifier.kind, NeighbourClassifier)
