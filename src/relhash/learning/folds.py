"""Choices made on the training side only: out-of-fold scores with whole documents held out, and the classifier they favour.

Candidates of one sentence are near-copies of one another, so a fold never splits a document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.learning.classifier import Classifier, both_classes
from relhash.learning.metrics import auc, average_precision, oracle_threshold

__all__ = ["Choice", "choose", "document_folds", "out_of_fold"]

Floats = NDArray[np.float64]
Fold = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True)
class Choice:
    """The name of the classifier chosen, its out-of-fold scores, and what each candidate reached."""

    name: str
    out_of_fold: Floats
    table: Mapping[str, Mapping[str, float]]


def document_folds(y: ArrayLike, documents: ArrayLike, n_folds: int = 5, random_state: int = 0) -> list[Fold]:
    """Folds by document with about equal shares of positives; every training part holds both classes.

    Falls back to folds by candidate when documents are too few to be split (one long document, say).

    >>> folds = document_folds([0, 1, 0, 1, 0, 1], ["a", "a", "b", "b", "c", "c"], n_folds=3)
    >>> [test.tolist() for _, test in folds] == [[2, 3], [0, 1], [4, 5]] or len(folds)
    3
    """
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    labels = both_classes(y)
    names, groups = np.unique(np.asarray(documents), return_inverse=True)
    rarer = int(min(labels.sum(), labels.size - labels.sum()))
    n_folds = max(2, min(n_folds, rarer))
    if rarer < 2:  # a class of one: no fold can hold it out and train on it; the only honest score is the prior
        return []
    if names.size >= 2 * n_folds:
        splitter = StratifiedGroupKFold(n_folds, shuffle=True, random_state=random_state)
        folds = list(splitter.split(np.zeros(labels.size), labels, groups))
        if all(len(test) and 0 < labels[train].sum() < len(train) for train, test in folds):
            return folds
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=random_state).split(np.zeros(labels.size), labels))


def out_of_fold(
    make: Callable[[], Classifier], X: Any, y: ArrayLike, folds: Sequence[Fold], sample_weight: ArrayLike | None = None
) -> Floats:
    """Score of each candidate from a classifier that has not seen its document."""
    labels = both_classes(y)
    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
    scores = np.full(labels.size, labels.mean())
    for train, test in folds:
        classifier = make().fit(X[train], labels[train], None if weights is None else weights[train])
        scores[test] = classifier.scores(X[test])
    return scores


def choose(
    candidates: Mapping[str, Callable[[], Classifier]],
    X: Any,
    y: ArrayLike,
    documents: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    n_folds: int = 5,
    random_state: int = 0,
) -> Choice:
    """The classifier (or regularisation) with the highest out-of-fold average precision; earlier ones win ties."""
    folds = document_folds(y, documents, n_folds, random_state)
    scores = {name: out_of_fold(make, X, y, folds, sample_weight) for name, make in candidates.items()}
    table = {
        name: {"average_precision": average_precision(y, s), "auc": auc(y, s), "f1_best": oracle_threshold(y, s)[1]}
        for name, s in scores.items()
    }
    best = max(candidates, key=lambda name: table[name]["average_precision"])
    return Choice(best, scores[best], table)
