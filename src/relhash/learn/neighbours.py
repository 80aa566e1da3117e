"""Nearest neighbours: the classifier of KLSH-kNN (Garg et al. 2018).

The code finds, by Hamming distance, the training candidates that may be near; the kernel says which of them are. Its
similarities come from the part ``coordinates``: the candidates in the space that the references of the hash functions span, in
which the distance is that of the kernel. Without that part the Hamming distance alone decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ModelFileError
from relhash.hashing.hamming import hamming_distances, pack
from relhash.learn.classifier import (
    CLASSIFIERS,
    Classifier,
    FittedClassifier,
    Fitting,
    both_classes,
    check_width,
)

Floats = NDArray[np.float64]

BLOCK = 256
"""Rows whose distances to all training codes are in memory at a time."""
PLACES = "coordinates"


@dataclass(frozen=True, eq=False)
class FittedNeighbours(FittedClassifier):
    """The distinct training candidates: code (eight bits in a number), place in kernel space, how often each occurs, and how
    often as a relation.

    ``columns`` says where the places begin and end among the features; they may have none.
    """

    codes: NDArray[np.uint8]
    n_bits: int
    places: NDArray[np.float32]
    columns: NDArray[np.int64]
    count: NDArray[np.int64]
    positive: NDArray[np.int64]
    k: int
    shortlist: int

    def scores(self, X: Any) -> Floats:
        check_width(NeighbourClassifier.kind, X, self.n_bits + self.places.shape[1])
        codes, places = _split(X, self.columns)
        references = pack(np.unpackbits(self.codes, axis=1, count=self.n_bits))
        k, listed = (min(most, int(self.count.sum())) for most in (self.k, self.shortlist))
        scores = np.empty(len(codes))
        for start in range(0, len(codes), BLOCK):
            for row, distance in enumerate(hamming_distances(pack(codes[start : start + BLOCK]), references), start):
                near = self._nearest(distance, np.arange(self.count.size), listed if places.size else k)
                if places.size:
                    # rounded: equal candidates must stay equal whatever order they are added up in
                    far = np.round(((self.places[near] - places[row]) ** 2).sum(axis=1), 6)
                    near = self._nearest(np.unique(far, return_inverse=True)[1], near, k)
                scores[row] = self.positive[near].sum() / self.count[near].sum()
        return scores

    def _nearest(self, distance: NDArray[Any], rows: NDArray[np.int64], k: int) -> NDArray[np.int64]:
        """Of ``rows`` those as near as the ``k``-th training candidate, by whole-numbered distances."""
        reached = np.cumsum(np.bincount(distance, self.count[rows]))
        return rows[distance <= np.searchsorted(reached, k)]

    def verify(self) -> None:
        packed, places, columns, count, positive = self.codes, self.places, self.columns, self.count, self.positive
        if [one.ndim for one in (packed, places, columns, count, positive)] != [2, 2, 1, 1, 1]:
            raise ModelFileError("neighbours: its arrays are of the wrong kind")
        if not 0 < self.n_bits <= 8 * packed.shape[1] or any(len(packed) != len(one) for one in (count, positive, places)):
            raise ModelFileError("neighbours: its arrays do not fit together")
        if columns.size != 2 or columns[0] < 0 or columns[1] - columns[0] != places.shape[1] or not np.isfinite(places).all():
            raise ModelFileError("neighbours: the places in kernel space do not fit the columns")
        if min(self.k, self.shortlist, count.min()) < 1 or not ((positive >= 0) & (positive <= count)).all():
            raise ModelFileError("neighbours: a count is not possible")


@dataclass(frozen=True)
class NeighbourClassifier(Classifier):
    """Share of positives among the ``k`` candidates nearest by the kernel, of the ``shortlist`` with the nearest codes.

    All that are as near as the k-th are counted, so the result does not depend on the order of the training points. Without the
    part ``coordinates`` codes alone decide, and ``shortlist`` is not used.

    >>> X, y = np.array([[0, 0, 1], [0, 1, 1], [1, 1, 0]]), [0, 0, 1]
    >>> NeighbourClassifier(1).fit(X, y).scores(np.array([[1, 1, 1], [0, 0, 1]]))
    array([0.5, 0. ])
    """

    k: int = 7
    shortlist: int = 300

    kind: ClassVar[str] = "neighbours"
    fitted = FittedNeighbours

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedNeighbours:
        labels = both_classes(y)
        own = how.get("columns", {}).get(PLACES, slice(0, 0))
        columns = np.array([own.start, own.stop], np.int64)
        codes, places = _split(X, columns)
        # equal candidates are one point with the weight of all of them: distances are computed once
        _, first, place, count = np.unique(
            np.hstack([codes, places]), axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        positive = np.bincount(place.ravel(), labels, len(first)).astype(np.int64)
        packed = np.packbits(codes[first], axis=1)
        return FittedNeighbours(packed, codes.shape[1], places[first], columns, count, positive, self.k, self.shortlist)


def _split(X: Any, columns: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The bits, and the places in kernel space."""
    dense = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    bits = np.delete(dense, slice(*columns), axis=1) != 0
    return np.ascontiguousarray(bits, np.uint8), np.ascontiguousarray(dense[:, slice(*columns)], np.float32)


CLASSIFIERS.register(NeighbourClassifier.kind, NeighbourClassifier)
