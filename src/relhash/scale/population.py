"""Candidates in parts on the workers of a Dask cluster, as the learner of hash functions sees them.

The driver asks all parts the same question and adds up their answers (:mod:`relhash.scale.asking`,
:mod:`relhash.scale.part_counts`). Structures, points and clusters have the numbers that they would have in one process
(:mod:`relhash.scale.preparation`), so the same seed draws the same references and finds the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.hashing.clusters import Clusters
from relhash.hashing.functions import HashFunction
from relhash.hashing.learner import HashcodeLearner
from relhash.hashing.population import Evaluation, Population
from relhash.hashing.recorded import function_of, place_of, record_of
from relhash.kernels.bound import Kernel
from relhash.kernels.path_kernel import PathKernel
from relhash.kernels.vector_kernels import VectorKernel
from relhash.scale.asking import AskedParts
from relhash.scale.families import Asked, on_parts
from relhash.scale.part import KernelSource, KnownFunction, PartSource
from relhash.scale.part_counts import AllParts, PartClusters, PartEvaluation, added
from relhash.scale.preparation import prepare
from relhash.structures.paths import PathSet

if TYPE_CHECKING:
    from distributed import Client, Future


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
    on_part
        Called with the number of all parts whenever one is made.
    kernels
        The kernels of the sources, where these are futures: not here, but on workers.
    """

    def __init__(
        self,
        client: Client,
        sources: Sequence[PartSource] | Sequence[Future[PartSource]],
        n_train_sources: int | None,
        learner: HashcodeLearner,
        seed: np.random.SeedSequence,
        on_part: Callable[[int], object] | None = None,
        *,
        kernels: KernelSource | None = None,
    ) -> None:
        check_learner(learner)
        self.family = learner.family()
        self._way = on_parts(self.family)
        if kernels is None:
            assert isinstance(sources[0], PartSource)
            kernels = sources[0].kernels
        self.kernels = {view: list(offered) for view, offered in kernels().items()}
        for offered in self.kernels.values():
            for kernel in offered:
                _check_kernel(kernel)
        self._parts = AskedParts(client, sources, self.family, on_part)
        self._serial = 0
        self._drawn: dict[int, tuple[HashFunction, NDArray[np.int64]]] = {}  # by identity; kept, so that it stays theirs
        self._found: dict[str, dict[int, Any]] = {}  # structures that were references, by view and number
        self._last: dict[str, NDArray[Any]] | None = None
        about = self._parts.ask("about")
        self.notes = [notes for _, notes in about]
        sizes = [size for size, _ in about]
        n_train = sum(sizes if n_train_sources is None else sizes[:n_train_sources])
        n_target = None if n_train_sources is None else sum(sizes[n_train_sources:])
        self._parts.leave_out([size == 0 for size in sizes])
        sizes = [size for size in sizes if size]
        self.n_candidates = sum(sizes)
        self._everybody = AllParts(self._parts, self.n_candidates)
        if not n_train or n_target == 0:
            raise ParameterError("the text has no candidates: no sentence holds two entities that may relate")
        self._numbering = prepare(self._parts, self.kernels, sizes, learner.membership(n_train, n_target, seed))
        self.vocabularies = self._numbering.vocabularies

    @property
    def n_functions(self) -> int:
        return len(self._parts.alive)

    def clusters(self, chosen: NDArray[np.int64]) -> PartClusters:
        serials = tuple(self._parts.alive[number] for number in chosen)
        return PartClusters(serials, self._parts.post("clusters", serials))

    def ones_of(self, functions: Sequence[int] | NDArray[np.int64], clusters: Clusters) -> NDArray[np.int64]:
        assert isinstance(clusters, PartClusters)
        serials = tuple(self._parts.alive[number] for number in functions)
        return added(self._parts.ask("ones_of", serials, clusters.chosen, clusters.codes))

    def latent_clusters(self, n_factors: int, rng: np.random.Generator, *, anew: bool) -> Clusters:
        raise ParameterError("redundancy='correlation' needs all bits in one process; use 'clusters'")

    def everywhere(self, view: str) -> int:
        return self._numbering.n_structures[view]

    def members(self, view: str, clusters: Clusters, cluster: int) -> NDArray[np.int64]:
        assert isinstance(clusters, PartClusters)
        return np.unique(np.concatenate(self._parts.ask("members", view, clusters.chosen, clusters.codes, cluster)))

    def evaluate(self, view: str, number: int, places: NDArray[np.int64], clusters: Clusters) -> Evaluation:
        assert isinstance(clusters, PartClusters)
        asked = Asked(self._new_serial(), self.family, view, number, places, self._references(view, places))
        asked = self._way.ask(asked, self.kernels[view][number], self._everybody)
        return PartEvaluation(self._parts, self._everybody, asked, clusters)

    def accept(self, evaluation: Evaluation, split: NDArray[np.uint8]) -> HashFunction:
        assert isinstance(evaluation, PartEvaluation)
        asked, serial = evaluation.asked, self._new_serial()
        halves = evaluation.halves(split)
        function = self._way.function(asked, split, halves, self.kernels[asked.view][asked.number])
        self._parts.post_bits(serial, "accept", asked, split, halves, serial)
        self._remember(serial, function, asked.number, asked.ids)
        self._last = record_of(function, self.family, asked.ids, list(self.kernels), asked.number)
        return function

    def recorded(self) -> Mapping[str, NDArray[Any]] | None:
        return self._last

    def recall(self, recorded: Mapping[str, NDArray[Any]]) -> HashFunction:
        """Its bits, also if they were recorded, are computed by the parts as soon as they are asked for something."""
        view, number = place_of(recorded, list(self.kernels))
        ids = recorded["ids"]
        if ids.size and not 0 <= ids.min() <= ids.max() < self._numbering.n_structures[view]:
            raise ParameterError("a reference that was kept is not among the structures of this text")
        function = function_of(recorded, self.family, self._references(view, ids), self.kernels[view][number], view)
        self._remember(self._new_serial(), function, number, ids)
        return function

    def add(self, function: HashFunction) -> None:
        number = next((n for n, one in enumerate(self.kernels.get(function.view, ())) if one is function.kernel), None)
        if number is None:
            raise ParameterError(f"a function compares view {function.view!r} with a kernel that is not offered here")
        known = self._drawn.get(id(function))
        # parts compute its bits as soon as they are asked for something that needs them
        self._remember(self._new_serial(), function, number, None if known is None else known[1])

    def keep(self, functions: Sequence[int]) -> None:
        self._parts.send()  # what was posted may be about functions that go
        self._parts.alive = [self._parts.alive[number] for number in functions]

    def bits(self) -> NDArray[np.uint8]:
        """``(candidates, functions)``: the code of every candidate, part after part."""
        packed = np.concatenate(self._parts.ask("candidate_bits", tuple(self._parts.alive)))
        return np.unpackbits(packed, axis=1, count=self.n_functions)

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
            sequences = [self._found[view][one] for one in wanted.tolist()]
            order = self.vocabularies[view]
            used = sorted({token for sequence in sequences for token in sequence}, key=order.__getitem__)
            pool = PathSet.from_sequences(sequences, used)
            for function, ids in zip(own, drawn, strict=True):
                function.references = pool[np.searchsorted(wanted, ids)]

    def _references(self, view: str, ids: NDArray[np.int64]) -> Any:
        """The structures themselves, from parts that have them; those that were found before are known."""
        found = self._found.setdefault(view, {})
        unknown = np.array([one for one in ids.tolist() if one not in found], np.int64)
        if unknown.size:
            wanted = self._numbering.has(view, unknown, len(self._parts))
            replies = self._parts.ask_each("find", [None if own is None else (view, own) for own in wanted])
            for own, structures in filter(None, replies):
                found |= {one: structures[place] for place, one in enumerate(own.tolist())}
        references = [found[one] for one in ids.tolist()]
        return PathSet.from_sequences(references) if view in self.vocabularies else np.stack(references)

    def _new_serial(self) -> int:
        self._serial += 1
        return self._serial

    def _remember(self, serial: int, function: HashFunction, number: int, ids: NDArray[np.int64] | None) -> None:
        parameters = function.parameters
        self._parts.functions[serial] = KnownFunction(function.references, function.split, function.view, number, parameters)
        if ids is not None:
            self._drawn[id(function)] = function, ids
        self._parts.alive.append(serial)


def check_learner(learner: HashcodeLearner) -> None:
    """An error for what can only be learned in one process."""
    on_parts(learner.family())
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
