"""How many accepted rows are right, estimated from answers, with an interval.

Most questions are chosen because they teach much, so the share of *yes* among them says nothing of the table. What can be said
for sure is said of them (they are answered); of the other accepted rows only those answers tell that were drawn at random,
each weighed by the inverse of its probability of being drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

Z = 1.959964
"""Standard errors of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class PrecisionEstimate:
    """The share of accepted rows that are right, its 95 % interval, and how many answers drawn at random stand behind it."""

    value: float
    low: float
    high: float
    drawn: int


def estimate_precision(
    accepted: ArrayLike, rows: ArrayLike, right: ArrayLike, draws: ArrayLike
) -> PrecisionEstimate | None:
    """The estimate; ``None`` as long as no accepted row was drawn at random.

    Parameters
    ----------
    accepted
        Which candidates of the text are accepted now.
    rows, right
        The rows that have an answer, and whether they are right.
    draws
        The probability with which each of them was drawn; NaN for those that were chosen.

    >>> accepted = np.ones(100, bool)
    >>> found = estimate_precision(accepted, range(40), [True, False] * 20, [0.01] * 40)
    >>> found.value, found.low < 0.5 < found.high
    (0.5, True)
    """
    labels = np.asarray(accepted, bool)
    answered, is_right = np.asarray(rows, np.int64), np.asarray(right, bool)
    probability = np.asarray(draws, np.float64)
    counted = labels[answered]
    is_drawn = np.isfinite(probability) & counted
    if not is_drawn.any():
        return None
    weights = 1.0 / probability[is_drawn]
    share = float(np.dot(weights, is_right[is_drawn]) / weights.sum())
    low, high = _wilson(share, float(weights.sum() ** 2 / (weights**2).sum()))
    total = int(labels.sum())
    chosen = counted & ~is_drawn
    rest = total - int(chosen.sum())
    known = int(is_right[chosen].sum())
    value, low, high = ((known + rest * one) / total for one in (share, low, high))
    return PrecisionEstimate(float(value), float(low), float(high), int(is_drawn.sum()))


def _wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's interval for a share seen in ``n`` draws."""
    centre = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
