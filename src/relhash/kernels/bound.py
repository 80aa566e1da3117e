"""What every kernel offers: similarities of whole sets, and a set prepared once for many small sets of references."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ParameterError
from relhash.kernels.subsequence import NO_NEIGHBOUR

__all__ = ["BoundKernel", "Kernel", "check_reference_count", "nearest_of"]


class BoundKernel(Protocol):
    """Points prepared for repeated comparison with small sets of references.

    Equal points are stored once: arrays have one row a *distinct* point, and ``rows`` says which one each candidate is. The
    results for a point do not depend on what other points are there, to the last bit.
    """

    rows: NDArray[np.int32]
    """Candidate → distinct point."""

    @property
    def n_unique(self) -> int:
        """Number of distinct points."""

    def unique(self, ids: ArrayLike) -> Any:
        """Distinct points by number, as references."""

    def similarities(self, references: Any) -> NDArray[np.float32]:
        """Normalised similarities of distinct points (rows) and references (columns)."""

    def nearest(self, references: Any) -> NDArray[np.uint8]:
        """The most similar reference of each distinct point: the first of equals, 255 where all similarities are zero."""


@runtime_checkable
class Kernel(Protocol):
    """A similarity of structures."""

    def gram(self, X: Any, references: Any, *, n_jobs: int | None = None) -> NDArray[np.float32]:
        """Similarities of candidates (rows) and references (columns)."""

    def diagonal(self, X: Any) -> NDArray[np.float32]:
        """Similarity of each candidate to itself."""

    def bind(self, X: Any, *, n_jobs: int | None = None) -> BoundKernel:
        """Prepare ``X``."""


def nearest_of(similarities: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Column of the largest value of each row, by the rules of :meth:`BoundKernel.nearest`.

    >>> nearest_of(np.array([[0.1, 0.3, 0.3], [0.0, 0.0, 0.0]]))
    array([  1, 255], dtype=uint8)
    """
    if similarities.shape[1] == 0:
        return np.full(len(similarities), NO_NEIGHBOUR, np.uint8)
    return np.where((similarities == 0).all(axis=1), NO_NEIGHBOUR, similarities.argmax(axis=1)).astype(np.uint8)


def check_reference_count(references: Sized) -> None:
    """Refuse more references than ``nearest`` can number."""
    if len(references) > NO_NEIGHBOUR:
        raise ParameterError(f"nearest: at most {NO_NEIGHBOUR} references, not {len(references)}; use smaller reference sets")
