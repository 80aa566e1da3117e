"""Slow, obviously right versions of the path kernel."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

Similarity = Callable[[str, str], float]


def by_enumeration(s: Sequence[str], t: Sequence[str], similarity: Similarity, decay: float, weights: Sequence[float]) -> float:
    """The definition: all pairs of subsequences of equal length (exponential; tiny inputs only)."""
    total = 0.0
    for length, weight in enumerate(weights, start=1):
        for i in itertools.combinations(range(len(s)), length):
            for j in itertools.combinations(range(len(t)), length):
                gaps = (i[-1] - i[0] + 1 - length) + (j[-1] - j[0] + 1 - length)
                product = np.prod([similarity(s[a], t[b]) for a, b in zip(i, j, strict=True)])
                total += weight * decay**gaps * float(product)
    return total


def by_double_loop(s: Sequence[str], t: Sequence[str], similarity: Similarity, decay: float, weights: Sequence[float]) -> float:
    """The recurrence of the design, length by length, in double precision."""
    words = np.array([[similarity(a, b) for b in t] for a in s], np.float64).reshape(len(s), len(t))
    total, found = 0.0, words
    for weight in weights:
        total += weight * found.sum()
        reached = np.zeros((len(s) + 1, len(t) + 1))
        for i in range(len(s)):
            along = 0.0
            for j in range(len(t)):
                along = found[i, j] + decay * along
                reached[i + 1, j + 1] = along + decay * reached[i, j + 1]
        found = words * reached[:-1, :-1]
    return total
