"""Random nearest neighbours (RkNN with k = 1, as the paper has it): the bit is the side on which the nearest reference lies.

Rules that make a bit depend on nothing but the point: among equally near references the lowest index wins; a point without
similarity to any reference gets 0. The standardised form has for each reference the mean and deviation of similarities to it,
numbers of the learned function; a reference to which all candidates are equally similar has the score 0.

These moments are exact, the same in any order: a number of 32 bits is a whole number of 24 bits times a power of two. The whole
numbers (and their squares) that belong to one power are added up as integers, which loses nothing. Only the two quotients at
the very end are rounded, once each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ModelFileError
from relhash.hashing.algorithm import require
from relhash.hashing.functions import NO_REFERENCE, HashFamily, HashFunction, Responses
from relhash.hashing.information import Clustering
from relhash.hashing.splits import count_nearest, subset_sums
from relhash.kernels.bound import BoundKernel, Kernel

_SCALE = 150
"""A number with exponent bits e is its whole number times 2 to the power of e − 150."""
_HALF = 24
"""Squares of whole numbers are added up in two halves of so many bits, so that no number of candidates overflows."""


def moments(
    similarities: NDArray[np.float32], n_candidates: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of each column, each point counted as often as it occurs.

    >>> moments(np.array([[0.5], [0.25]], np.float32), np.array([1, 3]))
    (array([0.3125]), array([0.10825318]))
    """
    sums = _power_sums(np.ascontiguousarray(similarities, np.float32).view(np.uint32), n_candidates)
    n = max(int(n_candidates.sum()), 1)
    means, deviations = np.zeros(len(sums)), np.zeros(len(sums))
    for reference, own in enumerate(sums):
        first = second = 0
        for power in np.flatnonzero(own.any(axis=1)).tolist():
            whole, high, low = own[power].tolist()
            first += whole << power
            second += ((high << _HALF) + low) << (2 * power)
        means[reference] = first / (n << _SCALE)  # Python divides integers of any length with one rounding
        deviations[reference] = math.sqrt((second * n - first * first) / (n * n << (2 * _SCALE)))
    return means, deviations


@compiled
def _power_sums(
    patterns: NDArray[np.uint32], n_candidates: NDArray[np.int64]
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """``(references, powers of two, 3)``: sums of the whole numbers, and of both halves of their squares."""
    n_points, n_references = patterns.shape
    sums = np.zeros((n_references, 256, 3), np.int64)
    for i in range(n_points):
        for r in range(n_references):
            pattern = np.int64(patterns[i, r])
            power = (pattern >> 23) & 255
            whole = pattern & 0x7FFFFF
            if power > 0:
                whole |= 0x800000
            power += power == 0  # the smallest numbers have the power of the next ones
            square = whole * whole
            sums[r, power, 0] += n_candidates[i] * (-whole if pattern >> 31 else whole)
            sums[r, power, 1] += n_candidates[i] * (square >> 24)
            sums[r, power, 2] += n_candidates[i] * (square & 0xFFFFFF)
    return sums


class Scaling(NamedTuple):
    """Mean and standard deviation of the similarities to each reference, over all candidates that a function was learned on."""

    means: NDArray[np.float64]
    deviations: NDArray[np.float64]

    def nearest(self, similarities: NDArray[np.float32]) -> NDArray[np.uint8]:
        """The reference to which each point is more similar than points usually are; NO_REFERENCE without any similarity."""
        return _standard_nearest(similarities, self.means, self.deviations)

    def scores(self, similarities: NDArray[np.float32]) -> NDArray[np.float64]:
        deviations = np.where(self.deviations > 0, self.deviations, np.inf)  # a score of 0 where all are equally similar
        return np.asarray((similarities - self.means) / deviations)


class NearestFunction(HashFunction):
    """``bit = split[nearest reference]``; with a ``scaling`` the nearest is ``argmax_r (K(S, r) − mean_r) / deviation_r``."""

    def __init__(
        self,
        references: Any,
        split: NDArray[np.uint8],
        kernel: Kernel,
        view: str = "",
        scaling: Scaling | None = None,
    ) -> None:
        super().__init__(references, split, kernel, view)
        self.scaling = scaling

    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return side_of_nearest(self.nearest(bound), self.split)

    def nearest(self, bound: BoundKernel) -> NDArray[np.uint8]:
        """The nearest reference of each distinct structure, or ``NO_REFERENCE``."""
        if self.scaling is None:
            return bound.nearest(self.references)
        return self.scaling.nearest(bound.similarities(self.references))

    @classmethod
    def bits_of_all(cls, functions: Sequence[HashFunction], bound: BoundKernel) -> NDArray[np.uint8]:
        if any(not isinstance(one, NearestFunction) or one.scaling for one in functions):
            return super().bits_of_all(functions, bound)
        nearest = bound.nearest_of_sets([one.references for one in functions])
        return np.stack([side_of_nearest(own, one.split) for own, one in zip(nearest, functions, strict=True)])

    @property
    def parameters(self) -> NDArray[Any]:
        return np.empty(0) if self.scaling is None else np.concatenate(self.scaling)


class NearestResponses(Responses):
    """Every split follows from one table."""

    def __init__(self, ids: NDArray[np.int64], nearest: NDArray[np.uint8], scaling: Scaling | None = None) -> None:
        self.ids, self.nearest, self.scaling = ids, nearest, scaling

    def table(self, clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]) -> NDArray[np.int64]:
        return count_nearest(self.nearest, self.n_references, rows, clustering.cells, weights, clustering.n_clusters)

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        return subset_sums(splits, self.table(clustering, rows, weights))

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return side_of_nearest(self.nearest, split)


class NearestFamily(HashFamily):
    """RkNN with one neighbour; ``n_neighbors`` stands in model files, and no other number is read."""

    name = "nearest"

    def __init__(self, n_neighbors: int = 1) -> None:
        require(n_neighbors == 1, "n_neighbors", n_neighbors, "1")

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        return NearestResponses(ids, bound.nearest(bound.unique(ids)))

    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        assert isinstance(responses, NearestResponses)
        return NearestFunction(references, split, kernel, view, responses.scaling)

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        return NearestFunction(references, split, kernel, view)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"n_neighbors": 1}


class StandardNearestFamily(NearestFamily):
    """RkNN by standardised similarities: how much nearer a point is than points usually are.

    Some references are near to almost all candidates (hubs). Of four random paths the one that is nearest to most
    candidates is among the two shortest in 98 % of all draws, so that plain nearest-neighbour bits mostly tell lengths apart.
    """

    name = "standard-nearest"

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        similarities = bound.similarities(bound.unique(ids))
        scaling = Scaling(*moments(similarities, np.bincount(bound.rows, minlength=bound.n_unique)))
        return NearestResponses(ids, scaling.nearest(similarities), scaling)

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        if parameters.size != 2 * split.size or not np.isfinite(parameters).all() or (parameters[split.size :] < 0).any():
            raise ModelFileError("a function has no mean and deviation for each of its references")
        means, deviations = (np.ascontiguousarray(half, np.float64) for half in np.split(parameters, 2))
        return NearestFunction(references, split, kernel, view, Scaling(means, deviations))

    @property
    def settings(self) -> Mapping[str, Any]:
        return {}


def side_of_nearest(nearest: NDArray[np.uint8], split: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The side of each point's nearest reference; 0 for a point without any.

    >>> side_of_nearest(np.array([0, 1, 255], np.uint8), np.array([0, 1], np.uint8)).tolist()
    [0, 1, 0]
    """
    side = np.zeros(NO_REFERENCE + 1, np.uint8)
    side[: split.size] = split
    return side[nearest]


@compiled
def count_bits(
    bits: NDArray[np.uint8],
    rows: NDArray[np.int32],
    cells: NDArray[np.int32],
    weights: NDArray[np.int64],
    ones: NDArray[np.int64],
) -> None:  # pragma: no cover - compiled
    """Add to ``ones[cluster, kind]`` the candidates whose structure has a 1."""
    for i in range(weights.shape[0]):
        if bits[rows[i]]:
            for kind in range(weights.shape[1]):
                ones[cells[i], kind] += weights[i, kind]


@compiled
def _standard_nearest(
    similarities: NDArray[np.float32], means: NDArray[np.float64], deviations: NDArray[np.float64]
) -> NDArray[np.uint8]:  # pragma: no cover - compiled
    n_points, n_references = similarities.shape
    nearest = np.full(n_points, NO_REFERENCE, np.uint8)
    for i in range(n_points):
        best = -np.inf
        for r in range(n_references):
            if similarities[i, r] != 0:
                score = (np.float64(similarities[i, r]) - means[r]) / deviations[r] if deviations[r] > 0 else 0.0
                if score > best:
                    best = score
                    nearest[i] = r
    return nearest
