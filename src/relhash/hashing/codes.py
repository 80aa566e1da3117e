"""Codes as packed bits: 64 functions per word. A code of 100 bits takes 16 bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError


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
