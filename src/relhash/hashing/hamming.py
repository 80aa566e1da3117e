"""Hamming distances between packed codes, and the nearest codes, by the processor's own instruction for counting bits.

Codes are compared column by column (all first words, then all second words), tile by tile: neighbouring words then fill a
vector register, and a tile is read from memory once for all queries. A million codes of 128 bits take less than a millisecond
a query where queries come together; ``benchmarks/hamming_speed.py`` prints it beside faiss and numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ParameterError

Codes = NDArray[np.uint64]

TILE = 1024
"""Codes that are compared with all queries before the next are read: their words and distances stay in the first cache."""


def hamming_distances(queries: Codes, codes: Codes) -> NDArray[np.uint16]:
    """Number of differing bits, ``(queries, codes)``.

    >>> hamming_distances(np.array([[5]], np.uint64), np.array([[5], [4], [2]], np.uint64)).tolist()
    [[0, 1, 3]]
    """
    queries, codes = _same_width(queries, codes)
    return _distances(queries, as_columns(codes))


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
        _take_nearer(queries, columns, first, distances, indices)
        first += columns.shape[1]
    return distances, indices


def _same_width(queries: Codes, codes: Codes) -> tuple[Codes, Codes]:
    queries, codes = np.ascontiguousarray(queries, np.uint64), np.asarray(codes, np.uint64)
    _check_width(queries, codes)
    return queries, codes


def _check_width(queries: Codes, codes: Codes) -> None:
    if queries.ndim != 2 or codes.ndim != 2 or queries.shape[1] != codes.shape[1] or not codes.shape[1]:
        raise ParameterError(f"codes of no or of different width cannot be compared: {queries.shape} and {codes.shape}")


@intrinsic
def _popcount(context: Any, word: Any) -> Any:  # pragma: no cover - compiled
    """Ones in a word: one instruction where the processor has it, which LLVM knows."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@compiled
def _tile_distances(
    query: Codes, columns: Codes, start: int, distances: NDArray[np.uint64]
) -> None:  # pragma: no cover - compiled
    """Distances of the codes from ``start`` on into a buffer, a plain loop per word so that it is vectorised.

    The slice matters: of ``column[start + c]`` the compiler must fear a negative index, and compares one by one.
    """
    word, column = query[0], columns[0, start : start + len(distances)]
    for c in range(len(distances)):
        distances[c] = _popcount(word ^ column[c])  # type: ignore[call-arg]
    for w in range(1, len(query)):
        word, column = query[w], columns[w, start : start + len(distances)]
        for c in range(len(distances)):
            distances[c] += _popcount(word ^ column[c])  # type: ignore[call-arg]


@compiled
def _distances(queries: Codes, columns: Codes) -> NDArray[np.uint16]:  # pragma: no cover - compiled
    n = columns.shape[1]
    result = np.empty((len(queries), n), np.uint16)
    buffer = np.empty(TILE, np.uint64)
    for start in range(0, n, TILE):
        tile = buffer[: min(TILE, n - start)]
        for q in range(len(queries)):
            _tile_distances(queries[q], columns, start, tile)
            for c in range(len(tile)):
                result[q, start + c] = tile[c]
    return result


@compiled
def _take_nearer(
    queries: Codes, columns: Codes, first: int, distances: NDArray[np.uint16], indices: NDArray[np.int64]
) -> None:  # pragma: no cover - compiled
    """Put the codes that are nearer than the last ones so far into the sorted lists, under their number plus ``first``."""
    n, k = columns.shape[1], distances.shape[1]
    buffer = np.empty(TILE, np.uint64)
    for start in range(0, n, TILE):
        tile = buffer[: min(TILE, n - start)]
        for q in range(len(queries)):
            _tile_distances(queries[q], columns, start, tile)
            smallest = tile[0]
            for c in range(1, len(tile)):
                smallest = min(smallest, tile[c])
            if smallest >= distances[q, k - 1]:
                continue
            for c in range(len(tile)):
                distance = np.uint16(tile[c])
                if distance >= distances[q, k - 1]:
                    continue
                place = k - 1
                while place > 0 and distance < distances[q, place - 1]:
                    distances[q, place] = distances[q, place - 1]
                    indices[q, place] = indices[q, place - 1]
                    place -= 1
                distances[q, place] = distance
                indices[q, place] = first + start + c
