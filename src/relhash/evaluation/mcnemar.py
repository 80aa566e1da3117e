"""McNemar's test, as the literature reports it beside F1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def mcnemar(y: ArrayLike, first: ArrayLike, second: ArrayLike) -> float:
    """Exact two-sided p-value of McNemar's test: do the two systems err equally often?

    It treats candidates as independent, which those of one sentence are not; the paired bootstrap is the one to believe.

    >>> round(mcnemar([1] * 10, [1] * 10, [0] * 8 + [1] * 2), 4)
    0.0078
    """
    from scipy.stats import binomtest

    gold = np.asarray(y).astype(bool)
    first_right, second_right = np.asarray(first).astype(bool) == gold, np.asarray(second).astype(bool) == gold
    only_first = int(np.count_nonzero(first_right & ~second_right))
    only_second = int(np.count_nonzero(second_right & ~first_right))
    if only_first + only_second == 0:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)
