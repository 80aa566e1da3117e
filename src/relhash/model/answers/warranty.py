"""How many accepted rows are right, and how many of all relations are among them: estimated from answers, with intervals.

Most questions are chosen because they teach much, so the share of *yes* among them says nothing of the table. They count as
known. Of all other rows only those answers tell that were drawn at random. Rows are divided into strata by probability, since
few answers tell much of rows that are alike; in a stratum an answer weighs by the inverse of its probability of being drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

STRATA = 3
"""Of the accepted rows, and of the others, about equal numbers of expected relations in each."""
BELIEVED = 0.5
"""Answers that the model's own probability of a stratum counts for."""
ALIKE = 0.6
"""What an answer counts for, since rows of one document are alike; with it the intervals hold as often as they say."""
SAMPLES = 4000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share and its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: Floats) -> Estimate:
        low, high = np.quantile(samples, [0.025, 0.975])
        return cls(float(samples.mean()), float(low), float(high))

    def __str__(self) -> str:
        return f"{self.value:.0%} ({self.low:.0%}–{self.high:.0%})"


@dataclass(frozen=True, slots=True)
class Warranty:
    """What answers say of a table.

    Attributes
    ----------
    precision, recall
        The share of accepted rows that are right, and the share of all relations of the text that are accepted.
    drawn
        Answers drawn at random about accepted rows.
    """

    precision: Estimate
    recall: Estimate
    drawn: int

    def needed(self, wanted: float) -> int | None:
        """About how many answers more the lower end needs to reach ``wanted``; ``None`` if it cannot be expected to."""
        value, gap = self.precision.value, self.precision.value - wanted
        if self.precision.low >= wanted:
            return 0
        if gap <= 0:
            return None
        return max(1, int(np.ceil(1.96**2 * value * (1 - value) / gap**2)) - self.drawn)


def warranty(
    probabilities: ArrayLike, accepted: ArrayLike, rows: ArrayLike, right: ArrayLike, draws: ArrayLike
) -> Warranty | None:
    """The estimate; ``None`` as long as no accepted row was drawn at random.

    Parameters
    ----------
    probabilities, accepted
        Of all candidates of the text, as the model judges them now.
    rows, right
        The rows that have an answer, and whether they are right.
    draws
        The probability with which each of them was drawn; NaN for those that were chosen.

    >>> p = np.repeat([0.9, 0.1], 100)
    >>> found = warranty(p, p > 0.5, range(0, 200, 5), [row % 10 < 8 for row in range(0, 100, 5)] + [False] * 20, [0.01] * 40)
    >>> found.precision.low < 1.0 <= found.precision.high + 0.02, found.recall.value > 0.9
    (True, True)
    """
    p, labels = np.asarray(probabilities, np.float64), np.asarray(accepted, bool)
    answered, is_right = np.asarray(rows, np.int64), np.asarray(right, bool)
    chance = np.asarray(draws, np.float64)
    is_drawn = np.isfinite(chance)
    if not (is_drawn & labels[answered]).any():
        return None
    known = np.zeros(p.size, bool)
    known[answered] = True
    rng = np.random.default_rng(0)
    found = {side: np.full(SAMPLES, float(is_right[labels[answered] == side].sum())) for side in (True, False)}
    for side, members in _strata(p, labels):
        inside = np.isin(answered, members) & is_drawn
        weights = 1 / chance[inside]
        n = ALIKE * float(weights.sum() ** 2 / (weights**2).sum()) if inside.any() else 0.0
        yes = n * float(np.dot(weights, is_right[inside]) / weights.sum()) if inside.any() else 0.0
        open_ = members[~known[members]]
        expected = float(p[members].mean())
        share = rng.beta(BELIEVED * expected + yes + 1e-9, BELIEVED * (1 - expected) + n - yes + 1e-9, SAMPLES)
        found[side] += rng.binomial(open_.size, share)
    precision = found[True] / max(int(labels.sum()), 1)
    recall = found[True] / np.maximum(found[True] + found[False], 1)
    return Warranty(Estimate.of(precision), Estimate.of(recall), int((is_drawn & labels[answered]).sum()))


def _strata(p: Floats, accepted: NDArray[np.bool_]) -> list[tuple[bool, NDArray[np.int64]]]:
    """Rows of like probability, accepted and not, each with about as many expected relations as the others of its side."""
    strata = []
    for side in (True, False):
        rows = np.flatnonzero(accepted == side)
        rows = rows[np.argsort(p[rows], kind="stable")]
        reached = np.cumsum(p[rows]) / max(float(p[rows].sum()), 1e-9)
        cuts = np.searchsorted(reached, np.arange(1, STRATA) / STRATA)
        strata += [(side, part) for part in np.split(rows, cuts) if part.size]
    return strata
