"""Search by similarity in two stages: a list of near codes, then the exact kernels on this list.

Codes are compared by the billion a second, but order the nearest ones badly; kernels order them well, but take microseconds a
pair. So codes choose who is compared. How much a list of some length loses is what ``relhash benchmark similar`` measures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.blas import one_blas_thread
from relhash.hashing.hamming import Codes, nearest_in_parts
from relhash.hashing.table import data_of_view
from relhash.kernels.bound import Kernel

LISTED = 200
"""Near codes that are compared exactly."""


def similarities(kernels: Mapping[str, Sequence[Kernel]], X: Any, queries: Any) -> NDArray[np.float32]:
    """Exact similarity of candidates (rows) and queries (columns): the mean over the views, each by its first kernel.

    >>> from relhash.kernels import VectorKernel
    >>> similarities({"": [VectorKernel("rbf", gamma=1.0)]}, np.array([[0.0], [99.0]]), np.array([[0.0]])).tolist()
    [[1.0], [0.0]]
    """
    grams = [offered[0].gram(data_of_view(X, view), data_of_view(queries, view)) for view, offered in kernels.items()]
    return np.asarray(np.mean(grams, axis=0, dtype=np.float64), np.float32)


@one_blas_thread()
def search(
    kernels: Mapping[str, Sequence[Kernel]],
    parts: Sequence[Codes],
    structures: Callable[[NDArray[np.int64]], Any],
    codes: Codes,
    queries: Any,
    *,
    n: int = 10,
    listed: int = LISTED,
) -> list[tuple[NDArray[np.float32], NDArray[np.int64]]]:
    """For each query similarities and numbers of the ``n`` candidates most like it, the best first.

    The list has ``listed`` candidates, at least ``n``; with one as long as all parts together the search is exact. Of equally
    similar candidates the lower number comes first.

    Parameters
    ----------
    parts
        Codes of all candidates, ``(words, n)`` each (:func:`~relhash.hashing.hamming.as_columns`), in memory or mapped.
    structures
        Gives what the kernels compare, of the candidates with these numbers, which run on from part to part.
    codes, queries
        Codes and structures of what is looked for.
    """
    size = min(max(listed, n), sum(part.shape[1] for part in parts))
    if not size:
        return [(np.empty(0, np.float32), np.empty(0, np.int64)) for _ in range(len(codes))]
    found = []
    for query, near in enumerate(nearest_in_parts(codes, parts, size)[1]):
        rows = np.sort(near)  # as they lie on disk
        values = similarities(kernels, structures(rows), queries[[query]])[:, 0]
        best = np.argsort(-values, kind="stable")[:n]
        found.append((values[best], rows[best]))
    return found
