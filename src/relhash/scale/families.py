"""Families of hash functions on parts: what the driver works out once, and how a part responds to references of other parts.

Responses of a point depend on the point and the references. Some families also need something of all candidates: the mean
similarity to each reference, or the median along a direction. The driver finds it from sums and counts of all parts, and the
same number comes out as in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.hashing.balanced_margin import (
    BalancedMarginFamily,
    above,
    cut_beside,
    margin_directions,
    project,
)
from relhash.hashing.clusters import Clustering
from relhash.hashing.exact_moments import moments_of_sums
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.hashing.margin import MarginFamily, MarginResponses, distinct_references
from relhash.hashing.max_margin import margin_solutions, regularised
from relhash.hashing.nearest import NearestFamily, NearestFunction, NearestResponses, VoteResponses, count_bits, nearest_first
from relhash.hashing.standard_nearest import StandardNearestFamily, StandardNearestFunction, standard_nearest
from relhash.kernels.bound import BoundKernel, Kernel
from relhash.scale.medians import Listed, middles

Family = TypeVar("Family", bound=HashFamily)
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


class OnParts(Generic[Family]):
    """How functions of one family are made where no process has all candidates: one class per family, in ``FAMILIES``."""

    has_table = False
    """Whether all splits follow from one table of counts."""

    def __init__(self, family: Family) -> None:
        self.family = family

    def ask(self, asked: Asked, kernel: Kernel, parts: Parts) -> Asked:
        """What the driver works out before parts respond; references that are copies of others may drop out."""
        return asked

    def responses(self, bound: BoundKernel, asked: Asked, compared: Callable[[], NDArray[np.float32]]) -> Responses:
        """How the structures of a part respond; ``compared`` gives their similarities to the references."""
        raise NotImplementedError

    def solutions(self, asked: Asked, splits: NDArray[np.uint8]) -> NDArray[Any]:
        """What tells the functions of splits apart, one row for each: what was answered for one need not be asked again."""
        return splits

    def shared(self, asked: Asked, splits: NDArray[np.uint8], parts: Parts) -> Halves | None:
        """What these splits need of all candidates."""
        return None

    def function(self, asked: Asked, split: NDArray[np.uint8], halves: Halves | None, kernel: Kernel) -> HashFunction:
        """The function with this split; ``halves`` is what was ``shared`` of it."""
        raise NotImplementedError


class _Nearest(OnParts[NearestFamily]):
    def __init__(self, family: NearestFamily) -> None:
        super().__init__(family)
        self.has_table = family.n_neighbors == 1

    def responses(self, bound: BoundKernel, asked: Asked, compared: Callable[[], NDArray[np.float32]]) -> Responses:
        ids = np.arange(asked.ids.size)
        if self.family.n_neighbors == 1:
            return NearestResponses(ids, bound.nearest(asked.references))
        return VoteResponses(ids, nearest_first(compared(), min(self.family.n_neighbors, ids.size)))

    def function(self, asked: Asked, split: NDArray[np.uint8], halves: Halves | None, kernel: Kernel) -> HashFunction:
        return NearestFunction(asked.references, split, kernel, asked.view, self.family.n_neighbors)


class _StandardNearest(OnParts[StandardNearestFamily]):
    has_table = True

    def ask(self, asked: Asked, kernel: Kernel, parts: Parts) -> Asked:
        return replace(asked, moments=moments_of_sums(parts.power_sums(asked), parts.n_candidates))

    def responses(self, bound: BoundKernel, asked: Asked, compared: Callable[[], NDArray[np.float32]]) -> Responses:
        assert asked.moments is not None
        return NearestResponses(np.arange(asked.ids.size), standard_nearest(compared(), *asked.moments))

    def function(self, asked: Asked, split: NDArray[np.uint8], halves: Halves | None, kernel: Kernel) -> HashFunction:
        assert asked.moments is not None
        means, deviations = asked.moments
        return StandardNearestFunction(asked.references, split, kernel, asked.view, means=means, deviations=deviations)


class _Margin(OnParts[MarginFamily]):
    def ask(self, asked: Asked, kernel: Kernel, parts: Parts) -> Asked:
        return with_gram(asked, kernel, self.family.ridge)

    def responses(self, bound: BoundKernel, asked: Asked, compared: Callable[[], NDArray[np.float32]]) -> Responses:
        assert asked.gram is not None
        return MarginResponses(np.arange(asked.ids.size), compared(), asked.gram)

    def solutions(self, asked: Asked, splits: NDArray[np.uint8]) -> NDArray[Any]:
        assert asked.gram is not None
        return np.column_stack(margin_solutions(asked.gram, splits))

    def function(self, asked: Asked, split: NDArray[np.uint8], halves: Halves | None, kernel: Kernel) -> HashFunction:
        solution = self.solutions(asked, split[None])[0]
        return self.family.restore(asked.references, split, kernel, asked.view, solution)


class _BalancedMargin(OnParts[BalancedMarginFamily]):
    def ask(self, asked: Asked, kernel: Kernel, parts: Parts) -> Asked:
        return with_gram(asked, kernel, self.family.ridge)

    def responses(self, bound: BoundKernel, asked: Asked, compared: Callable[[], NDArray[np.float32]]) -> Responses:
        return KeptSimilarities(np.arange(asked.ids.size), compared())

    def solutions(self, asked: Asked, splits: NDArray[np.uint8]) -> NDArray[Any]:
        assert asked.gram is not None
        return margin_directions(asked.gram, splits)

    def shared(self, asked: Asked, splits: NDArray[np.uint8], parts: Parts) -> Halves | None:
        """The cuts that halve all candidates."""
        directions = self.solutions(asked, splits)
        found, n_values = middles(
            len(directions),
            lambda prefixes, shift, width: parts.digit_counts(asked, directions, prefixes, shift, width),
            lambda prefixes, shift: parts.listed(asked, directions, prefixes, shift),
        )
        if n_values == 0:
            return directions, np.zeros(len(directions))
        cuts = [cut_beside(one.value, n_values, one.n_below, one.n_above, one.below, one.above) for one in found]
        return directions, np.array(cuts)

    def function(self, asked: Asked, split: NDArray[np.uint8], halves: Halves | None, kernel: Kernel) -> HashFunction:
        assert halves is not None
        return self.family.restore(asked.references, split, kernel, asked.view, np.append(halves[0][0], halves[1][0]))


FAMILIES: dict[type[HashFamily], type[OnParts[Any]]] = {
    NearestFamily: _Nearest,
    StandardNearestFamily: _StandardNearest,
    MarginFamily: _Margin,
    BalancedMarginFamily: _BalancedMargin,
}


def on_parts(family: HashFamily) -> OnParts[Any]:
    """How this family works on parts; one whose responses need all candidates in one place is refused."""
    if type(family) not in FAMILIES:
        known = ", ".join(one.name for one in FAMILIES)
        name = getattr(family, "name", family)
        raise ParameterError(f"hash_function={name!r} is learned in one process only; on a cluster there are {known}")
    return FAMILIES[type(family)](family)


def with_gram(asked: Asked, kernel: Kernel, ridge: float) -> Asked:
    """The references without copies, and their similarities to each other."""
    bound = kernel.bind(asked.references, n_jobs=1)
    gram = bound.similarities(asked.references)[bound.rows]
    distinct = distinct_references(gram)
    kept = regularised(gram[np.ix_(distinct, distinct)], ridge)
    return replace(asked, ids=asked.ids[distinct], references=asked.references[distinct], gram=kept)
