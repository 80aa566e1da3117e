"""What labels and answers say of a model, with intervals: what they have gained, and how many rows of a table are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.candidates.candidate import Candidate
from relhash.learn.labels import example_of
from relhash.learn.metrics import auc
from relhash.learn.threshold import CUT

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

RESAMPLES = 300
MORE = 40
"""Labels for which the card says what they might add."""
SHARES_SEEN = (0.5, 0.8)
"""Of the labels that two and five folds leave to learn from."""
STRATA = 3
"""Of the accepted rows, and of the others, about equal numbers of expected relations in each."""
BELIEVED = 0.5
"""Answers that the model's own probability of a stratum counts for."""
ALIKE = 0.6
"""What an answer counts for, since rows of one document are alike; with it the intervals hold as often as they say."""
SAMPLES = 4000
SHOWN = 5
"""Rows gained and lost that are named."""
JudgedRows = tuple[Floats, NDArray[np.bool_]]
"""The probability of each row of a text, and whether it is accepted."""


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and after, and the interval (95 %, documents drawn anew) of the difference."""

    before: float
    after: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the difference is not just chance."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        """For instance ``.84 → .86 (+.02, −.01 to +.05)``."""
        plus, low, high = (f"{value:+.2f}".replace("-", "−") for value in (self.after - self.before, self.low, self.high))
        return f"{self.before:.2f} → {self.after:.2f} ({plus}; {low} to {high})"


@dataclass(frozen=True, slots=True)
class Gain:
    """What labels have gained.

    Attributes
    ----------
    auc, right
        How well rows are ordered (``None`` if all labels are alike), and the share on the right side of the cut.
    more, more_error
        The points of ``right`` that :data:`MORE` labels more would add if it goes on like this, and the error of that.
    """

    labels: int
    auc: Change | None
    right: Change
    more: float | None = None
    more_error: float | None = None

    @classmethod
    def of(
        cls,
        y: ArrayLike,
        before: ArrayLike,
        after: ArrayLike,
        documents: ArrayLike,
        with_half: ArrayLike | None = None,
        cuts: tuple[float | Floats, float | Floats] = (CUT, CUT),
    ) -> Gain:
        """From log-odds of the labelled rows: before, held out after, and held out where only half of the labels were seen.

        ``cuts`` are the probabilities from which on the model before and the one after accept rows, or each of them.

        >>> y, before = np.arange(40) % 2 == 0, np.zeros(40)
        >>> gain = Gain.of(y, before, np.where(y, 2.0, -2.0), np.arange(40))
        >>> gain.right.before, gain.right.after, gain.right.is_clear
        (0.5, 1.0, True)
        """
        gold = np.asarray(y).astype(bool)
        votes = [np.asarray(one, np.float64) for one in (before, after)]
        hits = [(special.expit(one) >= cut) == gold for one, cut in zip(votes, cuts, strict=True)]
        drawn = _resampled(np.asarray(documents))
        right = _change(lambda rows, one: float(hits[one][rows].mean()), gold.size, drawn)
        ranked = None
        if 0 < gold.sum() < gold.size:
            both = [rows for rows in drawn if 0 < gold[rows].sum() < rows.size]
            ranked = _change(lambda rows, one: float(auc(gold[rows], votes[one][rows])), gold.size, both)
        if with_half is None or not gold.size:
            return cls(gold.size, ranked, right)
        early = (special.expit(np.asarray(with_half, np.float64)) >= cuts[1]) == gold
        doublings = np.log2((gold.size + MORE) / gold.size) / np.log2(SHARES_SEEN[1] / SHARES_SEEN[0])
        added = np.array([hits[1][rows].mean() - early[rows].mean() for rows in drawn]) * doublings
        return cls(gold.size, ranked, right, float((hits[1].mean() - early.mean()) * doublings), float(2 * added.std()))

    def lines(self, name: str, judged: tuple[JudgedRows, JudgedRows] | None = None) -> list[str]:
        """For people: ``name`` is the model before; ``judged`` are the rows of their text by it, and as they are now."""
        right, ranked = self.right, "" if self.auc is None else f"; AUC {self.auc}"
        differences = right.after - right.before, right.low, right.high
        points, low, high = (f"{100 * value:+.0f}".replace("-", "−") for value in differences)
        shares = f"{right.before:.0%} right with {name}, {right.after:.0%} with the labels ({points} points, {low} to {high})"
        said = [f"your {self.labels} labels, each judged without those of its document: {shares}{ranked}"]
        if self.more is not None and self.more_error is not None:
            points = f"{100 * self.more:+.0f} ± {100 * self.more_error:.0f}".replace("-", "−")
            said.append(f"{MORE} labels more: {points} points of being right, if it goes on like this")
        is_clear = self.right.is_clear or (self.auc is not None and self.auc.is_clear)
        if not is_clear and judged and (judged[0][1] != judged[1][1]).mean() <= 0.01:
            said.append(f"your labels agree with {name}: it would do as well without them")
        return said


def rows_changed(candidates: Sequence[Candidate], before: JudgedRows, after: JudgedRows) -> list[str]:
    """How many rows of a text are accepted now and were not, and the other way round; then those that moved most."""
    (was, was_accepted), (now, accepted) = before, after
    moved = np.argsort(-np.abs(now - was), kind="stable").tolist()
    rows = {"gained": accepted & ~was_accepted, "lost": was_accepted & ~accepted}
    lines = [f"{rows['gained'].sum()} rows gained, {rows['lost'].sum()} lost, of {len(candidates)} pairs"]
    for said, own in rows.items():
        named = [row for row in moved if own[row]][:SHOWN]
        lines += [f"{said}: {example_of(candidates[row])} ({was[row]:.2f} → {now[row]:.2f})" for row in named]
    return lines


def _resampled(documents: NDArray[np.generic]) -> list[Rows]:
    """Rows of whole documents, drawn with replacement."""
    names, place = np.unique(documents, return_inverse=True)
    members = [np.flatnonzero(place == one) for one in range(names.size)]
    rng = np.random.default_rng(0)
    draws = (rng.integers(0, len(members), len(members)) for _ in range(RESAMPLES if members else 0))
    return [np.concatenate([members[one] for one in draw]) for draw in draws]


def _change(figure: Callable[[Rows, int], float], n: int, drawn: list[Rows]) -> Change:
    if not n or not drawn:
        return Change(float("nan"), float("nan"), 0.0, 0.0)
    low, high = np.quantile([figure(rows, 1) - figure(rows, 0) for rows in drawn], [0.025, 0.975])
    return Change(figure(np.arange(n), 0), figure(np.arange(n), 1), float(low), float(high))


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
    """What answers say of a table: the share of accepted rows that are right, the share of all relations that are accepted,
    and how many answers about accepted rows were drawn at random."""

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

    Most questions are chosen because they teach much, so the share of *yes* among them says nothing of the table. They count
    as known. Of all other rows only those answers tell that were drawn at random. Rows are divided into strata by probability;
    in a stratum an answer weighs by the inverse of its probability of being drawn.

    Parameters
    ----------
    probabilities, accepted
        Of all candidates of the text, as the model judges them now.
    rows, right
        The rows that have an answer, and whether they are right.
    draws
        The probability with which each of them was drawn; NaN for those that were chosen.
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


def _strata(p: Floats, accepted: NDArray[np.bool_]) -> list[tuple[bool, Rows]]:
    """Rows of like probability, accepted and not, each with about as many expected relations as the others of its side."""
    strata = []
    for side in (True, False):
        rows = np.flatnonzero(accepted == side)
        rows = rows[np.argsort(p[rows], kind="stable")]
        reached = np.cumsum(p[rows]) / max(float(p[rows].sum()), 1e-9)
        cuts = np.searchsorted(reached, np.arange(1, STRATA) / STRATA)
        strata += [(side, part) for part in np.split(rows, cuts) if part.size]
    return strata
