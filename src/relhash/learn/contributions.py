"""What each feature adds to a decision: terms whose sum, with a base, is exactly the classifier's log-odds.

A linear model is a sum already. A tree is one along the path that a candidate takes: each node on it moves the share of
relations, and what it moves is the doing of the feature that the node asks for. What only bends the sum of several terms (votes
to a probability and back) is shared among them in proportion, which is what integrating along the straight line from the base
gives (Aumann and Shapley). Classifiers that votes are made of (committees, mixtures, corrections) pass the terms of their
members on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.compilation import compiled
from relhash.learn.classifier import FittedClassifier, to_log_odds
from relhash.learn.committee import FittedCommittee
from relhash.learn.correction import FittedCorrection
from relhash.learn.forest import FittedForest
from relhash.learn.linear import FittedLinear
from relhash.learn.look import dense

Floats = NDArray[np.float64]
_SAME = 1e-9
"""Sums that differ by less lie at the base: the slope there shares nothing out."""


@dataclass(frozen=True, eq=False)
class Contributions:
    """``base + values.sum(axis=1)`` are the log-odds of the rows.

    Attributes
    ----------
    base
        Log-odds of a row of which nothing is known.
    values
        One row per candidate, one column per feature.
    """

    base: Floats
    values: Floats

    @property
    def total(self) -> Floats:
        return np.asarray(self.base + self.values.sum(axis=1))

    def bent(self, bend: Callable[[Floats], Floats]) -> Contributions:
        """The same after a function of the sum, its change shared in proportion to the terms."""
        base, total = bend(self.base), bend(self.total)
        moved = self.total - self.base
        is_same = np.abs(moved) < _SAME
        slope = np.where(is_same, (bend(self.base + 1e-4) - base) / 1e-4, (total - base) / np.where(is_same, 1.0, moved))
        return Contributions(base, self.values * slope[:, None])

    def times(self, factor: float) -> Contributions:
        return Contributions(self.base * factor, self.values * factor)

    def plus(self, other: Contributions) -> Contributions:
        return Contributions(self.base + other.base, self.values + other.values)

    def placed(self, columns: Any, n_features: int) -> Contributions:
        """The same in a wider table, where the features stand in ``columns``."""
        values = np.zeros((len(self.base), n_features))
        values[:, columns] = self.values
        return Contributions(self.base, values)


@singledispatch
def contributions(classifier: FittedClassifier, X: Any) -> Contributions:
    """What each column of ``X`` adds to :meth:`classifier.log_odds(X) <relhash.learn.FittedClassifier.log_odds>`.

    Of a classifier that is no sum (nearest neighbours, or one of your own) all is in the base.

    >>> from relhash.learn import LinearClassifier
    >>> X, y = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]]), [0, 1, 1, 0]
    >>> fitted = LinearClassifier(C=10.0).fit(X, y)
    >>> bool(np.allclose(contributions(fitted, X).total, fitted.log_odds(X)))
    True
    """
    return Contributions(classifier.log_odds(X), np.zeros(X.shape))


@contributions.register
def _(classifier: FittedLinear, X: Any) -> Contributions:
    rows = dense(X)
    return Contributions(np.full(len(rows), classifier.intercept), rows * classifier.weights)


@contributions.register
def _(classifier: FittedForest, X: Any) -> Contributions:
    trees = classifier.trees
    rows = np.ascontiguousarray(dense(X), np.float32)
    values = np.zeros(rows.shape)
    _walk(rows, trees.feature, trees.threshold, trees.left, trees.right, trees.value, trees.roots, values)
    base = np.full(len(rows), float(trees.value[trees.roots[:-1]].mean()))
    return Contributions(base, values).bent(_share_to_log_odds)


@contributions.register
def _(classifier: FittedCommittee, X: Any) -> Contributions:
    total = sum(member.weight for member in classifier.members)
    votes = _nothing(X)
    for member in classifier.members:
        parts = [slice(0, X.shape[1])] if member.columns is None else member.columns
        columns = np.concatenate([np.arange(part.start, part.stop) for part in parts])
        own = contributions(member.classifier, X[:, columns]).times(member.weight / member.scale / total)
        votes = votes.plus(own.placed(columns, X.shape[1]))
    return votes.bent(_vote_to_log_odds)


@contributions.register
def _(classifier: FittedCorrection, X: Any) -> Contributions:
    """Columns behind those of the features are the labelled rows: what each adds to a row that is near it."""
    terms, look, rows = classifier.terms, classifier.look, classifier.look(X)
    n_answers = terms.near.size
    values = np.zeros((X.shape[0], X.shape[1] + n_answers))
    base = np.full(X.shape[0], terms.offset)
    if classifier.before is None:
        values[:, X.shape[1] - 1] = terms.slope * classifier.prior(X)
    else:
        before = contributions(classifier.before, X).bent(classifier.calibrated)
        base = base + terms.slope * (before.base + before.values[:, X.shape[1] :].sum(axis=1))
        values[:, : X.shape[1]] += terms.slope * before.values[:, : X.shape[1]]
    of_dense, grams = classifier.weights
    place = 0
    for name, part in look.parts.items():
        if name == "ngrams":
            values[:, part] += rows.grams.multiply(grams).toarray()
            continue
        width = part.stop - part.start
        values[:, part] += rows.dense[:, place : place + width] * of_dense[place : place + width]
        place += width
    if classifier.own is not None and terms.own:
        own_X = X[:, : X.shape[1] - 1] if classifier.before is None else X
        centre, spread = classifier.own_line
        own = contributions(classifier.own, own_X).times(terms.own / spread)
        base = base + own.base - terms.own * centre / spread
        values[:, : own_X.shape[1]] += own.values[:, : own_X.shape[1]]
    if n_answers:
        values[:, X.shape[1] :] = classifier.nearness(rows) * terms.near
    return Contributions(base, values)


def _nothing(X: Any) -> Contributions:
    return Contributions(np.zeros(X.shape[0]), np.zeros(X.shape))


def _share_to_log_odds(shares: Floats) -> Floats:
    return to_log_odds(np.clip(shares, 0.0, 1.0))


def _vote_to_log_odds(votes: Floats) -> Floats:
    """What :meth:`FittedClassifier.log_odds` makes of a score that is the probability of a vote."""
    return to_log_odds(special.expit(votes))


@compiled
def _walk(X, feature, threshold, left, right, value, roots, values):  # type: ignore[no-untyped-def]  # pragma: no cover
    n_trees = roots.size - 1
    for row in range(X.shape[0]):
        for tree in range(n_trees):
            node = roots[tree]
            while left[node] >= 0:
                child = left[node] if X[row, feature[node]] <= threshold[node] else right[node]
                values[row, feature[node]] += (value[child] - value[node]) / n_trees
                node = child
