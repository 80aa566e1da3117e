"""The contextual view as features: its principal components, as seen on the unlabelled text of both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.errors import ModelFileError, ParameterError
from relhash.structures.contextual import CONTEXTUAL
from relhash.structures.structure_set import StructureSet

__all__ = ["ContextualPart"]


class ContextualPart:
    """Principal components of the contextual vectors, scaled so that the first has unit spread.

    Parameters
    ----------
    n_components
        How many to keep (fewer when there are fewer candidates).
    """

    def __init__(self, n_components: int = 100) -> None:
        self.n_components = n_components

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self:
        table = _vectors(X) if target is None else np.concatenate([_vectors(X), _vectors(target)])
        self.mean_: NDArray[np.float64] = table.mean(axis=0)
        centred = table - self.mean_
        # from the small covariance rather than the long table: exact, and the same for any number of threads up to rounding
        spreads, directions = np.linalg.eigh(centred.T @ centred / max(len(table), 1))
        kept = min(self.n_components, len(table), directions.shape[1])
        order = np.argsort(spreads)[::-1][:kept]
        self.directions_: NDArray[np.float64] = np.ascontiguousarray(directions[:, order]) / max(np.sqrt(spreads.max()), 1e-12)
        return self

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        table = _vectors(X)
        if table.shape[1] != self.mean_.size:
            raise ParameterError(f"contextual: vectors of {self.mean_.size} numbers are expected, not {table.shape[1]}")
        # one row at a time: the digits of a product of matrices change with the number of rows
        rows = [(row - self.mean_) @ self.directions_ for row in table]
        return sparse.csr_matrix(np.array(rows).reshape(len(table), self.directions_.shape[1]))

    def names(self) -> list[str]:
        return [f"component {number}" for number in range(self.directions_.shape[1])]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"mean": self.mean_, "directions": self.directions_}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        try:
            mean, directions = np.asarray(arrays["mean"], np.float64), np.asarray(arrays["directions"], np.float64)
        except (KeyError, ValueError) as error:
            raise ModelFileError(f"contextual: arrays are missing or of the wrong kind ({error})") from error
        if mean.ndim != 1 or directions.ndim != 2 or len(directions) != mean.size or not np.isfinite(directions).all():
            raise ModelFileError("contextual: its arrays do not fit together")
        part = cls(directions.shape[1])
        part.mean_, part.directions_ = mean, directions
        return part


def _vectors(X: StructureSet) -> NDArray[np.float64]:
    table = X[CONTEXTUAL]
    if not isinstance(table, np.ndarray):
        raise ParameterError(f"contextual: view {CONTEXTUAL!r} must be a table")
    return table.astype(np.float64)
