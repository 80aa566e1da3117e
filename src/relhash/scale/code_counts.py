"""Points of a part counted by their codes, in one pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled


@compiled
def count_codes(
    codes: NDArray[np.int64], weights: NDArray[np.int64], owned: NDArray[np.bool_], n_codes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:  # pragma: no cover - compiled
    """For each code: the candidates of each kind, the points that are ``owned``, and the first point (-1 if there is none).

    >>> [found.tolist() for found in count_codes(np.array([2, 0, 2]), np.array([[1, 0], [0, 3], [2, 2]]),
    ...                                          np.array([True, True, False]), 3)]
    [[[0, 3], [0, 0], [3, 2]], [1, 0, 1], [1, -1, 0]]
    """
    totals = np.zeros((n_codes, weights.shape[1]), np.int64)
    n_points = np.zeros(n_codes, np.int64)
    first = np.full(n_codes, -1, np.int64)
    for point in range(codes.size):
        code = codes[point]
        if first[code] < 0:
            first[code] = point
        n_points[code] += owned[point]
        for kind in range(weights.shape[1]):
            totals[code, kind] += weights[point, kind]
    return totals, n_points, first
