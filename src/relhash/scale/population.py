"""Candidates in parts on the workers of a Dask cluster, as the learner of hash functions sees them.

The driver asks all parts the same question and adds up their answers (:mod:`relhash.scale.asking`). Structures, points and
clusters have the numbers that they would have in one process, so the same seed draws the same references and finds the same
functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.hashing.clusters import Clusters
from relhash.hashing.functions import HashFunction
from relhash.hashing.learner import HashcodeLearner
from relhash.hashing.population import Evaluation, Population
from relhash.kernels.bound import Kernel
from relhash.kernels.path_kernel import PathKernel
from relhash.kernels.vector_kernels import SAMPLE, VectorKernel
from relhash.scale import families
from relhash.scale.asking import AskedParts
from relhash.scale.families import Asked
from relhash.scale.numbering import number_by_occurrence, number_by_order
from relhash.scale.part import KnownFunction, PartSource, Preparation
from relhash.structures.paths import PathSet

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["ClusterPopulation", "PartClusters"]


class PartClusters(Clusters):
    """Clusters by some functions; ``codes`` are their codes in the order in which they are numbered."""

    def __init__(
        self, chosen: tuple[int, ...], codes: NDArray[np.int64], totals: NDArray[np.int64], n_points: NDArray[np.int64]
    ) -> None:
        self.chosen, self.codes, self.totals, self._n_points = chosen, codes, totals, n_points

    @property
    def n_points(self) -> NDArray[np.int64]:
        return self._n_points


class _PartEvaluation(Evaluation):
    def __init__(self, population: ClusterPopulation, asked: Asked, clusters: PartClusters) -> None:
        self.population, self.asked, self.clusters = population, asked, clusters
        self.view, self.number, self.n_references, self.fits = asked.view, asked.number, int(asked.ids.size), False
        self.table = population.count_table(asked, clusters) if families.has_table(asked.family) else None

    def ones(self, splits: NDArray[np.uint8]) -> NDArray[np.int64]:
        assert isinstance(self.clusters, PartClusters)
        return self.population.count_ones(self.asked, splits, self.clusters)


class ClusterPopulation(Population):
    """The candidates of several sources, in their order.

    Parameters
    ----------
    client
        The cluster.
    sources
        How each part is made; a part without candidates is left out.
    n_train_sources
        How many of them, from the first on, are training text; the others are the target. None: all, and a share of them plays
        the target.
    learner
        Whose functions will be learned.
    seed
        Of the fit, from ``learner.seed()``.
    """

    def __init__(
        self,
        client: Client,
        sources: Sequence[PartSource],
        n_train_sources: int | None,
        learner: HashcodeLearner,
        seed: np.random.SeedSequence,
    ) -> None:
        _check(learner)
        self.family = learner.family()
        families.check_family(self.family)
        self.kernels = {view: list(offered) for view, offered in sources[0].kernels().items()}
        for offered in self.kernels.values():
            for kernel in offered:
                _check_kernel(kernel)
        self._parts = AskedParts(client, sources, self.family)
        self._serial = 0
        self._drawn: dict[int, tuple[HashFunction, NDArray[np.int64]]] = {}  # by identity; kept, so that it stays theirs
        self._sequences: dict[str, dict[int, list[str]]] = {}
        about = self._parts.ask("about")
        self.notes = [notes for _, notes in about]
        sizes = [size for size, _ in about]
        n_train = sum(sizes if n_train_sources is None else sizes[:n_train_sources])
        n_target = None if n_train_sources is None else sum(sizes[n_train_sources:])
        self._parts.leave_out([size == 0 for size in sizes])
        self._sizes = [size for size in sizes if size]
        self.n_candidates = sum(self._sizes)
        if not n_train or n_target == 0:
            raise ParameterError("the text has no candidates: no sentence holds two entities that may relate")
        self._prepare(learner.membership(n_train, n_target, seed))

    def _prepare(self, membership: NDArray[np.int64]) -> None:
        """Number structures and points as one process would, fit kernels, and tell every part."""
        self.vocabularies: dict[str, dict[str, int]] = {}
        self._n_structures: dict[str, int] = {}
        ids: list[dict[str, NDArray[np.int64]]] = [{} for _ in range(len(self._parts))]
        for view in self.kernels:
            vocabularies = self._parts.ask("vocabulary", view)
            if vocabularies[0] is None:
                numbers = number_by_order(
                    self._parts.ask("n_rows", view),
                    lambda most, view=view: self._parts.ask("sampled_rows", view, most),  # type: ignore[misc]
                    lambda low, high, view=view: self._parts.ask("rows_between", view, low, high),  # type: ignore[misc]
                )
                self._fit_kernels(view)
            else:
                order = self.vocabularies[view] = {}
                for vocabulary in vocabularies:
                    for token in vocabulary:
                        order.setdefault(token, len(order))
                numbers, _ = number_by_occurrence(self._parts.ask("keys", view))
            self._n_structures[view] = 1 + max(int(own.max(initial=-1)) for own in numbers)
            for part, own in zip(ids, numbers, strict=True):
                part[view] = own
        _, owned = number_by_occurrence(self._parts.ask_each("point_keys", [(own,) for own in ids]))
        fitted = {
            (view, number): (kernel.gamma_, kernel.scale_)
            for view, offered in self.kernels.items()
            for number, kernel in enumerate(offered)
            if isinstance(kernel, VectorKernel) and hasattr(kernel, "gamma_")
        }
        stops = np.cumsum(self._sizes)[:-1]
        memberships = np.split(membership.astype(np.uint8), stops)
        self._parts.told = [Preparation(fitted, *each) for each in zip(ids, memberships, owned, strict=True)]

    def _fit_kernels(self, view: str) -> None:
        """Standard deviations by adding row to row from part to part, and the rows that one process would sample."""
        if not any(kernel.needs_fit for kernel in self.kernels[view]):
            return
        largest = np.max(self._parts.ask("largest", view), axis=0)
        sums = self._parts.chain("add_up", view, np.zeros(largest.size), None)
        mean = sums / self.n_candidates
        spread = np.sqrt(self._parts.chain("add_up", view, np.zeros(largest.size), mean) / self.n_candidates)
        every, starts = max(1, -(-self.n_candidates // SAMPLE)), np.cumsum([0, *self._sizes])
        places = np.arange(0, self.n_candidates, every)
        own = [(view, places[(places >= low) & (places < high)] - low) for low, high in pairwise(starts)]
        sample = np.concatenate(self._parts.ask_each("rows_at", own))
        for kernel in self.kernels[view]:
            if kernel.needs_fit:
                assert isinstance(kernel, VectorKernel)
                kernel.fit_summary(spread, largest, sample)

    @property
    def n_functions(self) -> int:
        return len(self._parts.alive)

    def clusters(self, chosen: NDArray[np.int64]) -> PartClusters:
        serials = tuple(self._parts.alive[number] for number in chosen)
        answers = self._parts.ask("clusters", serials)
        codes = np.concatenate([answer[0] for answer in answers])
        distinct, cells = np.unique(codes, return_inverse=True)
        totals = np.zeros((distinct.size, answers[0][1].shape[1]), np.int64)
        n_points = np.zeros(distinct.size, np.int64)
        np.add.at(totals, cells, np.concatenate([answer[1] for answer in answers]))
        np.add.at(n_points, cells, np.concatenate([answer[2] for answer in answers]))
        firsts = np.concatenate([answer[3] for answer in answers])
        by_point = np.lexsort((*firsts.T[::-1], cells))  # inside each cluster its first point comes first
        first = by_point[np.unique(cells[by_point], return_index=True)[1]]
        order = np.lexsort(firsts[first].T[::-1])
        return PartClusters(serials, distinct[order], totals[order], n_points[order])

    def ones_of(self, functions: Sequence[int] | NDArray[np.int64], clusters: Clusters) -> NDArray[np.int64]:
        assert isinstance(clusters, PartClusters)
        serials = tuple(self._parts.alive[number] for number in functions)
        return _added(self._parts.ask("ones_of", serials, clusters.chosen, clusters.codes))

    def latent_clusters(self, n_factors: int, rng: np.random.Generator, *, anew: bool) -> Clusters:
        raise ParameterError("redundancy='correlation' needs all bits in one process; use 'clusters'")

    def everywhere(self, view: str) -> int:
        return self._n_structures[view]

    def members(self, view: str, clusters: Clusters, cluster: int) -> NDArray[np.int64]:
        assert isinstance(clusters, PartClusters)
        return np.unique(np.concatenate(self._parts.ask("members", view, clusters.chosen, clusters.codes, cluster)))

    def evaluate(self, view: str, number: int, places: NDArray[np.int64], clusters: Clusters) -> Evaluation:
        assert isinstance(clusters, PartClusters)
        self._serial += 1
        asked = Asked(self._serial, self.family, view, number, places, self._references(view, places))
        return _PartEvaluation(self, families.ask(asked, self.kernels[view][number], self), clusters)

    def accept(self, evaluation: Evaluation, split: NDArray[np.uint8]) -> HashFunction:
        assert isinstance(evaluation, _PartEvaluation)
        asked, serial = evaluation.asked, self._new_serial()
        halves = families.shared(asked, split[None], self)
        function = families.made_function(asked, split, halves, self.kernels[asked.view][asked.number])
        self._parts.ask("accept", asked, split, halves, serial)
        self._remember(serial, function, asked.number, asked.ids)
        return function

    def add(self, function: HashFunction) -> None:
        number = next((n for n, one in enumerate(self.kernels.get(function.view, ())) if one is function.kernel), None)
        if number is None:
            raise ParameterError(f"a function compares view {function.view!r} with a kernel that is not offered here")
        known = self._drawn.get(id(function))
        # parts compute its bits as soon as they are asked for something that needs them
        self._remember(self._new_serial(), function, number, None if known is None else known[1])

    def keep(self, functions: Sequence[int]) -> None:
        self._parts.alive = [self._parts.alive[number] for number in functions]

    def settle(self, functions: Sequence[HashFunction]) -> None:
        """Give the functions the references that one process would give them: to the last byte of a file."""
        groups: dict[tuple[str, int], list[HashFunction]] = {}  # one process has the structures once for each kernel
        for function in functions:
            groups.setdefault((function.view, id(function.kernel)), []).append(function)
        for (view, _), own in groups.items():
            if view not in self.vocabularies or any(id(function) not in self._drawn for function in own):
                continue  # rows of a table; or some were learned before, and their references stay as they came
            drawn = [self._drawn[id(function)][1] for function in own]
            wanted = np.unique(np.concatenate(drawn))
            sequences = [self._sequences[view][one] for one in wanted.tolist()]
            order = self.vocabularies[view]
            used = sorted({token for sequence in sequences for token in sequence}, key=order.__getitem__)
            pool = PathSet.from_sequences(sequences, used)
            for function, ids in zip(own, drawn, strict=True):
                function.references = pool[np.searchsorted(wanted, ids)]

    # what families ask of all parts

    def count_table(self, asked: Asked, clusters: PartClusters) -> NDArray[np.int64]:
        return _added(self._parts.ask("table", asked, clusters.chosen, clusters.codes))

    def count_ones(self, asked: Asked, splits: NDArray[np.uint8], clusters: PartClusters) -> NDArray[np.int64]:
        halves = families.shared(asked, splits, self)
        return _added(self._parts.ask("ones", asked, splits, halves, clusters.chosen, clusters.codes))

    def similarities(self, asked: Asked) -> NDArray[np.float32]:
        together = np.empty((self._n_structures[asked.view], asked.ids.size), np.float32)
        for ids, own in self._parts.ask("similarities", asked):
            together[ids] = own
        return together

    def n_candidates_of(self, view: str) -> NDArray[np.int64]:
        together = np.zeros(self._n_structures[view], np.int64)
        for ids, own in self._parts.ask("n_candidates", view):
            together[ids] += own
        return together

    def digit_counts(self, asked: Asked, directions: Any, prefixes: Any, shift: int, width: int) -> NDArray[np.int64]:
        return _added(self._parts.ask("median_counts", asked, directions, prefixes, shift, width))

    def around(self, asked: Asked, directions: Any, values: NDArray[np.float64]) -> NDArray[np.float64]:
        answers = np.stack(self._parts.ask("around", asked, directions, values))
        counts, low, high = answers[..., :2].sum(axis=0), answers[..., 2].max(axis=0), answers[..., 3].min(axis=0)
        return np.column_stack([counts, low, high])

    def _references(self, view: str, ids: NDArray[np.int64]) -> Any:
        """The structures themselves, from whatever part has them."""
        found: dict[int, Any] = {}
        for own, structures in self._parts.ask("find", view, ids):
            found |= {one: structures[place] for place, one in enumerate(own.tolist())}
        wanted = [found[one] for one in ids.tolist()]
        if view not in self.vocabularies:
            return np.stack(wanted)
        self._sequences.setdefault(view, {}).update(found)
        return PathSet.from_sequences(wanted)

    def _new_serial(self) -> int:
        self._serial += 1
        return self._serial

    def _remember(self, serial: int, function: HashFunction, number: int, ids: NDArray[np.int64] | None) -> None:
        parameters = function.parameters
        self._parts.functions[serial] = KnownFunction(function.references, function.split, function.view, number, parameters)
        if ids is not None:
            self._drawn[id(function)] = function, ids
        self._parts.alive.append(serial)


def _added(answers: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return reduce(np.add, answers)


def _check(learner: HashcodeLearner) -> None:
    if learner.supervised_weight:
        raise ParameterError("supervised_weight needs labels, which a fit on a cluster does not look at; set it to 0")
    if learner.redundancy != "clusters":
        raise ParameterError("redundancy='correlation' needs all bits in one process; use 'clusters'")


def _check_kernel(kernel: Kernel) -> None:
    known = isinstance(kernel, PathKernel) or (isinstance(kernel, VectorKernel) and not callable(kernel.metric))
    if not known or kernel.combines_views:
        raise ParameterError(
            f"kernel {type(kernel).__name__}: on a cluster there are path kernels of one view and vector kernels"
        )
