"""The loops of :mod:`relhash.hashing.hamming`, compiled: bits are counted by the processor's own instruction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from relhash.compilation import compiled

Codes = NDArray[np.uint64]

TILE = 1024
"""Codes that are compared with all queries before the next are read: their words and distances stay in the first cache."""


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
def distances_of(queries: Codes, columns: Codes) -> NDArray[np.uint16]:  # pragma: no cover - compiled
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
def take_nearer(
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
