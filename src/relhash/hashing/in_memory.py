"""All candidates in the memory of this process: arrays of points, and one row of bits per function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ParameterError
from relhash.hashing.clusters import Clustering, Clusters, cluster_by_bits, cluster_by_keys
from relhash.hashing.correlation import latent_factors
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.hashing.points import Points
from relhash.hashing.sampling import distinct_points
from relhash.hashing.sources import Source
from relhash.kernels.bound import Kernel


class StoredBits:
    """Bits ``(functions, points)`` and ``weights`` ``(points, kinds)``, how many candidates of each kind a point stands for.

    >>> StoredBits(np.array([[0, 1]], np.uint8), np.array([[2, 0], [1, 3]])).ones_of([0], one_cluster := Clustering(
    ...     np.zeros(2, np.int32), np.array([[3, 3]]))).tolist()
    [[[1, 3]]]
    """

    def __init__(self, bits: NDArray[np.uint8], weights: NDArray[np.int64]) -> None:
        self.bits, self.weights = bits, weights

    @property
    def n_functions(self) -> int:
        return len(self.bits)

    def clusters(self, chosen: NDArray[np.int64]) -> Clustering:
        return cluster_by_bits(self.bits, chosen, self.weights)

    def ones_of(self, functions: Sequence[int] | NDArray[np.int64], clusters: Clusters) -> NDArray[np.int64]:
        here = local(clusters)
        return _count_ones(self.bits, np.asarray(functions, np.int64), here.cells, self.weights, here.n_clusters)


class Evaluation:
    """Responses of all structures to the references, counted over the points.

    Parameters
    ----------
    responses
        How the structures respond to the references.
    clusters
        The clustering that stands for c_prev.
    rows
        The structure of each point.
    weights
        ``(points, kinds)``: candidates of each kind a point stands for.
    source
        The kernel that compared, for who accepts a split.
    """

    def __init__(
        self,
        responses: Responses,
        clusters: Clustering,
        rows: NDArray[np.int32],
        weights: NDArray[np.int64],
        source: Source | None = None,
    ) -> None:
        self.responses, self.clusters, self.rows, self.weights, self.source = responses, clusters, rows, weights, source
        self.view, self.number = ("", 0) if source is None else (source.view, source.number)
        self.n_references, self.fits = responses.n_references, responses.fits
        self.table = responses.table(clusters, rows, weights)

    def ones(self, splits: NDArray[np.uint8]) -> NDArray[np.int64]:
        return self.responses.ones(splits, local(self.clusters), self.rows, self.weights)

    def settled(self) -> Evaluation:
        settled = self.responses.settled()
        if settled is self.responses:
            return self
        return Evaluation(settled, local(self.clusters), self.rows, self.weights, self.source)


class Population:
    """Points, and the kernels that are bound to their structures.

    Parameters
    ----------
    sources
        The bound kernels of each view, point by point.
    points
        Distinct candidates with their weights.
    kernels, family
        As for every population.
    n_bits
        How many functions there may be at a time.
    keep_nearest
        Whether to remember the nearest reference of each point as well, if the family knows it.
    """

    def __init__(
        self,
        sources: Mapping[str, Sequence[Source]],
        points: Points,
        kernels: Mapping[str, Sequence[Kernel]],
        family: HashFamily,
        n_bits: int,
        *,
        keep_nearest: bool = False,
    ) -> None:
        self.sources, self.points, self.kernels, self.family = sources, points, kernels, family
        self.n_candidates = points.n_candidates
        self._n_functions = 0
        self._bits = np.zeros((n_bits, len(points)), np.uint8)
        self._nearest = np.zeros((n_bits, len(points)), np.uint8) if keep_nearest else None
        self._distinct = {view: distinct_points(offered[0].rows) for view, offered in sources.items()}
        self._latent: NDArray[np.int64] | None = None

    @property
    def n_functions(self) -> int:
        return self._n_functions

    @property
    def bits(self) -> NDArray[np.uint8]:
        """``(functions, points)``."""
        return self._bits[: self._n_functions]

    @property
    def nearest(self) -> NDArray[np.uint8] | None:
        """``(functions, points)``: the nearest references, if they were to be kept and all are known."""
        return None if self._nearest is None else self._nearest[: self._n_functions]

    def clusters(self, chosen: NDArray[np.int64]) -> Clustering:
        return self.stored.clusters(chosen)

    def ones_of(self, functions: Sequence[int] | NDArray[np.int64], clusters: Clusters) -> NDArray[np.int64]:
        return self.stored.ones_of(functions, clusters)

    def latent_clusters(self, n_factors: int, rng: np.random.Generator, *, anew: bool) -> Clustering:
        if anew or self._latent is None:
            factors = latent_factors(self.bits, self.points.weights[:, :2].sum(axis=1), n_factors, rng)
            self._latent = factors.codes(self.bits)
        return cluster_by_keys(self._latent, self.points.weights)

    def everywhere(self, view: str) -> NDArray[np.int64]:
        return self._distinct[view]

    def members(self, view: str, clusters: Clusters, cluster: int) -> NDArray[np.int64]:
        return distinct_points(self.sources[view][0].rows, np.flatnonzero(local(clusters).cells == cluster))

    def evaluate(self, view: str, number: int, places: NDArray[np.int64], clusters: Clusters) -> Evaluation:
        source = self.sources[view][number]
        responses = self.family.respond(source.bound, source.rows[places].astype(np.int64))
        return Evaluation(responses, local(clusters), source.rows, self.points.weights, source)

    def accept(self, evaluation: Evaluation, split: NDArray[np.uint8]) -> HashFunction:
        assert evaluation.source is not None
        source, responses = evaluation.source, evaluation.responses
        self._append(source, responses.bits(split), responses.nearest_references())
        references = source.bound.unique(responses.ids)
        return self.family.function(references, split, source.kernel, source.view, responses)

    def add(self, function: HashFunction) -> None:
        source = next((one for one in self.sources.get(function.view, ()) if one.kernel is function.kernel), None)
        if source is None:
            raise ParameterError(f"a function compares view {function.view!r} with a kernel that is not offered here")
        if self._nearest is None:
            self._append(source, function.bits(source.bound), None)
        else:
            self._append(source, *function.bits_and_nearest(source.bound))

    def keep(self, functions: Sequence[int]) -> None:
        for table in (self._bits, self._nearest):
            if table is not None:
                table[: len(functions)] = table[list(functions)]
        self._n_functions = len(functions)

    @property
    def stored(self) -> StoredBits:
        """The bits so far."""
        return StoredBits(self.bits, self.points.weights)

    def _append(self, source: Source, bits: NDArray[np.uint8], nearest: NDArray[np.uint8] | None) -> None:
        self._bits[self._n_functions] = bits[source.rows]
        if self._nearest is not None:
            if nearest is None:
                self._nearest = None
            else:
                self._nearest[self._n_functions] = nearest[source.rows]
        self._n_functions += 1


def local(clusters: Clusters) -> Clustering:
    """The clusters with the cell of each point, which those of this process have."""
    assert isinstance(clusters, Clustering)
    return clusters


@compiled
def _count_ones(
    bits: NDArray[np.uint8], functions: NDArray[np.int64], cells: NDArray[np.int32], weights: NDArray[np.int64], n_clusters: int
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    n_points, n_kinds = weights.shape
    ones = np.zeros((len(functions), n_clusters, n_kinds), np.int64)
    for number, function in enumerate(functions):
        for i in range(n_points):
            bit = bits[function, i]
            for kind in range(n_kinds):
                ones[number, cells[i], kind] += bit * weights[i, kind]  # a branch would be mispredicted half of the time
    return ones
