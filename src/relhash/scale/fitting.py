"""``relhash fit --engine dask``: text parsed, structures built and hash functions learned on a cluster.

Labels, feature parts, classifier and threshold stay in the driver, which holds the candidates of both texts as one process
does. The model has the bytes that one process would write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from relhash.corpus import Document
from relhash.errors import ParameterError
from relhash.features.codes import CodeSettings
from relhash.hashing.learner import HashcodeLearner
from relhash.journal import Journal
from relhash.models.fitting.engine import Engine
from relhash.models.fitting.stages import FitPlan
from relhash.models.presets import Preset
from relhash.scale.in_order import in_order, n_workers
from relhash.scale.part import PartSource, kernels_of
from relhash.scale.population import ClusterPopulation, check_learner
from relhash.scale.spread import Place, SpreadStructures
from relhash.structures import Candidate, StructureSet

if TYPE_CHECKING:
    from distributed import Client

Piece = TypeVar("Piece")
Result = TypeVar("Result")
PARTS_PER_WORKER = 2
"""At least so many, if there are as many documents: every worker has something to do."""


class ClusterEngine(Engine):
    """A Dask cluster, for :meth:`RelationExtractor.fit <relhash.models.RelationExtractor.fit>`.

    Parameters
    ----------
    client
        The cluster (:func:`relhash.scale.cluster.cluster`).
    partition_size
        Documents of a part of the text, at most. The model does not depend on it.
    on_part
        Called whenever the structures of a part are built.
    """

    def __init__(self, client: Client, *, partition_size: int = 1000, on_part: Callable[[], object] | None = None) -> None:
        self.client, self.partition_size, self.on_part = client, partition_size, on_part
        self._places: dict[int, Place] = {}
        self._read: list[Document] = []  # as long as they are known by their identity

    def check(self, plan: FitPlan) -> None:
        if plan.codes is None:
            check_settings(plan.settings)
            if plan.vectors is not None:
                raise ParameterError("vectors of your own stay in one process; leave out vectors or engine")

    def in_order(self, function: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
        for future, read in in_order(self.client, function, pieces):
            for number, (document, _) in enumerate(read):
                self._places[id(document)] = future, number
                self._read.append(document)
            yield read

    def structures(self, candidates: Sequence[Candidate], views: Sequence[str]) -> SpreadStructures:
        n_documents = len({id(candidate.document) for candidate in candidates})
        wanted = -(-n_documents // (PARTS_PER_WORKER * max(1, n_workers(self.client))))
        size = max(1, min(self.partition_size, wanted))
        return SpreadStructures.build(self.client, candidates, views, size, self._places, self.on_part)

    def fit_hash(
        self,
        settings: CodeSettings,
        learner: HashcodeLearner,
        X: StructureSet,
        y: Any = None,
        *,
        target: StructureSet | None = None,
        journal: Journal | None = None,
    ) -> tuple[Any, Any]:
        self._places.clear()  # all structures are built: workers need the documents no more
        self._read.clear()
        sides = [X] if target is None else [X, target]
        kernels = partial(kernels_of, settings)
        parts = [part for side in sides for part in _spread(side).parts]
        sources = self.client.map(partial(_source, kernels=kernels), parts, pure=False)
        n_train = None if target is None else len(_spread(X).parts)
        seed = learner.seed()
        population = ClusterPopulation(self.client, sources, n_train, learner, seed, kernels=kernels)
        learner.fit_population(population, seed, journal=journal)
        population.settle(learner.functions_)
        if learner.interrupted_ or learner.output != "bits":  # Ctrl-C may have ended workers, too
            return learner.transform(X), None if target is None else learner.transform(target)
        bits = population.bits()
        return bits[: len(X)], None if target is None else bits[len(X) :]


def check_settings(settings: Preset) -> None:
    """An error for hash functions that only one process can learn."""
    if not settings.has_codes:
        return
    remedy = "leave out --engine dask"
    for choice in settings.learner_choices or ({},):
        wanted = {**settings.learner, **choice}
        if wanted.get("supervised"):
            raise ParameterError(f"these hash functions are learned with labels, which is done in one process only; {remedy}")
        try:
            check_learner(replace(settings.code, learner=wanted).make().learner)
        except ParameterError as error:
            raise ParameterError(f"{error}, or {remedy}") from error


def _spread(structures: StructureSet) -> SpreadStructures:
    if not isinstance(structures, SpreadStructures):
        raise ParameterError("hash functions are learned on a cluster from structures that it has built")
    return structures


def _source(built: tuple[StructureSet, Any], kernels: Callable[[], Mapping[str, Sequence[Any]]]) -> PartSource:
    return PartSource(partial(_as_they_are, built[0]), kernels)


def _as_they_are(structures: StructureSet) -> tuple[StructureSet, dict[str, Any]]:
    return structures, {}
