"""Random maximum margin (RMM): the bit is the side of the widest margin between the two sides of the references.

A point without similarity to any reference gets 0, as in :mod:`relhash.hashing.nearest`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ModelFileError, ParameterError
from relhash.hashing.clusters import Clustering
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.hashing.max_margin import distances, margin_solutions, regularised
from relhash.hashing.settings import require
from relhash.kernels.bound import BoundKernel, Kernel

SAME = 1 - 1e-5  # normalised similarity from which two references are one point for the kernel


class MarginFunction(HashFunction):
    """``bit = [Σ_r coefficient_r · K(S, r) + intercept > 0]``."""

    def __init__(
        self,
        references: Any,
        split: NDArray[np.uint8],
        kernel: Kernel,
        view: str = "",
        *,
        coefficients: NDArray[np.float64],
        intercept: float,
    ) -> None:
        super().__init__(references, split, kernel, view)
        self.coefficients = np.ascontiguousarray(coefficients, np.float64)
        self.intercept = float(intercept)

    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return _decide(bound.similarities(self.references), self.coefficients, self.intercept)

    def margins(self, bound: BoundKernel) -> NDArray[np.float64]:
        return distances(bound.similarities(self.references), self.coefficients, -self.intercept)

    @property
    def parameters(self) -> NDArray[Any]:
        return np.append(self.coefficients, self.intercept)


class MarginResponses(Responses):
    """Similarities of all structures to the references, and the references' own Gram matrix (:func:`regularised`)."""

    def __init__(self, ids: NDArray[np.int64], similarities: NDArray[np.float32], gram: NDArray[np.float64]) -> None:
        self.ids, self.similarities, self.gram = ids, similarities, gram

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        coefficients, intercepts = margin_solutions(self.gram, splits)
        ones = np.zeros((*clustering.totals.shape, len(splits)), np.int64)
        by_reference = np.ascontiguousarray(coefficients.T)
        _count_decisions(self.similarities, by_reference, intercepts, rows, clustering.cells, weights, ones)
        return np.ascontiguousarray(ones.transpose(2, 0, 1))

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        coefficients, intercepts = margin_solutions(self.gram, split[None])
        return _decide(self.similarities, coefficients[0], intercepts[0])


class MarginFamily(HashFamily):
    """RMM with ``ridge`` added to the diagonal of the references' Gram matrix.

    The ridge is the slack of a squared-hinge SVM. It keeps the solution finite when references are nearly the same, and when a
    thresholded kernel is not exactly positive definite.
    """

    name = "margin"

    def __init__(self, ridge: float = 1e-3) -> None:
        require(ridge > 0, "ridge", ridge, "positive")
        self.ridge = float(ridge)

    @classmethod
    def of_learner(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(parameters["ridge"])

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        similarities = bound.similarities(bound.unique(ids))
        distinct = distinct_references(similarities[ids])
        gram = regularised(similarities[np.ix_(ids[distinct], distinct)], self.ridge)
        return MarginResponses(ids[distinct], np.ascontiguousarray(similarities[:, distinct]), gram)

    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        assert isinstance(responses, MarginResponses)
        coefficients, intercepts = margin_solutions(responses.gram, split[None])
        return MarginFunction(references, split, kernel, view, coefficients=coefficients[0], intercept=float(intercepts[0]))

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        coefficients, intercept = checked_parameters(parameters, split)
        return MarginFunction(references, split, kernel, view, coefficients=coefficients, intercept=intercept)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"ridge": self.ridge}


def checked_parameters(parameters: NDArray[Any], split: NDArray[np.uint8]) -> tuple[NDArray[np.float64], float]:
    """One coefficient for each reference, and the number after them, from a model file."""
    if parameters.size != split.size + 1 or not np.isfinite(parameters).all():
        raise ModelFileError("a function has another number of coefficients than references, or one that is no number")
    return parameters[:-1], float(parameters[-1])


def distinct_references(gram: NDArray[np.float32]) -> NDArray[np.int64]:
    """References that are not a copy, for the kernel, of an earlier one."""
    if not np.isfinite(gram).all():
        raise ParameterError("the kernel has values that are too large or no numbers; scale the data, or take another kernel")
    norms = np.sqrt(np.maximum(gram.diagonal(), 1e-30))
    cosines = gram / norms[:, None] / norms
    kept: list[int] = []
    for i in range(len(gram)):
        if not kept or cosines[i, kept].max() < SAME:
            kept.append(i)
    return np.array(kept, np.int64)


@compiled
def _decide(
    similarities: NDArray[np.float32], coefficients: NDArray[np.float64], intercept: float
) -> NDArray[np.uint8]:  # pragma: no cover - compiled
    """Added up in a fixed order, a point at a time: a matrix product may round differently for another number of points."""
    n_points, n_references = similarities.shape
    bits = np.zeros(n_points, np.uint8)
    for i in range(n_points):
        decision = intercept
        near = False
        for r in range(n_references):
            near = near or similarities[i, r] != 0
            decision += similarities[i, r] * coefficients[r]
        bits[i] = near and decision > 0
    return bits


@compiled
def _count_decisions(
    similarities: NDArray[np.float32],
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    rows: NDArray[np.int32],
    cells: NDArray[np.int32],
    weights: NDArray[np.int64],
    ones: NDArray[np.int64],
) -> None:  # pragma: no cover - compiled
    """Splits lie side by side in ``coefficients`` (references × splits) and ``ones``: the inner loops run over them."""
    n_references, n_splits = coefficients.shape
    n_points, n_kinds = weights.shape
    decisions = np.empty(n_splits)
    for i in range(n_points):
        row = rows[i]
        near = False
        decisions[:] = intercepts
        for r in range(n_references):
            similarity = np.float64(similarities[row, r])
            near = near or similarity != 0
            for s in range(n_splits):
                decisions[s] += similarity * coefficients[r, s]
        if near:
            for kind in range(n_kinds):
                weight = weights[i, kind]
                if weight:
                    for s in range(n_splits):
                        if decisions[s] > 0:
                            ones[cells[i], kind, s] += weight
