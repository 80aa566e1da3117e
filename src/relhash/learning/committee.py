"""Several classifiers, each on its own feature parts, that vote with their log-odds.

A linear model over thousands of code symbols, one over n-grams, and a forest over a few dozen descriptors make different
mistakes, and they live on different scales: side by side in one linear model the largest part drowns the others. So each member
sees only its parts, and before the mean is taken its log-odds are brought to unit spread on rows that it was not fitted on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.errors import ModelFileError, ParameterError
from relhash.learning.classifier import CLASSIFIERS, Classifier, LinearClassifier, both_classes, classifier_from_arrays
from relhash.structures.packing import pack_strings, unpack_strings

__all__ = ["CommitteeClassifier"]

Floats = NDArray[np.float64]
_SOFTENING = 0.01  # a forest may vote 0 or 1, whose log-odds are infinite


class CommitteeClassifier:
    """The mean of standardised log-odds of classifiers on parts of the features.

    Parameters
    ----------
    members
        For each member its classifier (not yet fitted) and the slices of columns it sees.
    weights
        How much each vote counts; the same for all by default.

    Examples
    --------
    >>> X, y = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]] * 5), [0, 1, 1, 0] * 5
    >>> members = [(LinearClassifier(C=10.0), [slice(0, 1)]), (LinearClassifier(C=10.0), [slice(1, 2)])]
    >>> CommitteeClassifier(members).fit(X, y).scores(X[:2]).round(1)
    array([0.4, 0.6])
    """

    kind: ClassVar[str] = "committee"

    def __init__(self, members: Sequence[tuple[Classifier, Sequence[slice]]], weights: Sequence[float] | None = None) -> None:
        if not members:
            raise ParameterError("committee: name at least one member")
        self.members = list(members)
        self.weights: Floats = np.ones(len(members)) if weights is None else np.asarray(weights, np.float64)
        if self.weights.shape != (len(members),) or not (self.weights > 0).all():
            raise ParameterError(f"committee: a positive weight for each of {len(members)} members is needed, not {weights}")

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        labels = both_classes(y)
        weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
        self.n_features_ = int(X.shape[1])
        tables = [_columns(X, slices) for _, slices in self.members]
        self.scales_ = self._spreads(tables, labels, weights)
        for (classifier, _), table in zip(self.members, tables, strict=True):
            classifier.fit(table, labels, weights)
        return self

    def _spreads(self, tables: Sequence[Any], labels: NDArray[np.int8], weights: Floats | None) -> Floats:
        """Spread of each member's log-odds on half of the rows when it is fitted on the others.

        On rows that it was fitted on, a forest is nearly certain of everything: its spread there says nothing.
        """
        spreads = np.ones(len(tables))
        fitted, held_out = _halves(labels)
        if not 0 < labels[fitted].sum() < fitted.size:
            return spreads
        for number, ((classifier, _), table) in enumerate(zip(self.members, tables, strict=True)):
            classifier.fit(table[fitted], labels[fitted], None if weights is None else weights[fitted])
            spread = float(np.std(_log_odds(classifier, table[held_out])))
            spreads[number] = spread if spread > 0 else 1.0
        return spreads

    def scores(self, X: Any) -> Floats:
        """The mean vote as a probability; not calibrated."""
        if X.shape[1] != self.n_features_:
            raise ParameterError(f"committee: rows of {self.n_features_} features are expected, not {X.shape[1]}")
        votes = np.zeros(X.shape[0])
        for (classifier, slices), weight, scale in zip(self.members, self.weights, self.scales_, strict=True):
            votes += weight * _log_odds(classifier, _columns(X, slices)) / scale
        return special.expit(votes / self.weights.sum())

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "kinds": pack_strings(classifier.kind for classifier, _ in self.members),
            "scales": self.scales_,
            "weights": self.weights,
            "n_features": np.array(self.n_features_),
        }
        for number, (classifier, slices) in enumerate(self.members):
            arrays[f"{number}.columns"] = np.array([(part.start, part.stop) for part in slices], np.int64).reshape(-1, 2)
            arrays |= {f"{number}.{name}": array for name, array in classifier.to_arrays().items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        try:
            kinds = unpack_strings(arrays["kinds"])
            scales, weights = (np.asarray(arrays[name], np.float64) for name in ("scales", "weights"))
            n_features = int(arrays["n_features"])
            members: list[tuple[Classifier, Sequence[slice]]] = []
            for number, kind in enumerate(kinds):
                own = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{number}.")}
                columns = np.asarray(own.pop("columns"), np.int64).reshape(-1, 2)
                if not ((columns[:, 0] >= 0) & (columns[:, 0] <= columns[:, 1]) & (columns[:, 1] <= n_features)).all():
                    raise ModelFileError("committee: its columns are not ranges of the features")
                members.append((classifier_from_arrays(kind, own), [slice(int(a), int(b)) for a, b in columns]))
        except (KeyError, ValueError) as error:
            raise ModelFileError(f"committee: its arrays do not fit together ({error})") from error
        for given in (scales, weights):
            if not members or given.shape != (len(members),) or not (np.isfinite(given) & (given > 0)).all():
                raise ModelFileError("committee: a scale or weight is missing or not positive")
        committee = cls(members, weights.tolist())
        committee.scales_, committee.n_features_ = scales, n_features
        return committee


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


def _log_odds(classifier: Classifier, X: Any) -> Floats:
    if isinstance(classifier, LinearClassifier):
        return classifier.decision(X)
    share = classifier.scores(X)
    return np.log((share + _SOFTENING) / (1 + _SOFTENING - share))


CLASSIFIERS[CommitteeClassifier.kind] = CommitteeClassifier
