"""The contract of a baseline: a scikit-learn classifier whose data points are candidates.

A baseline sees what every other system sees: the training candidates with their labels and, if it asks for them, the target's
candidates without labels. Besides probabilities it leaves *held-out scores*, from which the threshold of a table is chosen:
scores of training candidates by a model that did not train on their document.

Parameters and held-out scores of a baseline, both from folds of whole training documents.

What the baselines that are no networks share: one parameter chosen by folds of documents, then one machine on all.

:class:`FoldedMachine` is for any learner; :class:`VectorMachine` for those that see a candidate as a row of numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

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
Setting = TypeVar("Setting")


@dataclass(frozen=True)
class HeldOut(Generic[Setting]):
    """The setting with the highest out-of-fold average precision, its out-of-fold scores, and what each setting reached."""

    setting: Setting
    scores: Floats
    average_precision: dict[Setting, float]


def best_held_out(
    settings: Sequence[Setting],
    scores_of: Callable[[Setting, Rows, Rows], Floats],
    y: NDArray[np.bool_],
    documents: NDArray[np.str_],
    *,
    n_folds: int = 3,
    random_state: int = 0,
) -> HeldOut[Setting]:
    """Try each setting on folds of documents; earlier ones win ties.

    Parameters
    ----------
    scores_of
        ``scores_of(setting, train, test)``: scores of the rows ``test`` by a model trained on the rows ``train``.

    >>> y, documents = np.arange(8) % 2 == 1, np.repeat(["a", "b", "c", "d"], 2)
    >>> best_held_out([-1.0, 1.0], lambda sign, train, test: sign * y[test], y, documents, n_folds=2).setting
    1.0
    """
    if not settings:
        raise ParameterError("at least one setting of the regularisation is needed")
    folds = document_folds(y, documents, n_folds, random_state)
    scores = {setting: np.full(y.size, y.mean()) for setting in settings}
    for train, test in folds:  # outside, so that what is prepared for a fold serves all settings
        for setting in settings:
            scores[setting][test] = scores_of(setting, train, test)
    reached = {setting: average_precision(y, own) for setting, own in scores.items()}
    best = max(settings, key=lambda setting: reached[setting])
    return HeldOut(best, scores[best], reached)


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


Machine = TypeVar("Machine")


class FoldedMachine(Baseline):
    """Base of baselines with a parameter that is chosen by folds of documents.

    Parameters
    ----------
    n_folds
        Folds of documents for that choice and for the held-out scores.
    random_state
        Draws the folds.
    n_jobs
        Accepted for the contract; one core is used where a subclass does not say otherwise.
    """

    def __init__(self, n_folds: int = 3, random_state: int = 0, n_jobs: int | None = None) -> None:
        self.n_folds = n_folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _chosen(
        self,
        settings: Sequence[Setting],
        trained: Callable[[Setting, Rows], Machine],
        scores: Callable[[Machine, Rows], Floats],
        candidates: Sequence[Candidate],
        y: NDArray[np.bool_],
    ) -> tuple[Setting, Machine]:
        """The best of ``settings`` and the machine it gives on all rows; sets the attributes of the contract.

        ``trained(setting, rows)`` gives a machine that has seen those rows, ``scores(machine, rows)`` what it says of others.
        """
        chosen = best_held_out(
            tuple(settings), lambda setting, train, test: scores(trained(setting, train), test), y, document_ids(candidates),
            n_folds=self.n_folds, random_state=self.random_state,
        )  # fmt: skip
        self.held_out_scores_, self.held_out_labels_ = chosen.scores, y
        self.classes_ = np.array([False, True])
        return chosen.setting, trained(chosen.setting, np.arange(y.size))

    def predict_proba(self, candidates: Sequence[Candidate]) -> Floats:
        if not len(candidates):
            return np.empty((0, 2))
        positive = self._positive(candidates)
        return np.column_stack([1 - positive, positive])

    @abstractmethod
    def _positive(self, candidates: Sequence[Candidate]) -> Floats:
        """The score of each candidate, of which there is at least one."""


class VectorMachine(FoldedMachine):
    """Base of baselines that make a row of numbers of each candidate and learn from rows.

    Parameters
    ----------
    strengths
        Values of the regularisation to choose from; ``None`` takes the baseline's own.
    n_folds, random_state, n_jobs
        Of :class:`FoldedMachine`.

    Attributes
    ----------
    chosen_
        The setting chosen.
    machine_
        What was trained with it.
    """

    own_strengths: ClassVar[Sequence[float]]

    def __init__(
        self,
        strengths: Sequence[float] | None = None,
        n_folds: int = 3,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(n_folds, random_state, n_jobs)
        self.strengths = strengths

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        X = self._learned_rows(candidates)
        self.chosen_, self.machine_ = self._chosen(
            self.own_strengths if self.strengths is None else self.strengths,
            lambda setting, rows: self._trained(setting, X[rows], labels[rows]),
            lambda machine, rows: self._scores(machine, X[rows]),
            candidates,
            labels,
        )
        return self

    def _positive(self, candidates: Sequence[Candidate]) -> Floats:
        return self._scores(self.machine_, self._rows(candidates))

    @abstractmethod
    def _rows(self, candidates: Sequence[Candidate]) -> Any:
        """A matrix, dense or sparse, with one row per candidate."""

    def _learned_rows(self, candidates: Sequence[Candidate]) -> Any:
        """The rows of the training candidates, for vectors that are learned from them."""
        return self._rows(candidates)

    @abstractmethod
    def _trained(self, setting: float, X: Any, y: NDArray[np.bool_]) -> Any:
        """A machine that has learned from rows."""

    @abstractmethod
    def _scores(self, machine: Any, X: Any) -> Floats:
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
