"""Several classifiers, each on its own feature parts, that vote with their log-odds.

A linear model over thousands of code symbols, one over n-grams, and a forest over a few dozen descriptors make different
mistakes, and they live on different scales: side by side in one linear model the largest part drowns the others. So each member
sees only its parts, and before the mean is taken its log-odds are brought to unit spread on rows that it was not fitted on:
those that the folds of a choice hold out, or half of the rows where there are no folds.

A mixture does the same with sources of labels. Corpora disagree on what a relation is: one classifier of all their labels
follows the largest corpus; one per source learns each definition, and their mean keeps what they have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.codec import LATER, Arrays, InJson, pack_strings, prefixed, under, unpack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.classifier import (
    CLASSIFIERS,
    Classifier,
    FittedClassifier,
    Fitting,
    Fold,
    both_classes,
    check_width,
    fold_fits,
    read_classifier,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Member(InJson):
    """A classifier, the feature parts that it sees, and how much its vote counts.

    ``scale`` is the spread of its log-odds on rows that it was not fitted on, where folds have measured it.
    """

    classifier: Classifier
    parts: Sequence[str]
    weight: float = 1.0
    scale: float | None = field(default=None, metadata=LATER)

    def __str__(self) -> str:
        return f"{'+'.join(self.parts)} ({self.classifier})"


@dataclass(frozen=True, eq=False)
class FittedMember:
    """A fitted member: ``scale`` is the spread of its log-odds, ``columns`` are the ranges of columns that it sees (``None``:
    all), ``name`` is the source of its labels in a mixture."""

    kind: str
    classifier: FittedClassifier
    columns: Sequence[slice] | None
    weight: float
    scale: float
    name: str = ""


@dataclass(frozen=True, eq=False)
class FittedCommittee(FittedClassifier):
    """The members, and how many columns their rows have together."""

    members: Sequence[FittedMember]
    n_features: int

    def scores(self, X: Any) -> Floats:
        """The mean vote as a probability; not calibrated."""
        check_width(CommitteeClassifier.kind, X, self.n_features)
        votes = np.zeros(X.shape[0])
        for member in self.members:
            rows = X if member.columns is None else _columns(X, member.columns)
            votes += member.weight * member.classifier.log_odds(rows) / member.scale
        return np.asarray(special.expit(votes / np.array([member.weight for member in self.members]).sum()))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "kinds": pack_strings(member.kind for member in self.members),
            "scales": np.array([member.scale for member in self.members]),
            "weights": np.array([member.weight for member in self.members], np.float64),
            "n_features": np.array(self.n_features),
        }
        if any(member.columns is None for member in self.members):
            arrays["names"] = pack_strings(member.name for member in self.members)
        for number, member in enumerate(self.members):
            if member.columns is not None:
                places = [(own.start, own.stop) for own in member.columns]
                arrays[f"{number}.columns"] = np.array(places, np.int64).reshape(-1, 2)
            arrays |= prefixed(f"{number}.", member.classifier.to_arrays())
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Arrays, **apart: Any) -> Self:
        try:
            kinds = unpack_strings(arrays["kinds"])
            is_mixture = "names" in arrays
            names = unpack_strings(arrays["names"]) if is_mixture else ("",) * len(kinds)
            scales, weights = (np.asarray(arrays[name], np.float64) for name in ("scales", "weights"))
            n_features = int(arrays["n_features"])
            if not kinds or not len(names) == len(kinds) == scales.size == weights.size:
                raise ModelFileError("committee: its arrays do not fit together")
            if not all(np.isfinite(own).all() and (own > 0).all() for own in (scales, weights)):
                raise ModelFileError("committee: a scale or weight is not positive")
            members = []
            for number, (name, kind) in enumerate(zip(names, kinds, strict=True)):
                own = under(arrays, f"{number}.")
                columns = None if is_mixture else _ranges(own.pop("columns"), n_features)
                learned = read_classifier(kind, own)
                members.append(FittedMember(kind, learned, columns, float(weights[number]), float(scales[number]), name))
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"committee: its arrays do not fit together ({error})") from error
        return cls(tuple(members), n_features)


def _ranges(stored: NDArray[Any], n_features: int) -> list[slice]:
    ranges = np.asarray(stored, np.int64).reshape(-1, 2)
    if not ((ranges[:, 0] >= 0) & (ranges[:, 0] <= ranges[:, 1]) & (ranges[:, 1] <= n_features)).all():
        raise ModelFileError("committee: its columns are not ranges of the features")
    return [slice(int(start), int(stop)) for start, stop in ranges]


@dataclass(frozen=True)
class CommitteeClassifier(Classifier):
    """The mean of standardised log-odds of classifiers on parts of the features.

    Examples
    --------
    >>> from relhash.learn.linear import LinearClassifier
    >>> X, y = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]] * 5), [0, 1, 1, 0] * 5
    >>> linear = LinearClassifier(C=10.0)
    >>> committee = CommitteeClassifier((Member(linear, ["bits"]), Member(linear, ["ngrams"])))
    >>> print(committee)
    committee of bits (linear C=10.0), ngrams (linear C=10.0)
    >>> committee.fit(X, y, columns={"bits": slice(0, 1), "ngrams": slice(1, 2)}).scores(X[:2]).round(1)
    array([0.4, 0.6])
    """

    members: Sequence[Member]

    kind: ClassVar[str] = "committee"
    fitted = FittedCommittee

    def __post_init__(self) -> None:
        if not self.members:
            raise ParameterError("committee: name at least one member")
        for member in self.members:
            if not member.weight > 0:
                raise ParameterError(f"committee: the weight of {member} must be positive, not {member.weight}")

    def check(self, parts: tuple[str, ...]) -> None:
        super().check(parts)
        missing = dict.fromkeys(part for member in self.members for part in member.parts if part not in parts)
        if missing:
            raise ParameterError(f"classifier: the committee needs the feature parts {', '.join(missing)}; add them to parts")
        for member in self.members:
            member.classifier.check(tuple(member.parts))

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedCommittee:
        labels = both_classes(y)
        columns = how.pop("columns", {})
        self.check(tuple(columns))
        members = []
        for member in self.members:
            own = [columns[part] for part in member.parts]
            table = member.classifier.prepared(_columns(X, own))
            scale = _scale_of_halves(member.classifier, table, labels, **how) if member.scale is None else member.scale
            learned = member.classifier.fit(table, labels, **how)
            members.append(FittedMember(member.classifier.kind, learned, own, float(member.weight), scale))
        return FittedCommittee(tuple(members), int(X.shape[1]))

    def held_out(self, X: Any, y: ArrayLike, folds: Sequence[Fold], **how: Unpack[Fitting]) -> tuple[Classifier, Floats]:
        """The votes of fits that have not seen a row's fold; the committee returned knows the spread of each member's."""
        labels = both_classes(y)
        if not folds:
            return self, np.full(labels.size, labels.mean())
        columns = how.pop("columns", {})
        self.check(tuple(columns))
        members, votes = [], np.zeros(labels.size)
        for member in self.members:
            table = member.classifier.prepared(_columns(X, [columns[part] for part in member.parts]))
            own = np.zeros(labels.size)
            for test, fitted in fold_fits(member.classifier, table, labels, folds, **how):
                own[test] = fitted.log_odds(table[test])
            members.append(replace(member, scale=_spread(own)))
            votes += member.weight * own / _spread(own)
        scores = special.expit(votes / np.array([member.weight for member in members]).sum())
        return replace(self, members=tuple(members)), np.asarray(scores)

    def __str__(self) -> str:
        return f"{self.kind} of {', '.join(map(str, self.members))}"


def _scale_of_halves(classifier: Classifier, table: Any, labels: NDArray[np.int8], **how: Unpack[Fitting]) -> float:
    """The spread of a member's log-odds where no folds measured it: on half of the rows, fitted on the other half.

    On rows that it was fitted on, a forest is nearly certain of everything: its spread there says nothing.
    """
    fitted, held_out = _halves(labels)
    if not held_out.size or not 0 < labels[fitted].sum() < fitted.size:
        return 1.0
    return _spread(classifier.fit(table[fitted], labels[fitted], **how).log_odds(table[held_out]))


def _spread(log_odds: Floats) -> float:
    """The spread of votes; of votes that are all the same, 1."""
    return float(np.std(log_odds)) or 1.0


def _halves(labels: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first half of the rows and the second; rows come document by document, so the halves hardly share one.

    Where the first has one class only, as happens with few labels, every second row of each class instead.
    """
    rows = np.arange(labels.size)
    half = labels.size // 2
    if 0 < labels[:half].sum() < half:
        return rows[:half], rows[half:]
    first = np.sort(np.concatenate([rows[labels == kind][::2] for kind in (0, 1)]))
    return first, np.setdiff1d(rows, first)


def _columns(X: Any, slices: Sequence[slice]) -> Any:
    """The columns that a member sees, in the kind of table that ``X`` is."""
    if len(slices) == 1:
        return X[:, slices[0]]
    return X[:, np.concatenate([np.arange(part.start, part.stop) for part in slices])]


CLASSIFIERS.register(CommitteeClassifier.kind, CommitteeClassifier)


@dataclass(frozen=True)
class MixtureClassifier(Classifier):
    """One classifier per source of labels; ``sources`` names the source of each row; by default all have one.

    Parameters
    ----------
    base
        The classifier that each source fits.
    weights
        ``(source, weight)`` of those whose vote does not count 1.

    Examples
    --------
    >>> from relhash.learn.linear import LinearClassifier
    >>> X, y = np.array([[0.0], [1], [0], [1]] * 5), [0, 1, 0, 1] * 5
    >>> mixture = MixtureClassifier(LinearClassifier(C=10.0), weights=[("b", 0.5)])
    >>> fitted = mixture.fit(X, y, sources=np.array(["a", "b"]).repeat(10))
    >>> [(member.name, member.weight) for member in fitted.members]
    [('a', 1.0), ('b', 0.5)]
    """

    base: Classifier
    weights: Sequence[tuple[str, float]] = ()

    kind: ClassVar[str] = "mixture"
    fitted = FittedCommittee

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple((str(name), float(weight)) for name, weight in self.weights))
        if not all(weight > 0 for _, weight in self.weights):
            raise ParameterError("mixture: the weight of a source must be positive")

    def check(self, parts: tuple[str, ...]) -> None:
        super().check(parts)
        self.base.check(parts)

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedCommittee:
        labels = both_classes(y)
        given = how.pop("sources", np.full(labels.size, ""))
        weights = dict(self.weights)
        fitted = []
        for name in np.unique(given):
            own = np.flatnonzero(given == name)
            if not 0 < labels[own].sum() < own.size:
                continue  # a source without a relation, or with nothing else, tells nothing
            learned = self.base.fit(X[own], labels[own], **how)
            others = np.flatnonzero(given != name)
            spread = float(np.std(learned.log_odds(X[others]))) if others.size else 1.0
            weight = weights.get(str(name), 1.0)
            fitted.append(FittedMember(self.base.kind, learned, None, weight, spread or 1.0, str(name)))
        if not fitted:
            raise ParameterError("mixture: no source has examples of both classes")
        return FittedCommittee(tuple(fitted), int(X.shape[1]))

    def __str__(self) -> str:
        weighed = "".join(f", {name} weighs {weight:g}" for name, weight in self.weights)
        return f"mixture over sources of {self.base}{weighed}"


CLASSIFIERS.register(MixtureClassifier.kind, MixtureClassifier)
