"""A whole kernel of one's own: shared tokens of two sequences, out of all their tokens."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.candidates import PathSet
from relhash.kernels import BoundKernel, Kernel


class JaccardKernel(Kernel):
    """``(|s ∩ t| / |s ∪ t|) ** power`` of the sets of tokens; 0 if one of them is empty."""

    kind = "jaccard"

    def __init__(self, power: float = 1.0) -> None:
        self.power = power

    def bind(self, X: PathSet, *, n_jobs: int | None = None) -> BoundSets:
        return BoundSets(X, self.power)

    @property
    def notes(self) -> dict[str, Any]:
        return {"power": self.power}


class BoundSets(BoundKernel):
    def __init__(self, X: PathSet, power: float) -> None:
        compact = X.compact()
        self.rows: NDArray[np.int32] = compact.rows
        self._points = PathSet(compact.vocabulary, compact.tokens, compact.offsets, np.arange(compact.n_unique))
        self._sets = [frozenset(tokens) for tokens in self._points]
        self._power = power

    @property
    def n_unique(self) -> int:
        return len(self._points)

    def unique(self, ids: ArrayLike) -> PathSet:
        return self._points[np.asarray(ids, np.int64)]

    def similarities(self, references: PathSet) -> NDArray[np.float32]:
        others = [frozenset(tokens) for tokens in references]
        shares = [[len(own & other) / max(len(own | other), 1) for other in others] for own in self._sets]
        return (np.array(shares, np.float32) ** np.float32(self._power)).reshape(self.n_unique, len(others))
