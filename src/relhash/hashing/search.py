"""Search by similarity in two stages: a list of near codes, then the exact kernels on this list.

Codes are compared by the billion a second, but order the nearest ones badly; kernels order them well, but take microseconds a
pair. So codes choose who is compared. How much a list of some length loses is what ``relhash benchmark similar`` measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from relhash.blas import one_blas_thread
from relhash.hashing.hamming import Codes, as_columns, nearest_in_parts
from relhash.hashing.sources import concatenate, data_of_view
from relhash.kernels.bound import Kernel

LISTED = 200
"""Near codes that are compared exactly."""


class Part(Protocol):
    """Candidates that can be searched, in memory or on disk."""

    @property
    def columns(self) -> Codes:
        """Their codes, ``(words, n)``."""

    def structures(self, rows: NDArray[np.int64]) -> Any:
        """What the kernels compare, of some of them."""


@dataclass(frozen=True, eq=False)
class InMemory:
    """Candidates whose codes and structures are at hand, as a :class:`Part`."""

    columns: Codes
    X: Any

    @classmethod
    def of(cls, codes: Codes, X: Any) -> InMemory:
        return cls(as_columns(codes), X)

    def structures(self, rows: NDArray[np.int64]) -> Any:
        return self.X[rows]


def similarities(kernels: Mapping[str, Sequence[Kernel]], X: Any, queries: Any) -> NDArray[np.float32]:
    """Exact similarity of candidates (rows) and queries (columns): the mean over the views, each by its first kernel.

    >>> from relhash.kernels import VectorKernel
    >>> similarities({"": [VectorKernel("rbf", gamma=1.0)]}, np.array([[0.0], [9.0]]), np.array([[0.0]])).tolist()
    [[1.0], [0.0]]
    """
    grams = [offered[0].gram(data_of_view(X, view), data_of_view(queries, view)) for view, offered in kernels.items()]
    return np.asarray(np.mean(grams, axis=0, dtype=np.float64), np.float32)


@one_blas_thread()
def search(
    kernels: Mapping[str, Sequence[Kernel]],
    parts: Sequence[Part],
    codes: Codes,
    queries: Any,
    *,
    n: int = 10,
    listed: int = LISTED,
) -> list[tuple[NDArray[np.float32], NDArray[np.int64]]]:
    """For each query similarities and numbers of the ``n`` candidates most like it, the best first.

    Numbers run on from part to part; of equally similar candidates the lower one comes first. The list has ``listed``
    candidates, at least ``n``; with one as long as all parts together the search is exact.
    """
    starts = np.cumsum([0, *(part.columns.shape[1] for part in parts)])
    size = min(max(listed, n), int(starts[-1]))
    if not size:
        return [(np.empty(0, np.float32), np.empty(0, np.int64)) for _ in range(len(codes))]
    _, near = nearest_in_parts(codes, [part.columns for part in parts], size)
    found = []
    for query, own in enumerate(near):
        own = np.sort(own)  # part by part, and within each as they lie on disk
        where = np.searchsorted(starts, own, "right") - 1
        pieces = [parts[number].structures(own[where == number] - starts[number]) for number in np.unique(where)]
        values = similarities(kernels, concatenate(*pieces), queries[[query]])[:, 0]
        best = np.argsort(-values, kind="stable")[:n]
        found.append((values[best], own[best]))
    return found
