"""What labels have changed against the prior, in words: how good it is on the labels, held out by document, with intervals,
and which rows of the text changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.learn.correction import FittedCorrection, clipped_log_odds, held_out_log_odds
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import EndToEnd
from relhash.learn.labels import example_of
from relhash.learn.metrics import auc
from relhash.learn.relation_types import FEW
from relhash.learn.threshold import CUT
from relhash.model.fitting.code_choice import FittedFeatures
from relhash.model.fitting.training_labels import TrainingLabels
from relhash.model.fitting.training_text import TrainingText
from relhash.model.prior import ChosenPrior
from relhash.model.reading.found_names import judged_names, names_of

Floats = NDArray[np.float64]

RESAMPLES = 300
MORE = 40
"""Labels for which the card says what they might add."""
SHARES_SEEN = (0.5, 0.8)
"""Of the labels that two and five folds leave to learn from."""


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and after, and the interval (95 %, documents drawn anew) of the difference."""

    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        return self.after - self.before

    @property
    def is_clear(self) -> bool:
        """Whether the difference is not just chance."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        """For instance ``.84 → .86 (+.02, −.01 to +.05)``."""
        plus, low, high = (f"{value:+.2f}".replace("-", "−") for value in (self.difference, self.low, self.high))
        return f"{self.before:.2f} → {self.after:.2f} ({plus}; {low} to {high})"


@dataclass(frozen=True, slots=True)
class Gain:
    """What labels have gained.

    Attributes
    ----------
    labels
        How many there are.
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
        cuts: tuple[float, float] = (CUT, CUT),
    ) -> Gain:
        """From log-odds of the labelled rows: before, held out after, and held out where only half of the labels were seen.

        ``cuts`` are the probabilities from which on the model before and the one after accept a row.

        >>> y, before = np.arange(40) % 2 == 0, np.zeros(40)
        >>> gain = Gain.of(y, before, np.where(y, 2.0, -2.0), np.arange(40))
        >>> gain.right.before, gain.right.after, gain.right.is_clear
        (0.5, 1.0, True)
        """
        gold = np.asarray(y).astype(bool)
        votes = [np.asarray(one, np.float64) for one in (before, after)]
        hits = [(special.expit(one) >= cut) == gold for one, cut in zip(votes, cuts, strict=True)]
        _, place = np.unique(np.asarray(documents), return_inverse=True)
        members = [np.flatnonzero(place == one) for one in range(int(place.max()) + 1)] if place.size else []
        drawn = _resampled(members)
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

    def lines(self, name: str, changed: int | None = None, total: int = 0) -> list[str]:
        """For people: ``name`` is the model before; ``changed`` of ``total`` rows of their text are judged otherwise."""
        ranked = "" if self.auc is None else f", order of the rows (AUC) {self.auc}"
        said = [f"on your own {self.labels} labels, held out by document: right {self.right}{ranked}; before is {name}"]
        if self.more is not None and self.more_error is not None:
            points = f"{100 * self.more:+.0f} ± {100 * self.more_error:.0f}".replace("-", "−")
            said.append(f"{MORE} labels more: {points} points of being right, if it goes on like this")
        is_clear = self.right.is_clear or (self.auc is not None and self.auc.is_clear)
        if not is_clear and changed is not None and changed <= 0.01 * total:
            said.append(f"your labels agree with {name}: it would do as well without them")
        return said


def _resampled(members: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    return [
        np.concatenate([members[one] for one in rng.integers(0, len(members), len(members))]) for _ in range(RESAMPLES)
    ] if members else []  # fmt: skip


def _change(figure: Callable[[NDArray[np.int64], int], float], n: int, drawn: list[NDArray[np.int64]]) -> Change:
    everything = np.arange(n)
    if not n or not drawn:
        return Change(float("nan"), float("nan"), 0.0, 0.0)
    differences = [figure(rows, 1) - figure(rows, 0) for rows in drawn]
    low, high = np.quantile(differences, [0.025, 0.975])
    return Change(figure(everything, 0), figure(everything, 1), float(low), float(high))


SHOWN = 5
"""Rows gained and lost that are named."""
MOST_DOUBLED = 400
"""Labels up to which the card says what more would add."""


def gained(
    made: FittedFeatures, decision: Decision, rule: EndToEnd, told: TrainingLabels, prior: ChosenPrior | None
) -> dict[str, Any]:
    """What the labels have changed against the prior: on themselves, held out, and in the text to adapt to."""
    fitted = decision.classifier
    if prior is None or not isinstance(fitted, FittedCorrection) or decision.out_of_fold is None:
        return {}
    rows, documents = made.rows[told.rows], told.documents[told.rows]
    before, own = fitted.prior(rows), rows[:, : rows.shape[1] - 1]
    half = None
    if told.rows.size <= MOST_DOUBLED:
        half = held_out_log_odds(fitted, before, own, told.gold, documents, n_folds=2, origins=told.origins)
    cuts = probability_cut(prior.model.decision), probability_cut(decision)
    gain = Gain.of(told.gold, before, clipped_log_odds(decision.out_of_fold), documents, half, cuts)
    new, lost, total = _rows_changed(made, decision, rule, told.text, prior)
    lines = gain.lines(prior.name, len(new) + len(lost) if total else None, total)
    if total:
        lines.append(f"in the text to adapt to: {len(new)} rows gained, {len(lost)} lost, of {total} pairs")
        lines += [f"gained: {one}" for one in new[:SHOWN]] + [f"lost: {one}" for one in lost[:SHOWN]]
    counts = Counter(name for candidate in told.candidates for name in candidate.relations)
    few = [f"{name} ({count})" for name, count in counts.items() if count < FEW and len(counts) > 1]
    if few:
        lines.append(f"types with fewer than {FEW} rows, hardly known: {', '.join(few)}")
    return {"gain": lines}


def probability_cut(decision: Decision) -> float:
    """The probability from which on a decision accepts a row."""
    return float(decision.calibration.probabilities([min(decision.threshold.score, 1.0)])[0])


def _rows_changed(
    made: FittedFeatures, decision: Decision, rule: EndToEnd, text: TrainingText, prior: ChosenPrior
) -> tuple[list[str], list[str], int]:
    """Rows of the text to adapt to that the model accepts and the prior does not, and the other way round."""
    if made.target_rows is None or not isinstance(decision.classifier, FittedCorrection):
        return [], [], 0
    pairs = special.expit(decision.classifier.prior(made.target_rows))
    names = names_of(text.target)
    before, accepted = judged_names(prior.model.end_to_end, names, pairs, pairs >= probability_cut(prior.model.decision))
    _, pairs, labels = decision.decide(made.target_rows)
    after, accepted_now = judged_names(rule, names, pairs, labels)
    moved = np.argsort(-np.abs(after - before), kind="stable")

    def told(rows: NDArray[np.bool_]) -> list[str]:
        return [f"{example_of(text.target[row])} ({before[row]:.2f} → {after[row]:.2f})" for row in moved if rows[row]]

    return told(accepted_now & ~accepted), told(accepted & ~accepted_now), len(text.target)
