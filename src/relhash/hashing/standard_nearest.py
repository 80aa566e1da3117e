"""Nearest reference by standardised similarity: how much nearer a point is to a reference than points usually are.

Some references are near to everybody (hubs). Of four random paths the one that is nearest to most candidates is among the two
shortest in 98 % of all draws, so that plain nearest-neighbour bits mostly tell lengths apart. Here the similarities to each
reference are standardised by their mean and standard deviation over all candidates that the function was learned on. These
are numbers of the learned function, exact whatever the order of the candidates (:mod:`relhash.hashing.exact_moments`).

Rules as in :mod:`relhash.hashing.nearest`: among equals the lowest index wins; references without any similarity do not take
part; a point without any neighbour gets 0. A reference to which all candidates are equally similar has the score 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ModelFileError
from relhash.hashing.exact_moments import moments
from relhash.hashing.functions import NO_REFERENCE, HashFamily, HashFunction, Responses
from relhash.hashing.nearest import NearestResponses, between_sides, side_of_nearest
from relhash.hashing.settings import require
from relhash.kernels.bound import BoundKernel, Kernel


class StandardNearestFunction(HashFunction):
    """``bit = split[argmax_r (K(S, r) − mean_r) / deviation_r]``."""

    def __init__(
        self,
        references: Any,
        split: NDArray[np.uint8],
        kernel: Kernel,
        view: str = "",
        *,
        means: NDArray[np.float64],
        deviations: NDArray[np.float64],
    ) -> None:
        super().__init__(references, split, kernel, view)
        self.means = np.ascontiguousarray(means, np.float64)
        self.deviations = np.ascontiguousarray(deviations, np.float64)

    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return side_of_nearest(self.nearest(bound), self.split)

    def nearest(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return standard_nearest(bound.similarities(self.references), self.means, self.deviations)

    def bits_and_nearest(self, bound: BoundKernel) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        nearest = self.nearest(bound)
        return side_of_nearest(nearest, self.split), nearest

    def margins(self, bound: BoundKernel) -> NDArray[np.float64]:
        similarities = bound.similarities(self.references)
        deviations = np.where(self.deviations > 0, self.deviations, np.inf)  # a score of 0 where all are equally similar
        return between_sides((similarities - self.means) / deviations, similarities != 0, self.split)

    @property
    def parameters(self) -> NDArray[Any]:
        return np.concatenate([self.means, self.deviations])


class StandardNearestResponses(NearestResponses):
    """Nearest references by standardised similarity, and by what they were standardised."""

    def __init__(self, ids: NDArray[np.int64], similarities: NDArray[np.float32], n_candidates: NDArray[np.int64]) -> None:
        self.means, self.deviations = moments(similarities, n_candidates)
        super().__init__(ids, standard_nearest(similarities, self.means, self.deviations))


class StandardNearestFamily(HashFamily):
    """RkNN with one neighbour, by standardised similarities."""

    name = "standard-nearest"

    @classmethod
    def of_learner(cls, parameters: Mapping[str, Any]) -> Self:
        n_neighbors = parameters["n_neighbors"]
        require(n_neighbors == 1, "n_neighbors", n_neighbors, "1 for hash_function='standard-nearest'")
        return cls()

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        n_candidates = np.bincount(bound.rows, minlength=bound.n_unique)
        return StandardNearestResponses(ids, bound.similarities(bound.unique(ids)), n_candidates)

    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        assert isinstance(responses, StandardNearestResponses)
        moments = {"means": responses.means, "deviations": responses.deviations}
        return StandardNearestFunction(references, split, kernel, view, **moments)

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        if parameters.size != 2 * split.size or not np.isfinite(parameters).all() or (parameters[split.size :] < 0).any():
            raise ModelFileError("a function has no mean and deviation for each of its references")
        means, deviations = np.split(parameters, 2)
        return StandardNearestFunction(references, split, kernel, view, means=means, deviations=deviations)


@compiled
def standard_nearest(
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
