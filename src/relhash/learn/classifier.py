"""The contract of classifiers over features of candidates, and the choice between them on the training side.

A :class:`Classifier` is plain frozen data (``LinearClassifier(C=0.1)``); its ``fit`` gives a :class:`FittedClassifier` of plain
arrays. The extractor, the model file and the benchmarks know nothing else. A row's score never depends on the other rows, bit
for bit: sums run over one row at a time.

Candidates of one sentence are near-copies of one another, so a fold does not split a document; where it must, it says so.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.codec import Arrays, InArrays, InJson
from relhash.errors import ModelFileError, ParameterError, RelHashWarning
from relhash.learn.metrics import auc, average_precision, oracle_threshold
from relhash.registry import Registry

Floats = NDArray[np.float64]
Fold = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Rows to fit on, and rows that are held out meanwhile."""

CLASSIFIERS: Registry[type[Classifier]] = Registry("classifier", "relhash.classifiers")
"""Classifiers by name; those of this room register themselves when it is imported."""

_SOFTENING = 0.01  # a forest may vote 0 or 1, whose log-odds are infinite


class Fitting(TypedDict, total=False):
    """What a fit may get beside features and labels; a classifier takes of it what it needs."""

    columns: Mapping[str, slice]
    """The columns of each feature part."""
    random_state: int
    """Seed; 0 by default."""
    n_jobs: int | None
    """Threads, as in scikit-learn; they never change a result."""
    sources: NDArray[Any]
    """The corpus of each row, for classifiers that learn from several (:mod:`relhash.learn.committee`)."""


def to_log_odds(scores: ArrayLike) -> Floats:
    """Scores between 0 and 1 on the scale on which votes are added.

    >>> to_log_odds([0.5])
    array([0.])
    """
    share = np.asarray(scores, np.float64)
    return np.asarray(np.log((share + _SOFTENING) / (1 + _SOFTENING - share)))


def from_log_odds(log_odds: ArrayLike) -> Floats:
    """The inverse of :func:`to_log_odds`."""
    odds = np.exp(np.asarray(log_odds, np.float64))
    return np.asarray(np.clip((odds * (1 + _SOFTENING) - _SOFTENING) / (1 + odds), 0.0, 1.0))


class FittedClassifier(InArrays, ABC):
    """What was learned: a dataclass of plain arrays and numbers (see :mod:`relhash.codec`)."""

    @abstractmethod
    def scores(self, X: Any) -> Floats:
        """A number between 0 and 1 for each row of ``X`` (dense or sparse), higher for likelier relations."""

    def log_odds(self, X: Any) -> Floats:
        """The scores on the scale on which members of a committee vote."""
        return to_log_odds(self.scores(X))


class Classifier(InJson, ABC):
    """Settings of a classifier: a frozen dataclass whose fields are numbers, strings, truth values or ``None``.

    A subclass says its ``kind``, the name under which it is registered in :data:`CLASSIFIERS` and known to model files.
    """

    kind: ClassVar[str]
    fitted: ClassVar[type[FittedClassifier]]
    """What :meth:`fit` gives."""

    @classmethod
    def of_kind(cls, kind: str) -> type[Self]:
        found: Any = _known(kind)
        return found

    @abstractmethod
    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedClassifier:
        """Learn from features and labels."""

    def prepared(self, X: Any) -> Any:
        """The rows in the form in which they are fitted fastest, for those who fit several times on parts of them."""
        return X

    def held_out(self, X: Any, y: ArrayLike, folds: Sequence[Fold], **how: Unpack[Fitting]) -> tuple[Classifier, Floats]:
        """The score of each row by a fit without the fold that holds it out, and this classifier with what the folds taught it.

        Most classifiers learn nothing from folds; a committee learns how far apart the votes of its members lie.
        """
        return self, out_of_fold(self, X, y, folds, **how)

    @classmethod
    def read(cls, arrays: Arrays) -> FittedClassifier:
        """What :meth:`FittedClassifier.to_arrays` wrote, checked: a damaged file is a ``ModelFileError``."""
        return cls.fitted.from_arrays(arrays)

    def check(self, parts: tuple[str, ...]) -> None:
        """An error if the classifier cannot be fitted on features of these ``parts``, or not be kept in a file afterwards."""
        if self.kind not in CLASSIFIERS or CLASSIFIERS[self.kind] is not type(self):
            raise ParameterError(
                f"classifier: {type(self).__name__} is not registered, so a model file could not be read again; "
                f"register it first: CLASSIFIERS.register({self.kind!r}, {type(self).__name__})"
            )

    def __str__(self) -> str:
        """The kind, and the settings that are not the usual ones."""
        own = [field for field in fields(self) if getattr(self, field.name) != field.default]  # type: ignore[arg-type]
        return " ".join([self.kind, *(f"{field.name}={getattr(self, field.name)}" for field in own)])


def fold_fits(
    classifier: Classifier, X: Any, labels: NDArray[np.int8], folds: Sequence[Fold], **how: Unpack[Fitting]
) -> Iterator[tuple[NDArray[np.int64], FittedClassifier]]:
    """The rows that each fold holds out, and the classifier fitted on the others."""
    for train, test in folds:
        here = how.copy()
        if "sources" in how:
            here["sources"] = how["sources"][train]
        yield test, classifier.fit(X[train], labels[train], **here)


def out_of_fold(classifier: Classifier, X: Any, y: ArrayLike, folds: Sequence[Fold], **how: Unpack[Fitting]) -> Floats:
    """The score of each row by a fit that has not seen it; without folds the share of positives."""
    labels = both_classes(y)
    scores = np.full(labels.size, labels.mean())
    for test, fitted in fold_fits(classifier, X, labels, folds, **how):
        scores[test] = fitted.scores(X[test])
    return scores


def to_classifier(given: str | Classifier) -> Classifier:
    """A classifier by its name, with its usual settings, or as it was given.

    >>> from sklearn.svm import SVC
    >>> to_classifier(SVC())
    Traceback (most recent call last):
    ...
    relhash.errors.ParameterError: classifier: SVC is not a classifier of RelHash, which a model file can hold; ...
    """
    if isinstance(given, Classifier):
        return given
    if not isinstance(given, str):
        raise ParameterError(
            f"classifier: {type(given).__name__} is not a classifier of RelHash, which a model file can hold; name one of "
            f"{', '.join(CLASSIFIERS)}, or write one (a subclass of relhash.learn.Classifier) and register it"
        )
    kind = CLASSIFIERS[given]
    if any(field.default is MISSING and field.default_factory is MISSING for field in fields(kind)):  # type: ignore[arg-type]
        raise ParameterError(f"classifier: {given} has no usual settings; give a {kind.__name__} object")
    return kind()


def read_classifier(kind: str, arrays: Arrays) -> FittedClassifier:
    """A stored classifier by its name."""
    return _known(kind).read(arrays)


def _known(kind: str) -> type[Classifier]:
    try:
        return CLASSIFIERS[kind]
    except ParameterError as error:
        if kind in ("blend", "taught"):
            raise ModelFileError("RelHash 0.2 or earlier fitted this model with a prior or answers; fit it again") from error
        raise ModelFileError(f"{error}; the model needs the package or script that registers it") from error


def both_classes(y: ArrayLike) -> NDArray[np.int8]:
    """Labels as 0 and 1, both of them present."""
    labels = np.asarray(y).astype(bool).astype(np.int8)
    positive = int(labels.sum())
    if not labels.size:
        raise ParameterError("no candidate has a label: label some pairs with yes (1) and some with no (0)")
    if not 0 < positive < labels.size:
        kind, other = ("positive", "no (0)") if positive else ("negative", "yes (1)")
        raise ParameterError(
            f"all {labels.size} labelled candidates are {kind}: a classifier needs examples of both; label some with {other}"
        )
    return labels


def check_width(kind: str, X: Any, n_features: int) -> None:
    """An error if the rows of ``X`` do not have the width that a classifier was fitted on."""
    if X.shape[1] != n_features:
        raise ParameterError(f"{kind}: rows of {n_features} features are expected, not {X.shape[1]}")


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
