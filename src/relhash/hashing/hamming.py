"""Codes as packed bits, 64 functions per word, their Hamming distances, the nearest codes, and search by similarity.

Bits are counted by the processor's own instruction. Codes are compared column by column (all first words, then all second
words), tile by tile: neighbouring words then fill a vector register, and a tile is read from memory once for all queries. A
million codes of 128 bits take less than a millisecond a query where queries come together;
``benchmarks/whole_way.py`` measures it beside faiss and numpy.

Codes order the nearest ones badly; kernels order them well, but take microseconds a pair. So a search has two stages: codes
choose a list, and the exact kernels order it. ``relhash benchmark similar`` measures what a short list loses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.blas import one_blas_thread
from relhash.errors import ParameterError
from relhash.hashing.table import data_of_view
from relhash.kernels.bound import Kernel


def pack(bits: NDArray[Any]) -> NDArray[np.uint64]:
    """``(n, n_bits)`` of 0 and 1 → ``(n, ⌈n_bits / 64⌉)`` words; bit l is bit ``l % 64`` of column ``l // 64``.

    >>> pack(np.array([[1, 0, 1]])).tolist()
    [[5]]
    """
    bits = np.asarray(bits)
    n, n_bits = bits.shape
    padded = np.zeros((n, -(-n_bits // 64) * 64), np.uint8)
    padded[:, :n_bits] = bits
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64, copy=False)


def unpack(codes: NDArray[np.uint64], n_bits: int) -> NDArray[np.uint8]:
    """The inverse of :func:`pack`.

    >>> unpack(np.array([[5]], np.uint64), 3).tolist()
    [[1, 0, 1]]
    """
    codes = np.ascontiguousarray(codes, np.uint64)
    if codes.ndim != 2 or not 64 * (codes.shape[1] - 1) < n_bits <= 64 * codes.shape[1]:
        raise ParameterError(f"n_bits={n_bits} does not fit codes of shape {codes.shape}")
    octets = codes.astype("<u8", copy=False).view(np.uint8).reshape(len(codes), -1)
    return np.unpackbits(octets, axis=1, count=n_bits, bitorder="little")


Codes = NDArray[np.uint64]


def hamming_distances(queries: Codes, codes: Codes) -> NDArray[np.uint16]:
    """Number of differing bits, ``(queries, codes)``.

    >>> hamming_distances(np.array([[5]], np.uint64), np.array([[5], [4], [2]], np.uint64)).tolist()
    [[0, 1, 3]]
    """
    queries, codes = _same_width(queries, codes)
    from relhash.hashing.bit_counts import distances_of  # brings Numba, which few need

    return distances_of(queries, as_columns(codes))


def nearest_codes(queries: Codes, codes: Codes, k: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Distances and indices of the ``k`` codes nearest to each query, nearest first, lower index first among equals.

    >>> distances, indices = nearest_codes(np.array([[5]], np.uint64), np.array([[2], [4], [5]], np.uint64), 2)
    >>> distances.tolist(), indices.tolist()
    ([[0, 1]], [[2, 1]])
    """
    queries, codes = _same_width(queries, codes)
    return nearest_in_columns(queries, as_columns(codes), k)


def as_columns(codes: Codes) -> Codes:
    """Codes ``(n, words)`` → ``(words, n)``, in this order in memory: make it once for codes that are searched often."""
    return np.ascontiguousarray(codes.T, np.uint64)


def nearest_in_columns(queries: Codes, columns: Codes, k: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """As :func:`nearest_codes`, of codes that :func:`as_columns` has turned."""
    return nearest_in_parts(queries, [columns], k)


def nearest_in_parts(queries: Codes, parts: Sequence[Codes], k: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The same of codes that lie in several places, such as files mapped into memory; indices run on from part to part.

    >>> parts = [np.array([[2, 4]], np.uint64), np.array([[5]], np.uint64)]
    >>> [found.tolist() for found in nearest_in_parts(np.array([[5]], np.uint64), parts, 2)]
    [[[0, 1]], [[2, 1]]]
    """
    from relhash.hashing.bit_counts import take_nearer

    queries = np.ascontiguousarray(queries, np.uint64)
    n = sum(part.shape[1] for part in parts)
    if not 1 <= k <= n:
        raise ParameterError(f"k={k} must lie between 1 and the number of codes, {n}")
    # no code is as far as this, so the first k enter whatever their distance
    distances = np.full((len(queries), k), np.iinfo(np.uint16).max, np.uint16)
    indices = np.zeros((len(queries), k), np.int64)
    first = 0
    for columns in parts:
        _check_width(queries, columns.T)
        take_nearer(queries, columns, first, distances, indices)
        first += columns.shape[1]
    return distances, indices


def _same_width(queries: Codes, codes: Codes) -> tuple[Codes, Codes]:
    queries, codes = np.ascontiguousarray(queries, np.uint64), np.asarray(codes, np.uint64)
    _check_width(queries, codes)
    return queries, codes


def _check_width(queries: Codes, codes: Codes) -> None:
    if queries.ndim != 2 or codes.ndim != 2 or queries.shape[1] != codes.shape[1] or not codes.shape[1]:
        raise ParameterError(f"codes of no or of different width cannot be compared: {queries.shape} and {codes.shape}")


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
        Codes of all candidates, ``(words, n)`` each (:func:`as_columns`), in memory or mapped.
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
