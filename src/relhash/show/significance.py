"""How sure a figure is, and whether one system is better than another: one bootstrap for everything that is reported.

Candidates of one document share words, names and annotators, and cells with one seed share their codes. So whole documents
*and* whole seeds are drawn again, the same ones for both systems and, inside one resample, for all directions. Three things
keep the interval honest (``benchmarks/interval_coverage.py`` simulates it):

- of n documents n − 1 are drawn, and seeds get normal weights of the same spread: the variance of a mean is unbiased however
  few they are, and two seeds are not just two possible worlds;
- what seeds and documents do together would be counted three times by drawing both (Owen 2007, the pigeonhole bootstrap);
  drawing each alone as well tells how much that is, and it is taken out;
- the resamples are spread as Student's quantiles are wider than normal ones, what seeds do by that of the seeds and what
  documents do by that of the documents: five seeds tell little of how much seeds differ.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.errors import ParameterError

Floats = NDArray[np.float64]
Figure = Callable[[Floats], Floats]
"""A figure for each row of document weights; NaN where it is undefined."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A figure of one system on one test set, ready to be resampled: F1 or AUC of each run for any weights of the documents.

    Samples with the same names of documents are resampled alike, and so are those with the same groups: the seed of each run,
    or the seed of the codes that several draws of labels share. A system that has run once has nothing to resample.
    """

    documents: tuple[Hashable, ...]
    groups: tuple[Hashable, ...]
    runs: Sequence[Figure] = field(repr=False)

    def figures(self, weights: Floats) -> Floats:
        """``(resamples, runs)``: the figure of each run for each row of document weights."""
        return np.column_stack([run(weights) for run in self.runs])


def _auc(positive: sparse.csr_matrix, negative: sparse.csr_matrix, weights: Floats) -> Floats:
    """AUC for each row of weights, from ``(distinct scores from high to low, documents)``: how many candidates there are."""
    values = np.empty(len(weights))
    for start in range(0, len(weights), 256):  # bounds the memory
        part = weights[start : start + 256].T
        right, wrong = positive @ part, negative @ part
        below_or_half = wrong.sum(axis=0) - np.cumsum(wrong, axis=0) + wrong / 2
        pairs = right.sum(axis=0) * wrong.sum(axis=0)
        above = (right * below_or_half).sum(axis=0)
        values[start : start + 256] = np.divide(above, pairs, out=np.full_like(above, np.nan), where=pairs > 0)
    return values


def _f1(counts: Floats, weights: Floats) -> Floats:
    """F1 for each row of weights, from relations found, and candidates accepted plus relations there are, per document."""
    found, total = (weights @ counts).T
    return np.asarray(np.divide(2 * found, total, out=np.full_like(found, np.nan), where=total > 0))


def f1_sample(y: ArrayLike, labels: ArrayLike, documents: ArrayLike, groups: Sequence[Hashable] | None = None) -> Sample:
    """F1 of the positive class; ``labels`` may be a table with one row per run, then their mean is what counts.

    >>> sample = f1_sample([1, 0, 1, 0], [[1, 0, 1, 0], [1, 1, 0, 0]], ["a", "a", "b", "b"])
    >>> sample.figures(np.ones((1, 2))).round(2)
    array([[1. , 0.5]])
    """
    gold, table = np.asarray(y).astype(bool), np.atleast_2d(np.asarray(labels)).astype(bool)
    names, place = _places(gold, table, documents)

    def counts(given: NDArray[np.bool_]) -> Floats:
        found = np.bincount(place, gold & given, len(names))
        return np.column_stack([found, np.bincount(place, gold.astype(float) + given, len(names))])

    return Sample(names, _groups(groups, table), [partial(_f1, counts(given)) for given in table])


def auc_sample(y: ArrayLike, scores: ArrayLike, documents: ArrayLike, groups: Sequence[Hashable] | None = None) -> Sample:
    """AUC; ``scores`` may be a table with one row per run.

    >>> float(auc_sample([0, 1, 1], [.5, .5, .7], ["a", "b", "b"]).figures(np.ones((1, 2)))[0, 0])
    0.75
    """
    gold, table = np.asarray(y).astype(bool), np.atleast_2d(np.asarray(scores, np.float64))
    names, place = _places(gold, table, documents)

    def run(own: Floats) -> Figure:
        distinct, at = np.unique(-own, return_inverse=True)
        shape = distinct.size, len(names)
        positive, negative = (sparse.csr_matrix((kind.astype(float), (at, place)), shape) for kind in (gold, ~gold))
        return partial(_auc, positive, negative)

    return Sample(names, _groups(groups, table), [run(own) for own in table])


def _places(
    gold: NDArray[np.bool_], table: NDArray[np.generic], documents: ArrayLike
) -> tuple[tuple[Hashable, ...], NDArray[np.int64]]:
    names, place = np.unique(np.asarray(documents), return_inverse=True)
    if not gold.shape == table.shape[1:] == place.shape:
        sizes = f"{gold.size} gold labels, {table.shape[1]} predicted ones and {place.size} documents"
        raise ParameterError(f"{sizes} do not match")
    return tuple(names.tolist()), place


def _groups(groups: Sequence[Hashable] | None, table: NDArray[np.generic]) -> tuple[Hashable, ...]:
    own = tuple(range(len(table)) if groups is None else groups)
    if len(own) != len(table):
        raise ParameterError(f"{len(table)} runs and {len(own)} groups do not match")
    return own


LEVEL = 0.95
"""The share of resamples that an interval holds."""
MOST_UNDEFINED = 0.01
"""The share of resamples that may be without a figure (no relation was drawn) before an interval is refused."""


@dataclass(frozen=True)
class Interval:
    """A figure and where it lies in :data:`LEVEL` of the resamples.

    ``n_seeds`` is how many seeds (or groups of draws with the same codes) were resampled beside the documents; with one there
    is nothing to resample, and the interval says nothing of other seeds. ``undefined`` resamples had no figure.
    """

    value: float
    low: float
    high: float
    n_seeds: int = 1
    undefined: int = 0

    @property
    def resampled(self) -> str:
        """What the interval is about."""
        return "seeds and documents" if self.n_seeds > 1 else "documents"

    @property
    def bounds(self) -> list[float] | None:
        """Both ends, for JSON; ``None`` if there are none."""
        return None if np.isnan(self.low) else [self.low, self.high]

    def __str__(self) -> str:
        if self.bounds is None:
            return f"{self.value:.3f} [too few documents for an interval]"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class Difference(Interval):
    """First system minus second; ``p_value`` is two-sided: how often the resamples speak against the sign of the difference."""

    p_value: float = 1.0

    @property
    def is_decided(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


def difference(tests: Sequence[tuple[Sample, Sample]], *, n_resamples: int = 2000) -> Difference:
    """The first system minus the second, the mean of several test sets (the directions of a protocol, say)."""
    for first, second in tests:
        if first.documents != second.documents:
            raise ParameterError("two systems are compared on different documents")
    signed = [pair for first, second in tests for pair in ((first, 1.0 / len(tests)), (second, -1.0 / len(tests)))]
    return _resampled(signed, n_resamples)


def interval(sample: Sample, *, n_resamples: int = 2000) -> Interval:
    """The mean figure of one system on one test set."""
    found = _resampled([(sample, 1.0)], n_resamples)
    # stretched for few documents, it may leave the range of a figure
    low, high = max(found.low, 0.0), min(found.high, 1.0)
    return Interval(found.value, low, high, found.n_seeds, found.undefined)


def bootstrap_f1(y: ArrayLike, predicted: ArrayLike, documents: ArrayLike) -> Interval:
    """F1 of the positive class with its interval, or without one where documents are too few.

    >>> bootstrap_f1([1, 0, 1, 0], [1, 0, 1, 0], ["a", "a", "b", "b"]).low     # nothing wrong anywhere
    1.0
    >>> print(bootstrap_f1([1, 0, 1, 0], [1, 0, 1, 0], ["a"] * 4))
    1.000 [too few documents for an interval]
    """
    found = _if_possible(f1_sample(y, predicted, documents), 1000)
    return replace(found, value=float(np.nan_to_num(found.value)))


def bootstrap_auc(y: ArrayLike, scores: ArrayLike, documents: ArrayLike, *, n_resamples: int = 300) -> Interval:
    """AUC with its interval, or without one where documents are too few."""
    return _if_possible(auc_sample(y, scores, documents), n_resamples)


def _if_possible(sample: Sample, n_resamples: int) -> Interval:
    try:
        return interval(sample, n_resamples=n_resamples)
    except ParameterError:
        return Interval(float(sample.figures(np.ones((1, len(sample.documents)))).mean()), np.nan, np.nan)


def _resampled(signed: Sequence[tuple[Sample, float]], n_resamples: int) -> Difference:
    """The sum of signed mean figures, resampled by documents, by seeds, and by both."""
    draws = _Draws(n_resamples)
    value, of_documents, of_both = 0.0, np.zeros(n_resamples), np.zeros(n_resamples)
    of_seeds: dict[tuple[Hashable, ...], Floats] = {}  # what one set of groups does: these are independent of each other
    for sample, sign in signed:
        plain = sample.figures(np.ones((1, len(sample.documents))))
        figures = sample.figures(draws.of_documents(sample.documents))
        seeds = draws.of_runs(sample.groups)
        value += sign * float(plain.mean())
        of_documents += sign * figures.mean(axis=1)
        of_both += sign * (figures * seeds).sum(axis=1)
        units = tuple(dict.fromkeys(sample.groups))
        of_seeds[units] = of_seeds.get(units, np.zeros(n_resamples)) + sign * (seeds @ plain[0])
    if np.isnan(value):
        raise ParameterError("there is nothing to resample: the figure itself is undefined (one class only)")
    n_documents = sum(len(names) for names in {sample.documents for sample, _ in signed})
    if n_documents < 2:
        raise ParameterError("one document cannot be resampled: there is no interval")
    undefined = int(np.isnan(of_both).sum())
    if undefined > MOST_UNDEFINED * n_resamples:
        raise ParameterError(
            f"{undefined} of {n_resamples} resamples hold no relation (or nothing else), so there is no interval; it takes "
            "more documents with relations"
        )
    by_documents, both = (own[np.isfinite(own)] for own in (of_documents, of_both))
    parts = [(float(by_documents.var()), n_documents - 1)]
    parts += [(float(own.var()), len(units) - 1) for units, own in of_seeds.items() if len(units) > 1]
    together = float(both.var())
    apart = sum(variance for variance, _ in parts)
    largest = max(variance for variance, _ in parts)
    wanted = max(largest, 2 * apart - together) if len(parts) > 1 else together
    stretch = np.sqrt(wanted / together) * _student(parts) if together > 0 else 1.0
    spread = both.mean() + stretch * (both - both.mean())
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    against = int(np.count_nonzero(spread <= 0) if value > 0 else np.count_nonzero(spread >= 0))
    p_value = min(1.0, 2 * (against + 1) / (spread.size + 1))
    n_seeds = min((len(units) for units in of_seeds if len(units) > 1), default=1)
    return Difference(value, float(low), float(high), n_seeds, undefined, p_value)


class _Draws:
    """How much each document or seed counts in each resample; the same names count alike in all samples."""

    def __init__(self, n_resamples: int) -> None:
        self.n_resamples = n_resamples
        self._made: dict[tuple[str, tuple[Hashable, ...]], Floats] = {}

    def of_documents(self, names: tuple[Hashable, ...]) -> Floats:
        """``(resamples, documents)``: how often each is drawn, of n documents n − 1."""
        if ("documents", names) not in self._made:
            n = len(names)
            drawn = self._rng().multinomial(max(n - 1, 1), np.full(n, 1 / n), self.n_resamples)
            self._made["documents", names] = drawn.astype(np.float64)
        return self._made["documents", names]

    def of_runs(self, groups: tuple[Hashable, ...]) -> Floats:
        """``(resamples, runs)``: shares of the runs in a mean, alike within a group; they sum to 1."""
        units = tuple(dict.fromkeys(groups))
        if ("seeds", units) not in self._made:
            self._made["seeds", units] = self._rng().normal(size=(self.n_resamples, len(units)))
        drawn = self._made["seeds", units][:, [units.index(group) for group in groups]]
        spread = np.sqrt(len(units) / max(len(units) - 1, 1))
        return np.asarray((1 + spread * (drawn - drawn.mean(axis=1, keepdims=True))) / len(groups))

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng([0, len(self._made)])


def _student(parts: Sequence[tuple[float, int]]) -> float:
    """How much wider Student's quantiles are than the normal one, each part of the variance by its own degrees of freedom.

    With Satterthwaite's single quantile two seeds that happen to agree would make the interval too narrow (coverage 89 %).
    """
    from scipy.stats import norm, t

    total = sum(variance for variance, _ in parts)
    if total == 0:
        return 1.0
    squares = sum(variance * t.ppf((1 + LEVEL) / 2, degrees) ** 2 for variance, degrees in parts)
    return float(np.sqrt(squares / total) / norm.ppf((1 + LEVEL) / 2))
