"""Exact medians of numbers that lie in parts: digit by digit from the left, by counting.

A floating-point number is the same as an integer whose order is that of the numbers. The middle one of all is found like a
word in a dictionary: count how many begin with each digit, keep the digit in which the middle falls, and go on with the next
one. As soon as few numbers begin as the middle does, these are listed, and the rest follows. Six small tables of counts would
settle all 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DIGITS = ((53, 11), (42, 11), (31, 11), (20, 11), (9, 11), (0, 9))
"""Shift and width of each digit, in bits, from the left."""
FEW = 2000
"""Numbers of a list that are worth sending."""
_SIGN = np.uint64(1 << 63)


class Listed(NamedTuple):
    """Numbers that begin alike, sorted, how often each occurs, and the numbers next to them."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    below: float
    above: float


class Middle(NamedTuple):
    """The number in the middle (the upper of two), how many there are below and above it, and the numbers next to it."""

    value: float
    n_below: int
    n_above: int
    below: float
    above: float


Counting = Callable[[NDArray[np.uint64], int, int], NDArray[np.int64]]
Listing = Callable[[NDArray[np.uint64], int], Sequence[Sequence[Listed]]]


def middles(n: int, counting: Counting, listing: Listing) -> tuple[list[Middle], int]:
    """The middle of each of ``n`` lists of numbers, and how many numbers a list has; nothing where there are none.

    Parameters
    ----------
    counting
        :func:`digit_counts` over all parts, added up.
    listing
        :func:`listed` of each part.

    >>> values, counts = [np.array([3.0, -1.0, 2.5])], np.array([1, 1, 2])
    >>> (middle,), total = middles(1, lambda *where: digit_counts(values, counts, *where),
    ...                            lambda *where: [listed(values, counts, *where)])
    >>> middle.value, middle.n_below, middle.n_above, total
    (2.5, 1, 1, 4)
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
                return [], 0
        up_to = np.cumsum(counts, axis=1)
        digits = (up_to <= wanted[:, None]).sum(axis=1)
        wanted -= np.where(digits > 0, up_to[np.arange(n), digits - 1], 0)
        prefixes = (prefixes << np.uint64(width)) | digits.astype(np.uint64)
        if counts[np.arange(n), digits].max() <= FEW:
            break
    answers = listing(prefixes, shift)
    return [_middle([part[number] for part in answers], int(wanted[number]), total) for number in range(n)], total


def _middle(parts: Sequence[Listed], wanted: int, total: int) -> Middle:
    """The number with ``wanted`` others before it in what the parts list together."""
    values, places = np.unique(np.concatenate([one.values for one in parts]), return_inverse=True)
    counts = np.bincount(places, np.concatenate([one.counts for one in parts])).astype(np.int64)
    up_to = np.cumsum(counts)
    place = int(np.searchsorted(up_to, wanted, side="right"))
    before = total // 2 - wanted  # numbers that begin with less
    return Middle(
        float(values[place]),
        before + int(up_to[place] - counts[place]),
        total - before - int(up_to[place]),
        float(values[place - 1]) if place else max(one.below for one in parts),
        float(values[place + 1]) if place + 1 < values.size else min(one.above for one in parts),
    )


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


def listed(
    values: Sequence[NDArray[np.float64]], counts: NDArray[np.int64], prefixes: NDArray[np.uint64], shift: int
) -> list[Listed]:
    """Of each list the numbers whose digits before ``shift`` are those of its prefix."""
    found = []
    for own, prefix in zip(values, prefixes, strict=True):
        beginnings = _keys(own) >> np.uint64(shift)
        here = beginnings == prefix
        distinct, places = np.unique(own[here] + 0.0, return_inverse=True)
        times = np.bincount(places, counts[here], minlength=distinct.size).astype(np.int64)
        below, above = own[beginnings < prefix].max(initial=-np.inf), own[beginnings > prefix].min(initial=np.inf)
        found.append(Listed(distinct, times, float(below), float(above)))
    return found


def _keys(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Integers in the order of the numbers; both zeros are one."""
    bits = (values + 0.0).view(np.uint64)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)
