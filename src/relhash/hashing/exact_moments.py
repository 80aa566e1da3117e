"""Mean and standard deviation of similarities without any rounding on the way: the same in any order.

A number of 32 bits is a whole number of 24 bits times a power of two. The whole numbers (and their squares) that belong to one
power are added up as integers, which loses nothing. Only the two quotients at the very end are rounded, once each.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled

_SCALE = 150
"""A number with exponent bits e is its whole number times 2 to the power of e − 150."""
_HALF = 24
"""Squares of whole numbers are added up in two halves of so many bits, so that no number of candidates overflows."""


def moments(
    similarities: NDArray[np.float32], n_candidates: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of each column, each point counted as often as it occurs.

    >>> moments(np.array([[0.5], [0.25]], np.float32), np.array([1, 3]))
    (array([0.3125]), array([0.10825318]))
    """
    sums = _power_sums(np.ascontiguousarray(similarities, np.float32).view(np.uint32), n_candidates)
    n = max(int(n_candidates.sum()), 1)
    means, deviations = np.zeros(len(sums)), np.zeros(len(sums))
    for reference, own in enumerate(sums):
        first = second = 0
        for power in np.flatnonzero(own.any(axis=1)).tolist():
            whole, high, low = own[power].tolist()
            first += whole << power
            second += ((high << _HALF) + low) << (2 * power)
        means[reference] = first / (n << _SCALE)  # Python divides integers of any length with one rounding
        deviations[reference] = math.sqrt((second * n - first * first) / (n * n << (2 * _SCALE)))
    return means, deviations


@compiled
def _power_sums(
    patterns: NDArray[np.uint32], n_candidates: NDArray[np.int64]
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """``(references, powers of two, 3)``: sums of the whole numbers, and of both halves of their squares."""
    n_points, n_references = patterns.shape
    sums = np.zeros((n_references, 256, 3), np.int64)
    for i in range(n_points):
        for r in range(n_references):
            pattern = np.int64(patterns[i, r])
            power = (pattern >> 23) & 255
            whole = pattern & 0x7FFFFF
            if power > 0:
                whole |= 0x800000
            power += power == 0  # the smallest numbers have the power of the next ones
            square = whole * whole
            sums[r, power, 0] += n_candidates[i] * (-whole if pattern >> 31 else whole)
            sums[r, power, 1] += n_candidates[i] * (square >> 24)
            sums[r, power, 2] += n_candidates[i] * (square & 0xFFFFFF)
    return sums
