"""Codes as packed bits: 64 functions per word, Hamming distances by counting bits.

A code of 100 bits takes 16 bytes; a million of them are searched in a few milliseconds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ParameterError

__all__ = ["hamming_distances", "nearest_codes", "pack", "unpack"]


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


def hamming_distances(queries: NDArray[np.uint64], codes: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """Number of differing bits, ``(queries, codes)``.

    >>> hamming_distances(np.array([[5]], np.uint64), np.array([[5], [4], [2]], np.uint64)).tolist()
    [[0, 1, 3]]
    """
    return _distances(*_same_width(queries, codes))


def nearest_codes(
    queries: NDArray[np.uint64], codes: NDArray[np.uint64], k: int
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Distances and indices of the ``k`` codes nearest to each query, nearest first, lower index first among equals.

    >>> distances, indices = nearest_codes(np.array([[5]], np.uint64), np.array([[2], [4], [5]], np.uint64), 2)
    >>> distances.tolist(), indices.tolist()
    ([[0, 1]], [[2, 1]])
    """
    if not 1 <= k <= len(codes):
        raise ParameterError(f"k={k} must lie between 1 and the number of codes, {len(codes)}")
    return _nearest(*_same_width(queries, codes), k)


def _same_width(queries: NDArray[np.uint64], codes: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    queries, codes = np.ascontiguousarray(queries, np.uint64), np.ascontiguousarray(codes, np.uint64)
    if queries.ndim != 2 or codes.ndim != 2 or queries.shape[1] != codes.shape[1]:
        raise ParameterError(f"codes of different width cannot be compared: {queries.shape} and {codes.shape}")
    return queries, codes


@compiled
def _popcount(word: np.uint64) -> np.uint64:  # pragma: no cover - compiled
    """Ones in a word, added up in parallel in ever wider fields."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@compiled
def _distance(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> int:  # pragma: no cover - compiled
    distance = 0
    for w in range(len(a)):
        distance += int(_popcount(a[w] ^ b[w]))
    return distance


@compiled
def _distances(queries: NDArray[np.uint64], codes: NDArray[np.uint64]) -> NDArray[np.uint16]:  # pragma: no cover - compiled
    distances = np.empty((len(queries), len(codes)), np.uint16)
    for q in range(len(queries)):
        for c in range(len(codes)):
            distances[q, c] = _distance(queries[q], codes[c])
    return distances


@compiled
def _nearest(
    queries: NDArray[np.uint64], codes: NDArray[np.uint64], k: int
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:  # pragma: no cover - compiled
    distances = np.full((len(queries), k), np.iinfo(np.uint16).max, np.uint16)
    indices = np.zeros((len(queries), k), np.int64)
    for q in range(len(queries)):
        for c in range(len(codes)):
            distance = _distance(queries[q], codes[c])
            if distance < distances[q, k - 1] or c < k:
                place = min(c, k - 1)
                while place > 0 and distance < distances[q, place - 1]:
                    distances[q, place] = distances[q, place - 1]
                    indices[q, place] = indices[q, place - 1]
                    place -= 1
                distances[q, place] = distance
                indices[q, place] = c
    return distances, indices
