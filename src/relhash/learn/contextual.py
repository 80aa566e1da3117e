"""The contextual view as features: its principal components, as seen on the unlabelled text of both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.blas import one_blas_thread
from relhash.candidates.contextual import CONTEXTUAL
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.part import FEATURE_PARTS, Arrays, FeaturePart, Text

if TYPE_CHECKING:
    from relhash.learn.codes import Code


class ContextualPart(FeaturePart):
    """Principal components of the contextual vectors, scaled so that the first has unit spread.

    Parameters
    ----------
    n_components
        How many to keep (fewer when there are fewer candidates).
    """

    name: ClassVar[str] = CONTEXTUAL
    views = (CONTEXTUAL,)

    def __init__(self, n_components: int = 100) -> None:
        self.n_components = n_components

    def fit(self, text: Text, target: Text | None = None) -> ContextualPart:
        table = np.concatenate([_vectors(one) for one in (text, target) if one is not None])
        self.mean_: NDArray[np.float64] = table.mean(axis=0)
        centred = table - self.mean_
        with one_blas_thread():  # from the small covariance rather than the long table: exact, and the same for any machine
            spreads, directions = np.linalg.eigh(centred.T @ centred / max(len(table), 1))
        kept = min(self.n_components, len(table), directions.shape[1])
        order = np.argsort(spreads)[::-1][:kept]
        self.directions_: NDArray[np.float64] = np.ascontiguousarray(directions[:, order]) / max(np.sqrt(spreads.max()), 1e-12)
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        table = _vectors(text)
        if table.shape[1] != self.mean_.size:
            raise ParameterError(f"contextual: vectors of {self.mean_.size} numbers are expected, not {table.shape[1]}")
        # one row at a time: the digits of a product of matrices change with the number of rows
        rows = [(row - self.mean_) @ self.directions_ for row in table]
        return sparse.csr_matrix(np.array(rows).reshape(len(table), self.directions_.shape[1]))

    @property
    def columns(self) -> list[str]:
        return [f"component {number}" for number in range(self.directions_.shape[1])]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"mean": self.mean_, "directions": self.directions_}

    @classmethod
    def from_arrays(cls, arrays: Arrays, parameters: Mapping[str, Any], code: Code | None) -> ContextualPart:
        try:
            mean, directions = np.asarray(arrays["mean"], np.float64), np.asarray(arrays["directions"], np.float64)
        except (KeyError, ValueError) as error:
            raise ModelFileError(f"contextual: arrays are missing or of the wrong kind ({error})") from error
        if mean.ndim != 1 or directions.ndim != 2 or len(directions) != mean.size or not np.isfinite(directions).all():
            raise ModelFileError("contextual: its arrays do not fit together")
        part = cls(**parameters)
        part.mean_, part.directions_ = mean, directions
        return part


def _vectors(text: Text) -> NDArray[np.float64]:
    return text.table(CONTEXTUAL).astype(np.float64)


FEATURE_PARTS.register(ContextualPart.name, ContextualPart)
