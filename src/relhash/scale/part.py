"""Candidates of one part of the text, on a worker: what they answer about themselves.

A part is made from its source, a function that any worker can call again. Everything else that it holds was told by the driver
(numbers of its structures, which of its candidates are training candidates) or follows from functions (bits), so a part whose
worker was lost is made again elsewhere, told again, and goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.features.codes import CodeSettings
from relhash.hashing.balanced_margin import project
from relhash.hashing.clusters import Clustering
from relhash.hashing.exact_moments import power_sums
from relhash.hashing.functions import Responses
from relhash.hashing.in_memory import StoredBits
from relhash.hashing.points import Points
from relhash.hashing.sources import data_of_view
from relhash.kernels.bound import BoundKernel, Kernel
from relhash.kernels.vector_kernels import VectorKernel
from relhash.scale.cluster import check_version
from relhash.scale.code_counts import count_codes
from relhash.scale.families import Asked, KeptSimilarities, on_parts
from relhash.scale.medians import Listed, digit_counts, listed
from relhash.scale.numbering import place_in, point_keys, sequence_keys
from relhash.structures.paths import PathSet

Source = Callable[[], tuple[Any, Mapping[str, Any]]]
"""Gives structures, and notes on what they were made from."""
KernelSource = Callable[[], Mapping[str, Sequence[Kernel]]]


@dataclass(frozen=True)
class PartSource:
    """How a part is made: its structures, and the kernels that are offered for each view (before they are fitted)."""

    structures: Source
    kernels: KernelSource
    version: str = relhash.__version__


@dataclass(frozen=True, eq=False)
class Preparation:
    """What the driver knows of a part, and tells it.

    Attributes
    ----------
    fitted
        γ and scales of fitted kernels, by view and number.
    ids
        The number of each distinct structure among those of all parts, by view.
    membership
        x of each candidate.
    owned
        Whether a point of this part is in no part before it.
    """

    fitted: Mapping[tuple[str, int], tuple[float, NDArray[np.float64]]]
    ids: Mapping[str, NDArray[np.int64]]
    membership: NDArray[np.uint8]
    owned: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class KnownFunction:
    """A function without its kernel, which every part has itself."""

    references: Any
    split: NDArray[np.uint8]
    view: str
    number: int
    parameters: NDArray[Any]


class Part:
    """The candidates of one part."""

    def __init__(self, source: PartSource) -> None:
        check_version(source.version)
        self.source = source
        self.structures, self.notes = source.structures()
        self.kernels = {view: list(offered) for view, offered in source.kernels().items()}
        self.is_prepared = False
        self.bits: dict[int, NDArray[np.uint8]] = {}
        self.lock = threading.Lock()
        self._bound: dict[tuple[str, int], BoundKernel] = {}
        self._compared: tuple[int, NDArray[np.float32]] | None = None
        self._answered: dict[int, Responses] = {}
        self._cells: dict[tuple[tuple[int, ...], bytes], Clustering] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return load_part, (self.source,)  # to another worker a part travels as its source

    def __sizeof__(self) -> int:
        """For the scheduler, which brings work to where much data is."""
        views = [data_of_view(self.structures, view) for view in self.kernels]
        return 1000 + sum(view.nbytes for view in views) + sum(bits.nbytes for bits in self.bits.values())

    # what is asked before the numbers are known

    def __len__(self) -> int:
        return len(self.structures)

    def about(self) -> tuple[int, Mapping[str, Any]]:
        """How many candidates it has, and the notes of its source."""
        return len(self), self.notes

    def vocabulary(self, view: str) -> tuple[str, ...] | None:
        data = data_of_view(self.structures, view)
        return data.vocabulary if isinstance(data, PathSet) else None

    def keys(self, view: str) -> NDArray[np.uint64]:
        return sequence_keys(data_of_view(self.structures, view).compact())

    def table_rows(self, view: str) -> NDArray[np.float64]:
        """The distinct rows of a table, sorted."""
        return np.unique(np.asarray(data_of_view(self.structures, view), np.float64), axis=0)

    def n_rows(self, view: str) -> int:
        return len(self.table_rows(view))

    def sampled_rows(self, view: str, most: int) -> NDArray[np.float64]:
        rows = self.table_rows(view)
        return rows[:: max(1, -(-len(rows) // most))]

    def rows_between(self, view: str, low: Any, high: Any) -> NDArray[np.float64]:
        rows = self.table_rows(view)
        first = 0 if low is None else place_in(rows, low)
        return rows[first : len(rows) if high is None else place_in(rows, high)]

    def add_up(self, view: str, so_far: NDArray[np.float64], mean: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """Sums of columns (or of squared distances to ``mean``), added to ``so_far`` row by row as numpy adds them."""
        rows = np.asarray(data_of_view(self.structures, view), np.float64)
        if mean is not None:
            rows = rows - mean
            rows = rows * rows
        return np.asarray(np.add.reduce(np.concatenate([so_far[None], rows]), axis=0))

    def rows_at(self, view: str, places: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(data_of_view(self.structures, view), np.float64)[places]

    def largest(self, view: str) -> NDArray[np.float64]:
        """Of each column the largest absolute value."""
        return np.abs(np.asarray(data_of_view(self.structures, view), np.float64)).max(axis=0, initial=0.0)

    def point_keys(self, ids: Mapping[str, NDArray[np.int64]]) -> NDArray[np.uint64]:
        """A key of each point, in the order of points; ``ids`` as in :class:`Preparation`."""
        points = self._points(ids, np.zeros(len(self), np.int64))
        return point_keys([ids[view][self._rows(view)[points.first]] for view in ids])

    def _rows(self, view: str) -> NDArray[np.int32]:
        """The structure of each candidate, numbered inside this part."""
        data = data_of_view(self.structures, view)
        if isinstance(data, PathSet):
            return data.compact().rows
        return np.unique(np.asarray(data, np.float64), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)

    def _points(self, ids: Mapping[str, NDArray[np.int64]], membership: NDArray[np.int64]) -> Points:
        return Points.from_rows([ids[view][self._rows(view)] for view in ids], membership)

    # what it is told

    def prepare(self, told: Preparation) -> None:
        """Bind the kernels, and number the points."""
        self.ids = told.ids
        self.points = self._points(told.ids, told.membership.astype(np.int64))
        self.owned = told.owned
        for (view, number), (gamma, scale) in told.fitted.items():
            kernel = self.kernels[view][number]
            assert isinstance(kernel, VectorKernel)
            kernel.gamma_, kernel.scale_ = gamma, scale
        for view, offered in self.kernels.items():
            for number, kernel in enumerate(offered):
                self._bound[view, number] = kernel.bind(data_of_view(self.structures, view), n_jobs=1)
        first = self.points.first
        self.rows = {view: self._bound[view, 0].rows[first] for view in self.kernels}
        self.tuples = np.stack([told.ids[view][self.rows[view]] for view in self.kernels], axis=1)
        self.is_prepared = True

    def catch_up(self, functions: Mapping[int, KnownFunction], family: Any) -> None:
        """Compute the bits of functions that were accepted while this part was not there."""
        for serial, one in functions.items():
            kernel = self.kernels[one.view][one.number]
            function = family.restore(one.references, one.split, kernel, one.view, one.parameters)
            self.bits[serial] = np.packbits(function.bits(self._bound[one.view, one.number])[self.rows[one.view]])

    # what it is asked while functions are learned

    def clusters(self, chosen: tuple[int, ...]) -> tuple[NDArray[np.int64], ...]:
        """Codes that occur; of each the candidates by kind, the points that are no other part's, and the first point."""
        totals, n_points, first = count_codes(self._codes(chosen), self.points.weights, self.owned, 1 << len(chosen))
        occurring = np.flatnonzero(first >= 0)
        return occurring, totals[occurring], n_points[occurring], self.tuples[first[occurring]]

    def members(self, view: str, chosen: tuple[int, ...], codes: NDArray[np.int64], cluster: int) -> NDArray[np.int64]:
        """The structures of a cluster, by their numbers among all."""
        inside = self._clustering(chosen, codes).cells == cluster
        return np.unique(self.ids[view][self.rows[view][inside]])

    def find(self, view: str, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], Any]:
        """Those of the structures ``ids`` that this part has, and what they are."""
        where = np.flatnonzero(np.isin(self.ids[view], ids))
        found: Any = self._bound[view, 0].unique(where)
        return self.ids[view][where], found.compact() if isinstance(found, PathSet) else found

    def table(self, asked: Asked, chosen: tuple[int, ...], codes: NDArray[np.int64]) -> NDArray[np.int64] | None:
        clustering = self._clustering(chosen, codes)
        return self._responses(asked).table(clustering, self.rows[asked.view], self.points.weights)

    def ones(
        self, asked: Asked, splits: NDArray[np.uint8], shared: Any, chosen: tuple[int, ...], codes: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        responses = self._responses(asked, shared)
        return responses.ones(splits, self._clustering(chosen, codes), self.rows[asked.view], self.points.weights)

    def accept(self, asked: Asked, split: NDArray[np.uint8], shared: Any, serial: int) -> None:
        bits = self._responses(asked, shared).bits(split)
        self.bits[serial] = np.packbits(bits[self.rows[asked.view]])

    def ones_of(self, functions: tuple[int, ...], chosen: tuple[int, ...], codes: NDArray[np.int64]) -> NDArray[np.int64]:
        stored = StoredBits(self._unpacked(functions), self.points.weights)
        return stored.ones_of(np.arange(len(functions)), self._clustering(chosen, codes))

    def candidate_bits(self, functions: tuple[int, ...]) -> NDArray[np.uint8]:
        """``(candidates, bytes)``: the bits of each candidate, packed."""
        return np.packbits(self._unpacked(functions)[:, self.points.of_candidate].T, axis=1)

    def power_sums(self, asked: Asked) -> NDArray[np.int64]:
        return power_sums(self._similarities(asked), self._n_candidates(asked.view))

    def median_counts(self, asked: Asked, directions: Any, prefixes: Any, shift: int, width: int) -> NDArray[np.int64]:
        return digit_counts(*self._projected(asked, directions), prefixes, shift, width)

    def median_values(self, asked: Asked, directions: Any, prefixes: Any, shift: int) -> list[Listed]:
        return listed(*self._projected(asked, directions), prefixes, shift)

    def _projected(self, asked: Asked, directions: NDArray[np.float64]) -> tuple[Any, NDArray[np.int64]]:
        """Along each direction the values of structures that resemble a reference, and how many candidates have them."""
        responses = self._responses(asked)
        assert isinstance(responses, KeptSimilarities)
        similarities = responses.similarities
        counts = self._n_candidates(asked.view)
        projected = [project(similarities, direction) for direction in directions]
        near = projected[0][1]
        return [values[near] for values, _ in projected], counts[near]

    def _responses(self, asked: Asked, shared: Any = None) -> Responses:
        if asked.serial not in self._answered:
            while len(self._answered) >= len(self.kernels[asked.view]):  # one kernel's split will be accepted
                del self._answered[next(iter(self._answered))]
            bound = self._bound[asked.view, asked.number]
            self._answered[asked.serial] = on_parts(asked.family).responses(bound, asked, lambda: self._similarities(asked))
        responses = self._answered[asked.serial]
        return responses.at(shared) if isinstance(responses, KeptSimilarities) and shared is not None else responses

    def _similarities(self, asked: Asked) -> NDArray[np.float32]:
        if self._compared is None or self._compared[0] != asked.serial:
            self._compared = asked.serial, self._bound[asked.view, asked.number].similarities(asked.references)
        return self._compared[1]

    def _n_candidates(self, view: str) -> NDArray[np.int64]:
        """How many candidates of this part have each of its structures."""
        return np.bincount(self._bound[view, 0].rows, minlength=self.ids[view].size)

    def _unpacked(self, functions: Sequence[int]) -> NDArray[np.uint8]:
        n_points = len(self.points)
        rows = [np.unpackbits(self.bits[function], count=n_points) for function in functions]
        return np.stack(rows) if rows else np.empty((0, n_points), np.uint8)

    def _codes(self, chosen: tuple[int, ...]) -> NDArray[np.int64]:
        codes = np.zeros(len(self.points), np.int64)
        for function in chosen:
            codes = (codes << 1) | np.unpackbits(self.bits[function], count=codes.size)
        return codes

    def _clustering(self, chosen: tuple[int, ...], codes: NDArray[np.int64]) -> Clustering:
        """The clusters of this part, numbered as the driver numbers those of all parts: by their place in ``codes``."""
        key = chosen, codes.tobytes()
        if key not in self._cells:
            if len(self._cells) > 2:
                self._cells.clear()
            number = np.zeros(1 << len(chosen), np.int32)
            number[codes] = np.arange(codes.size)
            empty = np.zeros((codes.size, self.points.weights.shape[1]), np.int64)  # totals are the driver's
            self._cells[key] = Clustering(number[self._codes(chosen)], empty)
        return self._cells[key]


def load_part(source: PartSource) -> Part:
    return Part(source)


def kernels_of(settings: CodeSettings) -> dict[str, list[Kernel]]:
    """The kernels of each view, made where they are needed: word vectors do not travel."""
    return {view: [kernel] for view, kernel in settings.make().learner.kernel.items()}
