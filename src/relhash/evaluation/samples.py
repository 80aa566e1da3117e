"""Figures that can be resampled: F1 and AUC of the runs of a system as functions of how much each document counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.errors import ParameterError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample:
    """A figure of one system on one test set, ready to be resampled.

    Attributes
    ----------
    documents
        Names of the documents; samples with the same names are resampled alike.
    groups
        The group of each run: its seed, or the seed of the codes that several draws of labels share. Samples with the same
        groups are resampled alike; a system that has run once has nothing to resample.
    runs
        What gives the figure of each run for any weights of the documents; see :func:`f1_sample`.
    """

    documents: tuple[Hashable, ...]
    groups: tuple[Hashable, ...]
    runs: Sequence[_Figure] = field(repr=False)

    def figures(self, weights: Floats) -> Floats:
        """``(resamples, runs)``: the figure of each run for each row of document weights."""
        return np.column_stack([run(weights) for run in self.runs])


class _Figure:
    """A figure as a function of document weights, for many rows of weights at once; NaN where it is undefined."""

    def __call__(self, weights: Floats) -> Floats:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class F1Run(_Figure):
    counts: Floats
    """Per document: relations found; candidates accepted plus relations there are."""

    def __call__(self, weights: Floats) -> Floats:
        found, total = (weights @ self.counts).T
        return np.asarray(np.divide(2 * found, total, out=np.full_like(found, np.nan), where=total > 0))


@dataclass(frozen=True, eq=False)
class AUCRun(_Figure):
    positive: sparse.csr_matrix
    negative: sparse.csr_matrix
    """``(distinct scores from high to low, documents)``: how many candidates there are."""

    def __call__(self, weights: Floats) -> Floats:
        values = np.empty(len(weights))
        for start in range(0, len(weights), 256):  # bounds the memory
            part = weights[start : start + 256].T
            positive, negative = self.positive @ part, self.negative @ part
            below_or_half = negative.sum(axis=0) - np.cumsum(negative, axis=0) + negative / 2
            pairs = positive.sum(axis=0) * negative.sum(axis=0)
            right = (positive * below_or_half).sum(axis=0)
            values[start : start + 256] = np.divide(right, pairs, out=np.full_like(right, np.nan), where=pairs > 0)
        return values


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

    return Sample(names, _groups(groups, table), [F1Run(counts(given)) for given in table])


def auc_sample(y: ArrayLike, scores: ArrayLike, documents: ArrayLike, groups: Sequence[Hashable] | None = None) -> Sample:
    """AUC; ``scores`` may be a table with one row per run.

    >>> float(auc_sample([0, 1, 1], [.5, .5, .7], ["a", "b", "b"]).figures(np.ones((1, 2)))[0, 0])
    0.75
    """
    gold, table = np.asarray(y).astype(bool), np.atleast_2d(np.asarray(scores, np.float64))
    names, place = _places(gold, table, documents)

    def run(own: Floats) -> AUCRun:
        distinct, at = np.unique(-own, return_inverse=True)
        shape = distinct.size, len(names)
        positive, negative = (sparse.csr_matrix((kind.astype(float), (at, place)), shape) for kind in (gold, ~gold))
        return AUCRun(positive, negative)

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
