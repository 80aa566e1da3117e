"""How good scores and labels are: always of the **positive** class (micro-averaged F1 over both classes is just accuracy).

The figures are those of scikit-learn, whose functions take twenty times as long: intervals ask for some hundred each.

>>> import numpy as np
>>> y, scores = np.array([1, 0, 1, 0]), np.array([.9, .8, .7, .1])
>>> round(auc(y, scores), 3), round(average_precision(y, scores), 3)
(0.75, 0.833)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ParameterError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Metrics:
    """Result of one test: labels at the model's own threshold, ranking quality, and the oracle figure as such.

    ``f1_oracle`` is the F1 of the best threshold chosen **on the test labels**: an upper bound of what any threshold could
    give, never a result.
    """

    precision: float
    recall: float
    f1: float
    f1_oracle: float
    auc: float
    average_precision: float
    n: int
    positive: int

    def as_dict(self) -> dict[str, Any]:
        """For JSON: a quantity that is undefined (an AUC with one class only) is ``None``."""
        return {name: None if value != value else value for name, value in asdict(self).items()}


def measure(y: ArrayLike, scores: ArrayLike, predicted: ArrayLike) -> Metrics:
    """All figures of one test from gold labels, scores and the labels that the model gave.

    >>> measure([1, 0, 1, 0], [.9, .8, .7, .1], [1, 1, 0, 0]).f1
    0.5
    """
    gold, values = _checked(y, scores)
    labels = np.asarray(predicted).astype(bool)
    if labels.shape != gold.shape:
        raise ParameterError(f"measure: {gold.size} gold labels but {labels.size} predicted ones")
    precision, recall, f1 = precision_recall_f1(gold, labels)
    return Metrics(
        precision=precision,
        recall=recall,
        f1=f1,
        f1_oracle=oracle_threshold(gold, values)[1],
        auc=auc(gold, values),
        average_precision=average_precision(gold, values),
        n=int(gold.size),
        positive=int(gold.sum()),
    )


def precision_recall_f1(y: ArrayLike, predicted: ArrayLike) -> tuple[float, float, float]:
    """Precision, recall and F1 of the positive class; 0 where nothing was found or there was nothing to find."""
    gold, labels = np.asarray(y).astype(bool), np.asarray(predicted).astype(bool)
    return rates(int(np.count_nonzero(gold)), int(np.count_nonzero(labels)), int(np.count_nonzero(gold & labels)))


def rates(gold: int, found: int, right: int) -> tuple[float, float, float]:
    """Precision, recall and F1 from counts; 0 where nothing was found or there was nothing to find.

    >>> rates(gold=4, found=2, right=1)
    (0.5, 0.25, 0.3333333333333333)
    """
    return (
        right / found if found else 0.0,
        right / gold if gold else 0.0,
        2 * right / (gold + found) if gold + found else 0.0,
    )


def f1_score(y: ArrayLike, predicted: ArrayLike) -> float:
    """F1 of the positive class."""
    return precision_recall_f1(y, predicted)[2]


def auc(y: ArrayLike, scores: ArrayLike) -> float:
    """Chance that a positive scores above a negative (ties count half); NaN when one class is missing.

    >>> auc([0, 1, 1], [.5, .5, .7])
    0.75
    """
    gold, values = _checked(y, scores)
    positive, negative = _by_threshold(gold, values)[1:]
    if positive.sum() <= 0 or negative.sum() <= 0:
        return float("nan")
    negatives_above = np.cumsum(negative) - negative
    below_or_half = negative.sum() - negatives_above - negative / 2
    return float(np.dot(positive, below_or_half) / (positive.sum() * negative.sum()))


def average_precision(y: ArrayLike, scores: ArrayLike) -> float:
    """Mean precision over the recall steps of the curve (no interpolation); NaN without positives."""
    gold, values = _checked(y, scores)
    positive, negative = _by_threshold(gold, values)[1:]
    if positive.sum() <= 0:
        return float("nan")
    found = np.cumsum(positive)
    total = found + np.cumsum(negative)
    return float(np.dot(found / total, positive) / positive.sum())


def precision_recall_curve(y: ArrayLike, scores: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Precision and recall of "score ≥ threshold" for each distinct score, from the highest threshold down."""
    gold, values = _checked(y, scores)
    thresholds, positive, negative = _by_threshold(gold, values)
    found = np.cumsum(positive)
    precision = found / np.maximum(found + np.cumsum(negative), 1)
    recall = found / positive.sum() if positive.sum() else np.zeros_like(found)
    return precision, recall, thresholds


def oracle_threshold(y: ArrayLike, scores: ArrayLike) -> tuple[float, float]:
    """Threshold with the highest F1 **on these labels**, and that F1. On test labels it is an upper bound, not a result.

    Among equally good thresholds the highest is taken.

    >>> oracle_threshold([1, 0, 1, 0], [.9, .8, .7, .1])
    (0.7, 0.8)
    """
    gold, values = _checked(y, scores)
    thresholds, positive, negative = _by_threshold(gold, values)
    if not positive.sum():
        return float("inf"), 0.0
    found = np.cumsum(positive)
    f1 = 2 * found / (found + np.cumsum(negative) + positive.sum())
    best = int(np.argmax(f1))
    return float(thresholds[best]), float(f1[best])


def recall_by_type(types: Sequence[Sequence[str]], predicted: ArrayLike) -> dict[str, dict[str, float]]:
    """For each gold relation type: how many candidates have it, how many of them were found.

    Parameters
    ----------
    types
        Gold relation types of each candidate (none for a negative one).
    predicted
        The label given to each candidate.

    >>> recall_by_type([["bind"], [], ["bind", "inhibit"]], [1, 1, 0])
    {'bind': {'gold': 2, 'found': 1, 'recall': 0.5}, 'inhibit': {'gold': 1, 'found': 0, 'recall': 0.0}}
    """
    labels = np.asarray(predicted).astype(bool).tolist()
    gold: dict[str, int] = {}
    found: dict[str, int] = {}
    for of_candidate, label in zip(types, labels, strict=True):
        for kind in sorted(set(of_candidate)):
            gold[kind] = gold.get(kind, 0) + 1
            found[kind] = found.get(kind, 0) + int(label)
    return {kind: {"gold": gold[kind], "found": found[kind], "recall": found[kind] / gold[kind]} for kind in sorted(gold)}


def _checked(y: ArrayLike, scores: ArrayLike) -> tuple[NDArray[np.bool_], Floats]:
    gold, values = np.asarray(y).astype(bool), np.asarray(scores, dtype=np.float64)
    if gold.ndim != 1 or gold.shape != values.shape:
        raise ParameterError(f"metrics: {gold.shape} labels and {values.shape} scores do not belong together")
    if not np.isfinite(values).all():
        raise ParameterError("metrics: scores must be finite")
    return gold, values


def _by_threshold(gold: NDArray[np.bool_], scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Distinct scores from high to low, and how many positives and negatives have each: all else follows by sums."""
    thresholds, place = np.unique(-scores, return_inverse=True)
    positive, negative = (np.bincount(place[of], minlength=thresholds.size).astype(np.float64) for of in (gold, ~gold))
    return -thresholds, positive, negative


NONE = "no relation"
"""The row or column of the confusion table for candidates without a relation."""


@dataclass(frozen=True, slots=True)
class Score:
    """Figures from counts, of one type or of several together; 0 where nothing was found or there was nothing to find."""

    precision: float
    recall: float
    f1: float
    gold: int
    found: int
    right: int

    @classmethod
    def of(cls, gold: int = 0, found: int = 0, right: int = 0) -> Score:
        return cls(*rates(gold, found, right), gold, found, right)

    def __add__(self, other: Score) -> Score:
        return Score.of(self.gold + other.gold, self.found + other.found, self.right + other.right)


@dataclass(frozen=True)
class TypedMetrics:
    """A relation counts as right only if its type is.

    Attributes
    ----------
    by_type
        Figures of each type that the gold text has or the model found.
    micro
        All relations together: frequent types count most.
    macro
        The mean over the types that the gold text has: rare types count as much as frequent ones.
    most_frequent
        What ``micro`` would be if every relation found were called by the gold text's most frequent type: the baseline.
    confusion
        Gold type → predicted type → number of candidates, :data:`NONE` among both.
    """

    by_type: dict[str, Score]
    micro: Score
    macro: Score
    most_frequent: Score
    confusion: dict[str, dict[str, int]]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def typed_metrics(gold: Sequence[Sequence[str]], predicted: Sequence[str | None]) -> TypedMetrics:
    """All figures from the gold types of each candidate (none for a negative one) and the type that was given to it.

    A candidate with several gold types is right with any of them, and misses the others.

    >>> found = typed_metrics([["bind"], ["bind"], ["inhibit"], []], ["bind", "inhibit", None, "bind"])
    >>> found.by_type["bind"].f1, found.micro.right, found.micro.gold, found.micro.found, found.macro.f1
    (0.5, 1, 3, 3, 0.25)
    >>> found.most_frequent.right            # "bind" for all three that were found
    2
    >>> found.confusion["inhibit"]
    {'no relation': 1}
    """
    if len(gold) != len(predicted):
        raise ParameterError(f"typed_metrics: {len(gold)} gold labels but {len(predicted)} predicted ones")
    there: Counter[str] = Counter()
    given: Counter[str] = Counter()
    right: Counter[str] = Counter()
    cells: Counter[tuple[str, str]] = Counter()
    for types, answer in zip(gold, predicted, strict=True):
        own = set(types)
        there.update(own)
        if answer is not None:
            given[answer] += 1
            right[answer] += answer in own
        taken_for = NONE if answer is None else answer
        for name in own or {NONE}:
            cells[name, NONE if answer in own and name != answer else taken_for] += 1
    by_type = {name: Score.of(there[name], given[name], right[name]) for name in sorted(there.keys() | given.keys())}
    columns = [*by_type, NONE]
    commonest = min(there, key=lambda name: (-there[name], name), default="")
    rightly = sum(answer is not None and commonest in types for types, answer in zip(gold, predicted, strict=True))
    return TypedMetrics(
        by_type=by_type,
        micro=Score.of(there.total(), given.total(), right.total()),
        macro=_mean([score for name, score in by_type.items() if there[name]]),
        most_frequent=Score.of(there.total(), given.total(), rightly),
        confusion={
            name: {other: cells[name, other] for other in columns if cells[name, other]}
            for name in columns
            if any(cells[name, other] for other in columns)
        },
    )


def _mean(scores: Sequence[Score]) -> Score:
    n = max(len(scores), 1)
    return Score(
        precision=sum(score.precision for score in scores) / n,
        recall=sum(score.recall for score in scores) / n,
        f1=sum(score.f1 for score in scores) / n,
        gold=sum(score.gold for score in scores),
        found=sum(score.found for score in scores),
        right=sum(score.right for score in scores),
    )
