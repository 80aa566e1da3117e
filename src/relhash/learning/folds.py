"""Choices made on the training side only: out-of-fold scores with whole documents held out, and the classifier they favour.

Candidates of one sentence are near-copies of one another, so a fold never splits a document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """The classifier chosen, its out-of-fold scores, and what each of those compared reached."""

    classifier: Classifier
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
    classifier: Classifier,
    X: Any,
    y: ArrayLike,
    folds: Sequence[Fold],
    *,
    columns: Mapping[str, slice] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Floats:
    """Score of each candidate from a classifier that has not seen its document."""
    labels = both_classes(y)
    scores = np.full(labels.size, labels.mean())
    for train, test in folds:
        fitted = classifier.fit(X[train], labels[train], columns=columns, random_state=random_state, n_jobs=n_jobs)
        scores[test] = fitted.scores(X[test])
    return scores


def choose(
    classifiers: Sequence[Classifier],
    X: Any,
    y: ArrayLike,
    documents: ArrayLike,
    *,
    columns: Mapping[str, slice] | None = None,
    n_folds: int = 5,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Choice:
    """The classifier (or regularisation) with the highest out-of-fold average precision; earlier ones win ties."""
    folds = document_folds(y, documents, n_folds, random_state)
    scores = [
        out_of_fold(one, X, y, folds, columns=columns, random_state=random_state, n_jobs=n_jobs) for one in classifiers
    ]
    table = [
        {"average_precision": average_precision(y, own), "auc": auc(y, own), "f1_best": oracle_threshold(y, own)[1]}
        for own in scores
    ]
    best = max(range(len(scores)), key=lambda number: table[number]["average_precision"])
    return Choice(classifiers[best], scores[best], {str(one): row for one, row in zip(classifiers, table, strict=True)})
