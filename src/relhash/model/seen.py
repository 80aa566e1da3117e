"""The codes of the text that a model learned from: numbers, no words, so that a model file may be given away.

They tell which training candidates are like a new one, whether these were relations, and whether the training text has such
sentences at all. To see their sentences one needs the corpus itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from relhash.codec import InArrays
from relhash.errors import ModelFileError
from relhash.hashing.hamming import hamming_distances

MOST = 20_000
"""Candidates that are kept: more make a large file and tell nothing new."""
OFTEN = 5
"""Training candidates as near as is usual among them from which a kind of sentence counts as often seen."""
LOOKED_AT = 500
UNLABELLED = -1


@dataclass(frozen=True, eq=False)
class Seen(InArrays):
    """Packed codes of candidates and their labels: 1 a relation, 0 none, -1 not labelled.

    >>> seen = Seen(np.array([[0]] * 6 + [[7]] * 2, np.uint64), np.array([1, 1, 0, 1, 0, 0, 0, 0], np.int8))
    >>> seen.how_often(np.array([[0], [7], [1]], np.uint64)).tolist()
    ['often', 'rarely', 'never']
    """

    codes: NDArray[np.uint64]
    labels: NDArray[np.int8]

    @classmethod
    def of(cls, codes: NDArray[np.uint64], labels: NDArray[np.int8]) -> Seen:
        """At most :data:`MOST` of them, from all over the text."""
        step = max(1, -(-len(codes) // MOST))
        return cls(np.ascontiguousarray(codes[::step]), np.ascontiguousarray(labels[::step]))

    @cached_property
    def usual_distance(self) -> int:
        """The distance within which most of these candidates have some others."""
        sample = np.arange(0, len(self.codes), max(1, len(self.codes) // LOOKED_AT))
        distances = np.sort(hamming_distances(self.codes[sample], self.codes), axis=1)
        return int(np.median(distances[:, min(OFTEN, distances.shape[1] - 1)]))

    def counts(self, codes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """How many of these candidates are as near to each code as is usual among them."""
        return np.asarray((hamming_distances(codes, self.codes) <= self.usual_distance).sum(axis=1))

    def how_often(self, codes: NDArray[np.uint64]) -> NDArray[np.str_]:
        """``"often"``, ``"rarely"`` or ``"never"`` for each code."""
        found = self.counts(codes)
        return np.where(found >= OFTEN, "often", np.where(found > 0, "rarely", "never"))

    def verify(self) -> None:
        if self.codes.ndim != 2 or self.labels.shape != (len(self.codes),):
            raise ModelFileError("seen codes: their arrays do not fit together")
        if not len(self.codes) or not np.isin(self.labels, (UNLABELLED, 0, 1)).all():
            raise ModelFileError("seen codes: a label makes no sense")
