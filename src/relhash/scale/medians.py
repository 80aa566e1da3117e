"""Exact medians of numbers that lie in parts: digit by digit from the left, by counting.

A floating-point number is the same as an integer whose order is that of the numbers. The middle one of all is found like a
word in a dictionary: count how many begin with each digit, keep the digit in which the middle falls, and go on with the next
one. Six small tables of counts settle all 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["digit_counts", "middles", "neighbours"]

DIGITS = ((53, 11), (42, 11), (31, 11), (20, 11), (9, 11), (0, 9))
"""Shift and width of each digit, in bits, from the left."""
_SIGN = np.uint64(1 << 63)

Counting = Callable[[NDArray[np.uint64], int, int], NDArray[np.int64]]


def middles(n: int, counting: Counting) -> tuple[NDArray[np.float64], int]:
    """Of each of ``n`` lists of numbers the one in the middle (the upper of two), and how many numbers a list has.

    ``counting`` is :func:`digit_counts` over all parts, added up.

    >>> values, counts = [np.array([3.0, -1.0, 2.5])], np.array([1, 1, 2])
    >>> middles(1, lambda prefixes, shift, width: digit_counts(values, counts, prefixes, shift, width))
    (array([2.5]), 4)
    """
    prefixes = np.zeros(n, np.uint64)
    wanted = np.zeros(n, np.int64)
    total = 0
    for place, (shift, width) in enumerate(DIGITS):
        counts = counting(prefixes, shift, width)
        if place == 0:
            total = int(counts[0].sum()) if n else 0
            wanted[:] = total // 2
            if total == 0:
                return np.zeros(n), 0
        up_to = np.cumsum(counts, axis=1)
        digits = (up_to <= wanted[:, None]).sum(axis=1)
        wanted -= np.where(digits > 0, up_to[np.arange(n), digits - 1], 0)
        prefixes = (prefixes << np.uint64(width)) | digits.astype(np.uint64)
    return _numbers(prefixes), total


def digit_counts(
    values: Sequence[NDArray[np.float64]], counts: NDArray[np.int64], prefixes: NDArray[np.uint64], shift: int, width: int
) -> NDArray[np.int64]:
    """``(lists, digits)``: of the values that begin with the prefix of their list, how many have which next digit.

    ``counts`` says how often each value occurs.
    """
    found = np.zeros((len(values), 1 << width), np.int64)
    for number, (own, prefix) in enumerate(zip(values, prefixes, strict=True)):
        keys = _keys(own)
        begins = np.ones(keys.size, bool) if shift + width == 64 else (keys >> np.uint64(shift + width)) == prefix
        digits = (keys[begins] >> np.uint64(shift)) & np.uint64((1 << width) - 1)
        np.add.at(found[number], digits.astype(np.int64), counts[begins])
    return found


def neighbours(
    values: Sequence[NDArray[np.float64]], counts: NDArray[np.int64], middle: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``(lists, 4)``: how many values lie below and above the middle, the largest below it and the smallest above it."""
    found = np.empty((len(values), 4))
    for number, (own, value) in enumerate(zip(values, middle, strict=True)):
        below, above = own < value, own > value
        found[number] = (
            counts[below].sum(), counts[above].sum(), own[below].max(initial=-np.inf), own[above].min(initial=np.inf),
        )  # fmt: skip
    return found


def _keys(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Integers in the order of the numbers; both zeros are one."""
    bits = (values + 0.0).view(np.uint64)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _numbers(keys: NDArray[np.uint64]) -> NDArray[np.float64]:
    return np.where(keys & _SIGN, keys & ~_SIGN, ~keys).view(np.float64)
