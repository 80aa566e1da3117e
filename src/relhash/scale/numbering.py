"""Structures of all parts numbered as one process would number them: the same draw then picks the same references.

Sequences are numbered by their first occurrence, rows of a table in their lexicographic order (see
:class:`~relhash.structures.PathSet`, :class:`~relhash.kernels.vector_kernels.BoundVectors`). Sequences are told apart by a hash
of 128 bits; rows are compared themselves, a range of them at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.structures.paths import PathSet

ROWS_AT_A_TIME = 500_000
"""Rows of a table that are ordered at a time."""
_SAMPLED = 1000

Keys = NDArray[np.uint64]


def sequence_keys(paths: PathSet) -> Keys:
    """``(distinct sequences, 2)``: a hash of each, whatever numbers its tokens have in this set."""
    digests = np.frombuffer(
        b"".join(
            hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=16).digest() for token in paths.vocabulary
        ),
        np.uint64,
    ).reshape(-1, 2)
    content = digests[paths.tokens].tobytes()
    bounds = (16 * paths.offsets).tolist()
    hashed = b"".join(hashlib.blake2b(content[start:stop], digest_size=16).digest() for start, stop in pairwise(bounds))
    return np.frombuffer(hashed, np.uint64).reshape(-1, 2)


def point_keys(ids: Sequence[NDArray[np.int64]]) -> Keys:
    """``(points, 2)``: a hash of the structures that a point has in all views."""
    together = np.ascontiguousarray(np.stack(ids, axis=1).astype("<i8"))
    content, width = together.tobytes(), 8 * together.shape[1]
    starts = range(0, len(content), width)
    hashed = b"".join(hashlib.blake2b(content[start : start + width], digest_size=16).digest() for start in starts)
    return np.frombuffer(hashed, np.uint64).reshape(-1, 2)


def number_by_occurrence(keys: Sequence[Keys]) -> tuple[list[NDArray[np.int64]], list[NDArray[np.bool_]]]:
    """The number of each key of each part, by its first occurrence; and whether it occurs there first.

    >>> part = np.array([[5, 0], [7, 0]], np.uint64)
    >>> [numbers.tolist() for numbers in number_by_occurrence([part, part[::-1]])[0]]
    [[0, 1], [1, 0]]
    """
    together = np.concatenate([*keys, np.empty((0, 2), np.uint64)])
    order = np.lexsort((together[:, 1], together[:, 0]))  # stable: equal keys stay in the order of their occurrence
    ranked = together[order]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    group = np.cumsum(is_new) - 1
    first = order[is_new]  # where each distinct key occurs first
    number_of_group = np.empty(first.size, np.int64)
    number_of_group[np.argsort(first)] = np.arange(first.size)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = number_of_group[group]
    is_first = np.zeros(len(order), bool)
    is_first[first] = True
    stops = np.cumsum([len(part) for part in keys])[:-1]
    return np.split(numbers, stops), np.split(is_first, stops)


def number_by_order(
    sizes: Sequence[int],
    sample: Callable[[int], Sequence[NDArray[np.float64]]],
    between: Callable[[Any, Any], Sequence[NDArray[np.float64]]],
) -> list[NDArray[np.int64]]:
    """The number of each row of each part in the lexicographic order of all distinct rows.

    Parameters
    ----------
    sizes
        Rows of each part, which are distinct and sorted inside it.
    sample
        Some rows of each part, at most so many.
    between
        The rows of each part from one row on (None: from the first) to another (None: to the last), which is not included.
    """
    numbers = [np.empty(size, np.int64) for size in sizes]
    n_ranges = -(-sum(sizes) // ROWS_AT_A_TIME)
    bounds: list[Any] = [None, None]
    if n_ranges > 1:
        some = np.unique(np.concatenate(sample(_SAMPLED)), axis=0)
        bounds[1:1] = [tuple(some[len(some) * n // n_ranges].tolist()) for n in range(1, n_ranges)]
    done, before = [0] * len(sizes), 0
    for low, high in pairwise(bounds):
        rows = between(low, high)
        distinct, inverse = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        start = 0
        for part, own in enumerate(rows):
            numbers[part][done[part] : done[part] + len(own)] = before + inverse[start : start + len(own)]
            start += len(own)
            done[part] += len(own)
        before += len(distinct)
    return numbers


def place_in(rows: NDArray[np.float64], wanted: Any) -> int:
    """How many of the sorted ``rows`` come before ``wanted``.

    >>> place_in(np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 0.0]]), (0.0, 2.0))
    1
    """
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if tuple(rows[middle].tolist()) < wanted:
            low = middle + 1
        else:
            high = middle
    return low
