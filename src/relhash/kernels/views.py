"""Several views of the same candidates compared at once: the weighted mean or the product of their normalised kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ParameterError
from relhash.kernels.bound import BoundKernel
from relhash.structures import PathSet, StructureSet

Combination = Literal["sum", "product"]


def views_of(X: StructureSet, views: Any) -> tuple[list[str], NDArray[np.float64]]:
    """Names of the views to use and their weights, which add up to 1.

    >>> X = StructureSet({"path": PathSet.from_sequences([["a"]]), "between": PathSet.from_sequences([["b"]])})
    >>> views_of(X, {"path": 3.0, "between": 1.0})
    (['path', 'between'], array([0.75, 0.25]))
    """
    sequences = [name for name in X.names if isinstance(X[name], PathSet)]
    if views is None:
        if len(sequences) != 1:
            raise ParameterError(f"name the views to compare: there are {', '.join(sequences) or 'none made of sequences'}")
        views = sequences
    weights = dict(views) if isinstance(views, Mapping) else dict.fromkeys([views] if isinstance(views, str) else views, 1.0)
    unknown = [name for name in weights if name not in sequences]
    if unknown or not weights:
        raise ParameterError(f"views {unknown or 'to compare'}: choose from {', '.join(sequences)}")
    values = np.array(list(weights.values()), np.float64)
    if not (np.isfinite(values).all() and (values >= 0).all() and values.any()):
        raise ParameterError(f"weights of views must be numbers, none negative and not all zero: {weights}")
    return list(weights), values / values.sum()


class BoundViews(BoundKernel):
    """Candidates that are distinct in at least one of several views."""

    def __init__(self, bound: Mapping[str, Any], weights: NDArray[np.float64], combine: Combination) -> None:
        if combine not in ("sum", "product"):
            raise ParameterError(f"combine must be 'sum' or 'product', not {combine!r}")
        self._bound = dict(bound)
        self._weights = weights
        self._combine = combine
        rows = np.stack([view.rows for view in self._bound.values()], axis=1)
        self._combinations, inverse = np.unique(rows, axis=0, return_inverse=True)
        self.rows: NDArray[np.int32] = inverse.reshape(-1).astype(np.int32)

    @property
    def n_unique(self) -> int:
        return len(self._combinations)

    def unique(self, ids: ArrayLike) -> StructureSet:
        chosen = self._combinations[np.asarray(ids, np.int64)]
        return StructureSet({name: view.unique(chosen[:, n]) for n, (name, view) in enumerate(self._bound.items())})

    def similarities(self, references: StructureSet) -> NDArray[np.float32]:
        return self._combined([view.similarities(references[name]) for name, view in self._bound.items()]).astype(np.float32)

    @property
    def self_similarities(self) -> NDArray[np.float32]:
        """Similarity of each distinct candidate to itself: 1 unless a view is empty."""
        of_views = [view.self_similarities[:, None] for view in self._bound.values()]
        return self._combined(of_views)[:, 0].astype(np.float32)

    def _combined(self, of_views: list[NDArray[np.float32]]) -> NDArray[np.float64]:
        """Combine one array per view, each with one row per distinct sequence of that view."""
        is_sum = self._combine == "sum"
        total = np.full((self.n_unique, of_views[0].shape[1]), 0.0 if is_sum else 1.0)
        for number, (weight, values) in enumerate(zip(self._weights, of_views, strict=True)):
            rows = values[self._combinations[:, number]].astype(np.float64)
            if is_sum:
                total += weight * rows
            else:
                total *= rows**weight
        return total
