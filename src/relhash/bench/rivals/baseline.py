"""The contract of a baseline: a scikit-learn classifier whose data points are candidates.

A baseline sees what every other system sees: the training candidates with their labels and, if it asks for them, the target's
candidates without labels. Besides probabilities it leaves *held-out scores*, from which the threshold of a table is chosen:
scores of training candidates by a model that did not train on their document. :class:`FoldedMachine` is the base of those that
are no networks: one parameter chosen by folds of training documents, then one machine on all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin

from relhash.candidates.candidate import Candidate
from relhash.errors import ParameterError
from relhash.learn.classifier import document_folds
from relhash.learn.metrics import average_precision

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


def best_held_out(
    settings: Sequence[float],
    scores_of: Callable[[float, Rows, Rows], Floats],
    y: NDArray[np.bool_],
    documents: NDArray[np.str_],
    random_state: int = 0,
) -> tuple[float, Floats]:
    """The setting with the highest average precision on three folds of documents, and its out-of-fold scores.

    ``scores_of(setting, train, test)`` gives scores of the rows ``test`` by a model of the rows ``train``; earlier settings win
    ties.
    """
    scores = {setting: np.full(y.size, y.mean()) for setting in settings}
    for train, test in document_folds(y, documents, 3, random_state):
        for setting in settings:
            scores[setting][test] = scores_of(setting, train, test)
    best = max(settings, key=lambda setting: average_precision(y, scores[setting]))
    return best, scores[best]


class Baseline(ClassifierMixin, BaseEstimator, ABC):
    """Base of all baselines.

    Implementations assign their parameters in ``__init__`` (among them ``random_state`` and ``n_jobs``), and set in :meth:`fit`
    the attributes below. The same seed gives the same scores for any ``n_jobs``; the score of a candidate does not depend on
    what it is predicted together with (up to rounding).

    Attributes
    ----------
    held_out_scores_, held_out_labels_
        Scores (as the second column of :meth:`predict_proba`) and labels of training candidates that did not train the model
        which scored them: out-of-fold by document, or the validation part of a network.
    classes_
        ``[False, True]``.
    """

    held_out_scores_: Floats
    held_out_labels_: NDArray[np.bool_]
    classes_: NDArray[np.bool_]

    @abstractmethod
    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        """Learn from labelled candidates; ``target`` are the candidates of the other text, without labels."""

    @abstractmethod
    def predict_proba(self, candidates: Sequence[Candidate]) -> Floats:
        """Probability of no relation and of a relation, one row per candidate."""

    def predict(self, candidates: Sequence[Candidate]) -> NDArray[np.bool_]:
        """Whether a relation is the likelier; tables choose their threshold by the held-out scores instead."""
        return np.asarray(self.predict_proba(candidates)[:, 1] >= 0.5)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """F1, as the field reports it."""
        from sklearn.metrics import f1_score

        return float(f1_score(np.asarray(y, bool), self.predict(X), sample_weight=sample_weight, zero_division=0.0))


def checked_labels(candidates: Sequence[Candidate], y: ArrayLike) -> NDArray[np.bool_]:
    """Labels as booleans, after an error if they do not fit the candidates or are all the same."""
    labels = np.asarray(y).astype(bool)
    if labels.shape != (len(candidates),):
        raise ParameterError(f"y: {len(candidates)} candidates need as many labels, not {labels.size}")
    if labels.all() or not labels.any():
        raise ParameterError("y: examples of both classes are needed, with and without a relation")
    return labels


def document_ids(candidates: Sequence[Candidate]) -> NDArray[np.str_]:
    """The document of each candidate, by which folds and validation sets are drawn."""
    return np.array([candidate.document.id for candidate in candidates])


class FoldedMachine(Baseline):
    """Base of baselines with a strength of regularisation, chosen from ``strengths`` by folds of documents.

    A subclass says how candidates are prepared, what is trained on some rows of the training candidates, and how prepared rows
    are scored. ``random_state`` draws the folds; ``n_jobs`` threads are used where a kernel can use them.
    """

    strengths: ClassVar[Sequence[float]] = (0.1, 0.3, 1.0, 3.0)

    def __init__(self, random_state: int = 0, n_jobs: int | None = None) -> None:
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        X = self._learned(candidates, labels)
        self.chosen_, self.held_out_scores_ = best_held_out(
            self.strengths,
            lambda strength, train, test: self._scores(self._trained(strength, X, labels, train), X, test),
            labels,
            document_ids(candidates),
            self.random_state,
        )
        self.held_out_labels_, self.classes_ = labels, np.array([False, True])
        self.machine_ = self._trained(self.chosen_, X, labels, np.arange(labels.size))
        return self

    def predict_proba(self, candidates: Sequence[Candidate]) -> Floats:
        if not len(candidates):
            return np.empty((0, 2))
        positive = self._scores(self.machine_, self._prepared(candidates), np.arange(len(candidates)))
        return np.column_stack([1 - positive, positive])

    @abstractmethod
    def _learned(self, candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> Any:
        """Learn how candidates are prepared; the training candidates, prepared."""

    @abstractmethod
    def _prepared(self, candidates: Sequence[Candidate]) -> Any:
        """Other candidates, prepared in the same way."""

    @abstractmethod
    def _trained(self, strength: float, X: Any, y: NDArray[np.bool_], rows: Rows) -> Any:
        """A machine that has learned from some rows of the training candidates."""

    @abstractmethod
    def _scores(self, machine: Any, X: Any, rows: Rows) -> Floats:
        """What a machine says of rows."""


def squeezed(decisions: Any) -> Floats:
    """Decision values in the unit interval: 0.5 on the separating plane.

    >>> squeezed(np.array([-1.0, 0.0, 1.0])).round(3).tolist()
    [0.119, 0.5, 0.881]
    """
    scores: Floats = expit(2 * decisions)
    return scores


def thinned(y: NDArray[np.bool_], at_most: int, random_state: int) -> NDArray[np.bool_]:
    """Which candidates a machine is given: all, or ``at_most``, half of them or as many as there are of the rarer class.

    >>> y = np.arange(100) < 10
    >>> chosen = thinned(y, 40, 0)
    >>> int(chosen.sum()), int(chosen[y].sum())
    (40, 10)
    """
    if y.size <= at_most:
        return np.ones(y.size, bool)
    rng = np.random.default_rng(random_state)
    chosen = np.zeros(y.size, bool)
    rarer = np.flatnonzero(y) if y.sum() <= y.size / 2 else np.flatnonzero(~y)
    chosen[rng.permutation(rarer)[: at_most // 2]] = True
    others = np.setdiff1d(np.arange(y.size), rarer)
    chosen[rng.permutation(others)[: at_most - int(chosen.sum())]] = True
    return chosen
