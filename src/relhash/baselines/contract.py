"""The contract of a baseline: a scikit-learn classifier whose data points are candidates.

A baseline sees what every other system sees: the training candidates with their labels and, if it asks for them, the target's
candidates without labels. Besides probabilities it leaves *held-out scores*, from which the threshold of a table is chosen:
scores of training candidates by a model that did not train on their document.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from relhash.errors import ParameterError
from relhash.structures.candidate import Candidate

Floats = NDArray[np.float64]


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
