"""Maximum margin, cut at the median: the bit is the half of all candidates in which a point lies along the widest margin.

The hyperplane of maximum margin (:mod:`relhash.hashing.margin`) separates its few references, and most of the text may well
lie on one side of it: of random references, four bits in five leave less than 5 % of the candidates on a side. Here the
direction is the same and the cut is put where it halves the candidates of both texts that the function was learned on. The cut
is a number of the learned function. New text is compared with it, and never moves it.

A point without similarity to any reference gets 0, as in :mod:`relhash.hashing.nearest`, and has no say in the median.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.hashing.clusters import Clustering
from relhash.hashing.functions import HashFunction, Responses
from relhash.hashing.margin import MarginFamily, checked_parameters, distinct_references
from relhash.hashing.max_margin import distances, margin_solutions, regularised
from relhash.hashing.nearest import count_bits
from relhash.kernels.bound import BoundKernel, Kernel


class BalancedMarginFunction(HashFunction):
    """``bit = [Σ_r coefficient_r · K(S, r) > cut]``."""

    def __init__(
        self,
        references: Any,
        split: NDArray[np.uint8],
        kernel: Kernel,
        view: str = "",
        *,
        coefficients: NDArray[np.float64],
        cut: float,
    ) -> None:
        super().__init__(references, split, kernel, view)
        self.coefficients = np.ascontiguousarray(coefficients, np.float64)
        self.cut = float(cut)

    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return above(*project(bound.similarities(self.references), self.coefficients), self.cut)

    def margins(self, bound: BoundKernel) -> NDArray[np.float64]:
        return distances(bound.similarities(self.references), self.coefficients, self.cut)

    @property
    def parameters(self) -> NDArray[Any]:
        return np.append(self.coefficients, self.cut)


class BalancedMarginResponses(Responses):
    """Similarities of all structures to the references; each split is one direction, and one median of what lies along it."""

    def __init__(
        self, ids: NDArray[np.int64], similarities: NDArray[np.float32], n_candidates: NDArray[np.int64], ridge: float
    ) -> None:
        self.ids, self.similarities, self.n_candidates = ids, similarities, n_candidates
        self.gram = regularised(similarities[ids], ridge)

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        ones = np.zeros((len(splits), *clustering.totals.shape), np.int64)
        for number, coefficients in enumerate(self._directions(splits)):
            count_bits(self._halves(coefficients)[0], rows, clustering.cells, weights, ones[number])
        return ones

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return self._halves(self._directions(split[None])[0])[0]

    def solution(self, split: NDArray[np.uint8]) -> tuple[NDArray[np.float64], float]:
        """Coefficients and cut of the function with this split."""
        coefficients = self._directions(split[None])[0]
        return coefficients, self._halves(coefficients)[1]

    def _directions(self, splits: NDArray[np.uint8]) -> NDArray[np.float64]:
        return margin_directions(self.gram, splits)

    def _halves(self, coefficients: NDArray[np.float64]) -> tuple[NDArray[np.uint8], float]:
        projections, near = project(self.similarities, coefficients)
        cut = median_cut(projections[near], self.n_candidates[near])
        return above(projections, near, cut), cut


class BalancedMarginFamily(MarginFamily):
    """RMM cut at the median of both texts; ``ridge`` as in :class:`~relhash.hashing.margin.MarginFamily`."""

    name = "balanced-margin"

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        similarities = bound.similarities(bound.unique(ids))
        distinct = distinct_references(similarities[ids])
        n_candidates = np.bincount(bound.rows, minlength=bound.n_unique)
        return BalancedMarginResponses(ids[distinct], np.ascontiguousarray(similarities[:, distinct]), n_candidates, self.ridge)

    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        assert isinstance(responses, BalancedMarginResponses)
        coefficients, cut = responses.solution(split)
        return BalancedMarginFunction(references, split, kernel, view, coefficients=coefficients, cut=cut)

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        coefficients, cut = checked_parameters(parameters, split)
        return BalancedMarginFunction(references, split, kernel, view, coefficients=coefficients, cut=cut)


def margin_directions(gram: NDArray[np.float64], splits: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Coefficients of the widest margins; where all references lie on one side, how similar a point is to all of them."""
    coefficients, _ = margin_solutions(gram, splits)
    one_sided = (splits == splits[:, :1]).all(axis=1)
    coefficients[one_sided] = 2.0 * splits[one_sided] - 1.0
    return coefficients


def median_cut(values: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """The number that halves ``values``, each of which occurs ``counts`` times, as evenly as equal values allow.

    It lies in the middle of a gap between two values that occur, so that no bit hangs on the last digit of a similarity. Of two
    gaps that are equally good the lower one is taken. Where all values are the same, nothing lies above the cut.

    >>> median_cut(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 1, 1, 1]))
    2.5
    >>> median_cut(np.array([1.0, 2.0, 3.0]), np.array([1, 5, 2]))  # 1 | 7, or 6 | 2
    2.5
    """
    n_values = int(counts.sum())
    if n_values == 0:
        return 0.0
    middle = float(np.partition(np.repeat(values, counts), n_values // 2)[n_values // 2])
    below, beyond = values < middle, values > middle
    highest = float(values[below & (counts > 0)].max(initial=-np.inf))
    lowest = float(values[beyond & (counts > 0)].min(initial=np.inf))
    return cut_beside(middle, n_values, int(counts[below].sum()), int(counts[beyond].sum()), highest, lowest)


def cut_beside(middle: float, n_values: int, n_below: int, n_above: int, highest: float, lowest: float) -> float:
    """:func:`median_cut` from the value in the middle, and the ``highest`` below and the ``lowest`` above it."""
    n_up_to = n_values - n_above
    gaps: list[tuple[int, float, float]] = []  # how uneven the halves are, and the values around the cut
    if n_below:
        gaps.append((abs(n_values - 2 * n_below), highest, middle))
    if n_up_to < n_values:
        gaps.append((abs(n_values - 2 * n_up_to), middle, lowest))
    if not gaps:
        return middle
    _, low, high = min(gaps)
    cut = low + (high - low) / 2
    return cut if cut < high else low  # neighbours among the floating-point numbers have nothing between them


def above(projections: NDArray[np.float64], near: NDArray[np.bool_], cut: float) -> NDArray[np.uint8]:
    return (near & (projections > cut)).astype(np.uint8)


@compiled
def project(
    similarities: NDArray[np.float32], coefficients: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:  # pragma: no cover - compiled
    """Where each point lies along the direction, and whether it resembles any reference.

    Added up in a fixed order, a point at a time: a matrix product may round differently for another number of points.
    """
    n_points, n_references = similarities.shape
    projections = np.zeros(n_points)
    near = np.zeros(n_points, np.bool_)
    for i in range(n_points):
        for r in range(n_references):
            near[i] = near[i] or similarities[i, r] != 0
            projections[i] += similarities[i, r] * coefficients[r]
    return projections, near
