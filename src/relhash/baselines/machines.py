"""What the baselines that are no networks share: one parameter chosen by folds of documents, then one machine on all.

:class:`FoldedMachine` is for any learner; :class:`VectorMachine` for those that see a candidate as a row of numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from relhash.baselines.contract import Baseline, checked_labels, document_ids
from relhash.baselines.folds import Floats, Rows, Setting, best_held_out
from relhash.structures.candidate import Candidate

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

    Attributes
    ----------
    chosen_
        The setting chosen.
    machine_
        What was trained with it.
    """

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        X = self._learned_rows(candidates)
        self.chosen_, self.machine_ = self._chosen(
            self._settings(),
            lambda setting, rows: self._trained(setting, X[rows], labels[rows]),
            lambda machine, rows: self._scores(machine, X[rows]),
            candidates,
            labels,
        )
        return self

    def _positive(self, candidates: Sequence[Candidate]) -> Floats:
        return self._scores(self.machine_, self._rows(candidates))

    @abstractmethod
    def _settings(self) -> Sequence[float]:
        """What to choose from."""

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
