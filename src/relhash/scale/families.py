"""Families of hash functions on parts: what the driver works out once, and how a part responds to references of other parts.

Responses of a point depend on the point and the references. Some families also need something of all candidates: the mean
similarity to each reference, or the median along a direction. The driver finds it from sums and counts of all parts, and the
same number comes out as in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.hashing.balanced_margin import (
    BalancedMarginFamily,
    BalancedMarginFunction,
    above,
    cut_beside,
    margin_directions,
    project,
)
from relhash.hashing.clusters import Clustering
from relhash.hashing.exact_moments import moments_of_sums
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.hashing.margin import MarginFamily, MarginFunction, MarginResponses, distinct_references
from relhash.hashing.max_margin import margin_solutions, regularised
from relhash.hashing.nearest import NearestFamily, NearestFunction, NearestResponses, VoteResponses, count_bits, nearest_first
from relhash.hashing.standard_nearest import StandardNearestFamily, StandardNearestFunction, standard_nearest
from relhash.kernels.bound import BoundKernel, Kernel
from relhash.scale.medians import Listed, middles

Halves = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Directions and cuts of some splits."""


@dataclass(frozen=True, eq=False)
class Asked:
    """References that all parts are compared with.

    Attributes
    ----------
    serial
        Tells them from those asked before.
    family, view, number
        Whose functions are made, the view, and the number of the kernel among those offered for it.
    ids, references
        The numbers of the references among all structures, and what they are.
    gram
        Their similarities to each other, regularised, for families that need them.
    moments
        Mean and standard deviation of the similarities of all candidates to each reference, for families that need them.
    """

    serial: int
    family: HashFamily
    view: str
    number: int
    ids: NDArray[np.int64]
    references: Any
    gram: NDArray[np.float64] | None = None
    moments: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None


class Parts(Protocol):
    """What the driver can ask of all parts together."""

    n_candidates: int

    def power_sums(self, asked: Asked) -> NDArray[np.int64]:
        """See :func:`relhash.hashing.exact_moments.power_sums`, over all parts."""

    def digit_counts(self, asked: Asked, directions: Any, prefixes: Any, shift: int, width: int) -> NDArray[np.int64]:
        """See :func:`relhash.scale.medians.digit_counts`, over all parts."""

    def listed(self, asked: Asked, directions: Any, prefixes: Any, shift: int) -> Sequence[Sequence[Listed]]:
        """See :func:`relhash.scale.medians.listed`, of each part."""


class KeptSimilarities(Responses):
    """Similarities of the structures of a part; halves along directions as soon as their cuts are known."""

    def __init__(self, ids: NDArray[np.int64], similarities: NDArray[np.float32], halves: Halves | None = None) -> None:
        self.ids, self.similarities, self.halves = ids, similarities, halves

    def at(self, halves: Halves) -> KeptSimilarities:
        return KeptSimilarities(self.ids, self.similarities, halves)

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        ones = np.zeros((len(splits), *clustering.totals.shape), np.int64)
        for number in range(len(splits)):
            count_bits(self._half(number), rows, clustering.cells, weights, ones[number])
        return ones

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return self._half(0)

    def _half(self, number: int) -> NDArray[np.uint8]:
        assert self.halves is not None
        directions, cuts = self.halves
        return above(*project(self.similarities, directions[number]), float(cuts[number]))


def check_family(family: HashFamily) -> None:
    """Refuse families whose responses need all candidates in one place."""
    if type(family) not in (NearestFamily, StandardNearestFamily, MarginFamily, BalancedMarginFamily):
        raise ParameterError(
            f"hash_function={getattr(family, 'name', family)!r} is learned in one process only; on a cluster there are "
            "nearest, standard-nearest, margin, balanced-margin"
        )


def has_table(family: HashFamily) -> bool:
    """Whether all splits follow from one table of counts."""
    return isinstance(family, StandardNearestFamily) or (isinstance(family, NearestFamily) and family.n_neighbors == 1)


def ask(asked: Asked, kernel: Kernel, parts: Parts) -> Asked:
    """What the driver works out before parts respond; references that are copies of others may drop out."""
    family = asked.family
    if isinstance(family, MarginFamily | BalancedMarginFamily):
        bound = kernel.bind(asked.references, n_jobs=1)
        gram = bound.similarities(asked.references)[bound.rows]
        distinct = distinct_references(gram)
        kept = regularised(gram[np.ix_(distinct, distinct)], family.ridge)
        return replace(asked, ids=asked.ids[distinct], references=asked.references[distinct], gram=kept)
    if isinstance(family, StandardNearestFamily):
        return replace(asked, moments=moments_of_sums(parts.power_sums(asked), parts.n_candidates))
    return asked


def part_responses(bound: BoundKernel, asked: Asked, compared: Callable[[], NDArray[np.float32]]) -> Responses:
    """How the structures of a part respond; ``compared`` gives their similarities to the references."""
    family, ids = asked.family, np.arange(asked.ids.size)
    if isinstance(family, NearestFamily) and family.n_neighbors == 1:
        return NearestResponses(ids, bound.nearest(asked.references))
    similarities = compared()
    if isinstance(family, NearestFamily):
        return VoteResponses(ids, nearest_first(similarities, min(family.n_neighbors, ids.size)))
    if isinstance(family, StandardNearestFamily):
        assert asked.moments is not None
        return NearestResponses(ids, standard_nearest(similarities, *asked.moments))
    if isinstance(family, MarginFamily):
        assert asked.gram is not None
        return MarginResponses(ids, similarities, asked.gram)
    return KeptSimilarities(ids, similarities)


def solutions(asked: Asked, splits: NDArray[np.uint8]) -> list[bytes]:
    """What tells the functions of splits apart: what was answered for one of them need not be asked again."""
    solved: NDArray[Any] = splits
    if isinstance(asked.family, MarginFamily):
        assert asked.gram is not None
        solved = np.column_stack(margin_solutions(asked.gram, splits))
    elif isinstance(asked.family, BalancedMarginFamily):
        assert asked.gram is not None
        solved = margin_directions(asked.gram, splits)
    return [row.tobytes() for row in solved]


def shared(asked: Asked, splits: NDArray[np.uint8], parts: Parts) -> Halves | None:
    """What these splits need of all candidates: for balanced margins the cut that halves them."""
    if not isinstance(asked.family, BalancedMarginFamily):
        return None
    assert asked.gram is not None
    directions = margin_directions(asked.gram, splits)
    found, n_values = middles(
        len(directions),
        lambda prefixes, shift, width: parts.digit_counts(asked, directions, prefixes, shift, width),
        lambda prefixes, shift: parts.listed(asked, directions, prefixes, shift),
    )
    if n_values == 0:
        return directions, np.zeros(len(directions))
    cuts = [cut_beside(one.value, n_values, one.n_below, one.n_above, one.below, one.above) for one in found]
    return directions, np.array(cuts)


def made_function(asked: Asked, split: NDArray[np.uint8], halves: Halves | None, kernel: Kernel) -> HashFunction:
    """The function with this split."""
    family, references, view = asked.family, asked.references, asked.view
    if isinstance(family, NearestFamily):
        return NearestFunction(references, split, kernel, view, family.n_neighbors)
    if isinstance(family, StandardNearestFamily):
        assert asked.moments is not None
        means, deviations = asked.moments
        return StandardNearestFunction(references, split, kernel, view, means=means, deviations=deviations)
    if isinstance(family, MarginFamily):
        assert asked.gram is not None
        coefficients, intercepts = margin_solutions(asked.gram, split[None])
        return MarginFunction(references, split, kernel, view, coefficients=coefficients[0], intercept=float(intercepts[0]))
    assert halves is not None
    return BalancedMarginFunction(references, split, kernel, view, coefficients=halves[0][0], cut=float(halves[1][0]))
