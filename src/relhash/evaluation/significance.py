"""How sure a figure is, and whether one system is better than another: by resampling whole documents.

Candidates of one document share words, names and annotators; intervals that resample candidates are too narrow. A resample is a
weight per document, so each is a few sums over per-document counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ParameterError
from relhash.learning.metrics import auc

__all__ = ["Difference", "Interval", "bootstrap_auc", "bootstrap_f1", "mcnemar", "mean_paired_f1", "paired_auc"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A figure and where it lies in ``level`` of the resamples of the documents."""

    value: float
    low: float
    high: float
    level: float = 0.95

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class Difference(Interval):
    """First system minus second; ``p_value`` is two-sided: how often the resamples speak against the sign of the difference."""

    p_value: float = 1.0


def bootstrap_f1(
    y: ArrayLike,
    predicted: ArrayLike,
    documents: ArrayLike,
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    random_state: int = 0,
) -> Interval:
    """F1 of the positive class with its interval; ``predicted`` may be a table with one row per seed, then of their mean F1.

    >>> bootstrap_f1([1, 0, 1, 0], [1, 0, 1, 0], ["a", "a", "b", "c"]).low     # nothing wrong anywhere
    1.0
    """
    of_seeds = _counts_by_seed(y, predicted, documents)
    n_documents = len(of_seeds[0])
    resamples = _resamples(n_documents, n_resamples, random_state)
    return _interval(_mean_f1(of_seeds, np.ones((1, n_documents)))[0], _mean_f1(of_seeds, resamples), level)


def bootstrap_auc(
    y: ArrayLike, scores: ArrayLike, documents: ArrayLike, *, n_resamples: int = 300, level: float = 0.95, random_state: int = 0
) -> Interval:
    """AUC with its interval."""
    return _interval(auc(y, scores), _resampled_auc(y, scores, documents, n_resamples, random_state), level)


def mean_paired_f1(
    tests: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]],
    *,
    n_resamples: int = 2000,
    level: float = 0.95,
    random_state: int = 0,
) -> Difference:
    """F1 of one system minus F1 of another, both on the same resampled documents; the mean of several test sets.

    ``tests`` holds of each test set (the directions of a protocol, say) the gold labels, the labels of the first and of the
    second system, and the documents. Labels of a system may be a table with one row per seed: then the mean F1 over the seeds
    is compared.
    """
    values, resampled = [], []
    for number, (y, first, second, documents) in enumerate(tests):
        of_first, of_second = _counts_by_seed(y, first, documents), _counts_by_seed(y, second, documents)
        everything = np.ones((1, len(of_first[0])))
        resamples = _resamples(len(of_first[0]), n_resamples, random_state + number)
        values.append(_mean_f1(of_first, everything)[0] - _mean_f1(of_second, everything)[0])
        resampled.append(_mean_f1(of_first, resamples) - _mean_f1(of_second, resamples))
    return _difference(float(np.mean(values)), np.mean(resampled, axis=0), level)


def paired_auc(
    y: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    documents: ArrayLike,
    *,
    n_resamples: int = 300,
    level: float = 0.95,
    random_state: int = 0,
) -> Difference:
    """AUC of one system minus AUC of another on the same resampled documents."""
    of_first, of_second = (_resampled_auc(y, scores, documents, n_resamples, random_state) for scores in (first, second))
    return _difference(auc(y, first) - auc(y, second), of_first - of_second, level)


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


def _counts_by_seed(y: ArrayLike, predicted: ArrayLike, documents: ArrayLike) -> list[Floats]:
    return [_counts(y, labels, documents) for labels in np.atleast_2d(np.asarray(predicted))]


def _mean_f1(of_seeds: Sequence[Floats], weights: Floats) -> Floats:
    """Mean F1 over the seeds for each row of document weights."""
    scores: Floats = np.mean([_f1(weights @ counts) for counts in of_seeds], axis=0)
    return scores


def _counts(y: ArrayLike, predicted: ArrayLike, documents: ArrayLike) -> Floats:
    """Per document: relations found, candidates accepted plus relations there are (F1 is twice the first over the second)."""
    gold, labels = np.asarray(y).astype(bool), np.asarray(predicted).astype(bool)
    names, place = np.unique(np.asarray(documents), return_inverse=True)
    if not gold.shape == labels.shape == place.shape:
        raise ParameterError(f"{gold.size} gold labels, {labels.size} predicted ones and {place.size} documents do not match")
    found = np.bincount(place, gold & labels, names.size)
    accepted_and_there = np.bincount(place, gold.astype(float) + labels, names.size)
    return np.column_stack([found, accepted_and_there]).astype(np.float64)


def _f1(counts: Floats) -> Floats:
    found, total = counts[..., 0], counts[..., 1]
    # nothing to find and nothing found (a resample of empty documents) is no evidence: NaN, left out of the quantiles
    return np.divide(2 * found, total, out=np.full_like(found, np.nan), where=total > 0)


def _resampled_auc(y: ArrayLike, scores: ArrayLike, documents: ArrayLike, n_resamples: int, random_state: int) -> Floats:
    _, place = np.unique(np.asarray(documents), return_inverse=True)
    resamples = _resamples(int(place.max()) + 1, n_resamples, random_state)
    return np.array([auc(y, scores, weights[place]) for weights in resamples])


def _resamples(n_documents: int, n_resamples: int, random_state: int) -> Floats:
    """How often each document is drawn, one row per resample."""
    rng = np.random.default_rng(random_state)
    return rng.multinomial(n_documents, np.full(n_documents, 1 / n_documents), n_resamples).astype(np.float64)


def _interval(value: float | Floats, resampled: Floats, level: float) -> Interval:
    low, high = np.nanquantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(np.nan_to_num(value)), float(low), float(high), level)


def _difference(value: float, resampled: Floats, level: float) -> Difference:
    low, high = np.nanquantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    against = float(np.mean(resampled <= 0) if value > 0 else np.mean(resampled >= 0))
    return Difference(value, float(low), float(high), level, p_value=min(1.0, 2 * against))
