"""Choices made on the training side only: out-of-fold scores with whole documents held out, and the classifier they favour.

Candidates of one sentence are near-copies of one another, so a fold does not split a document; where it must, it says so.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import RelHashWarning
from relhash.learn.classifier import Classifier, Fitting, Fold, both_classes
from relhash.learn.metrics import auc, average_precision, oracle_threshold

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """The classifier chosen, its out-of-fold scores, and what each of those compared reached."""

    classifier: Classifier
    out_of_fold: Floats
    table: Mapping[str, Mapping[str, float]]

    @property
    def average_precision(self) -> float:
        """What the classifier chosen reached."""
        return self.table[str(self.classifier)]["average_precision"]


def document_folds(
    y: ArrayLike, documents: ArrayLike, n_folds: int = 5, random_state: int = 0, *, quiet: bool = False
) -> list[Fold]:
    """Folds by document with about equal shares of positives; every training part holds both classes.

    With few documents, or positives in few of them, there are fewer folds. Where no split by documents leaves both classes to
    train on (one long document, say), candidates are held out one by one, with a :class:`~relhash.errors.RelHashWarning`
    unless ``quiet``. A class of one cannot be held out at all: no folds.

    >>> folds = document_folds([0, 1, 0, 1, 0, 1], ["a", "a", "b", "b", "c", "c"], n_folds=5)
    >>> sorted(test.tolist() for _, test in folds)
    [[0, 1], [2, 3], [4, 5]]
    """
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    labels = both_classes(y)
    names, groups = np.unique(np.asarray(documents), return_inverse=True)
    rarer = int(min(labels.sum(), labels.size - labels.sum()))
    if rarer < 2:
        return []
    n_folds = max(2, min(n_folds, rarer))
    rows = np.zeros(labels.size)
    for fewer in range(min(n_folds, names.size), 1, -1):
        folds = list(StratifiedGroupKFold(fewer, shuffle=True, random_state=random_state).split(rows, labels, groups))
        if all(len(test) and 0 < labels[train].sum() < len(train) for train, test in folds):
            return folds
    if not quiet:
        warnings.warn(
            f"the {labels.size} labels come from too few documents ({names.size}) to hold whole ones out; candidates are held "
            "out one by one, so figures of the training side are too good (label sentences of more documents)",
            RelHashWarning,
            stacklevel=2,
        )
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=random_state).split(rows, labels))


def choose(
    classifiers: Sequence[Classifier],
    X: Any,
    y: ArrayLike,
    documents: ArrayLike,
    *,
    n_folds: int = 5,
    **how: Unpack[Fitting],
) -> Choice:
    """The classifier (or regularisation) with the highest out-of-fold average precision; earlier ones win ties."""
    folds = document_folds(y, documents, n_folds, how.get("random_state", 0))
    taught, scores = zip(*(one.held_out(X, y, folds, **how) for one in classifiers), strict=True)
    table = [
        {"average_precision": average_precision(y, own), "auc": auc(y, own), "f1_best": oracle_threshold(y, own)[1]}
        for own in scores
    ]
    best = max(range(len(scores)), key=lambda number: table[number]["average_precision"])
    return Choice(taught[best], scores[best], {str(one): row for one, row in zip(classifiers, table, strict=True)})
