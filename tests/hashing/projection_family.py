"""A whole hash family of one's own: the side of a plane through the references, for points in the plane.

The bit of a point is the sign of a weighted sum of its similarities to the references; the weights are random signs that only
the split decides, so a function has nothing fitted but one number, its threshold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ModelFileError
from relhash.hashing import HashFamily, HashFunction, Responses


def projected(similarities: NDArray[np.float32], split: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How much more similar a point is to side 1, one reference after the other (a product may add in another order)."""
    total = np.zeros(len(similarities))
    for column, side in zip(similarities.T, split, strict=True):
        total += column.astype(np.float64) * (1.0 if side else -1.0)
    return total


class ProjectionFunction(HashFunction):
    def __init__(self, references: Any, split: Any, kernel: Any, view: str = "", *, threshold: float) -> None:
        super().__init__(references, split, kernel, view)
        self.threshold = threshold

    def bits(self, bound: Any) -> NDArray[np.uint8]:
        return (projected(bound.similarities(self.references), self.split) > self.threshold).astype(np.uint8)

    @property
    def parameters(self) -> NDArray[Any]:
        return np.array([self.threshold])


class ProjectionResponses(Responses):
    def __init__(self, ids: NDArray[np.int64], similarities: NDArray[np.float32], threshold: float) -> None:
        self.ids, self.similarities, self.threshold = ids, similarities, threshold

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return (projected(self.similarities, split) > self.threshold).astype(np.uint8)

    def ones(self, splits: Any, clustering: Any, rows: Any, weights: Any) -> NDArray[np.int64]:
        ones = np.zeros((len(splits), *clustering.totals.shape), np.int64)
        for number, split in enumerate(splits):
            chosen = self.bits(split)[rows] == 1
            np.add.at(ones[number], clustering.cells[chosen], weights[chosen])
        return ones


class ProjectionFamily(HashFamily):
    """``threshold`` is by how much side 1 must win."""

    name = "projection"

    def __init__(self, threshold: float = 0.0) -> None:
        self.threshold = threshold

    def respond(self, bound: Any, ids: NDArray[np.int64]) -> Responses:
        return ProjectionResponses(ids, bound.similarities(bound.unique(ids)), self.threshold)

    def function(self, references: Any, split: Any, kernel: Any, view: str, responses: Responses) -> HashFunction:
        return ProjectionFunction(references, split, kernel, view, threshold=self.threshold)

    def restore(self, references: Any, split: Any, kernel: Any, view: str, parameters: NDArray[Any]) -> HashFunction:
        if parameters.shape != (1,) or not np.isfinite(parameters).all():
            raise ModelFileError("a projection has one threshold")
        return ProjectionFunction(references, split, kernel, view, threshold=float(parameters[0]))

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"threshold": self.threshold}
