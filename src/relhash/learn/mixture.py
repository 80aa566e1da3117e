"""Labels of several sources without pouring them together: one classifier per source, and the mean of their votes.

Corpora disagree on what a relation is. A classifier of all their labels learns the mean of contradictory answers, and follows
the largest corpus; one classifier per source learns each definition, and their mean keeps what they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.candidates.paths import pack_strings, unpack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.classifier import (
    CLASSIFIERS,
    Arrays,
    Classifier,
    FittedClassifier,
    Fitting,
    both_classes,
    check_width,
    classifier_from_dict,
    read_classifier,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FittedSource:
    """What was learned from one source: ``scale`` is the spread of its log-odds on the other sources."""

    name: str
    kind: str
    classifier: FittedClassifier
    scale: float
    weight: float


@dataclass(frozen=True, eq=False)
class FittedMixture(FittedClassifier):
    """The classifiers of all sources, and how many columns their rows have."""

    sources: Sequence[FittedSource]
    n_features: int

    def scores(self, X: Any) -> Floats:
        """The mean vote as a probability; not calibrated."""
        check_width(MixtureClassifier.kind, X, self.n_features)
        votes = np.zeros(X.shape[0])
        for source in self.sources:
            votes += source.weight * source.classifier.log_odds(X) / source.scale
        return np.asarray(special.expit(votes / sum(source.weight for source in self.sources)))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "names": pack_strings(source.name for source in self.sources),
            "kinds": pack_strings(source.kind for source in self.sources),
            "scales": np.array([source.scale for source in self.sources]),
            "weights": np.array([source.weight for source in self.sources]),
            "n_features": np.array(self.n_features),
        }
        for number, source in enumerate(self.sources):
            arrays |= {f"{number}.{name}": array for name, array in source.classifier.to_arrays().items()}
        return arrays


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
    >>> [(source.name, source.weight) for source in fitted.sources]
    [('a', 1.0), ('b', 0.5)]
    """

    base: Classifier
    weights: Sequence[tuple[str, float]] = ()

    kind: ClassVar[str] = "mixture"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple((str(name), float(weight)) for name, weight in self.weights))
        if not all(weight > 0 for _, weight in self.weights):
            raise ParameterError("mixture: the weight of a source must be positive")

    def check(self, parts: tuple[str, ...]) -> None:
        super().check(parts)
        self.base.check(parts)

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedMixture:
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
            fitted.append(FittedSource(str(name), self.base.kind, learned, spread or 1.0, weights.get(str(name), 1.0)))
        if not fitted:
            raise ParameterError("mixture: no source has examples of both classes")
        return FittedMixture(tuple(fitted), int(X.shape[1]))

    @classmethod
    def read(cls, arrays: Arrays) -> FittedMixture:
        try:
            names, kinds = unpack_strings(arrays["names"]), unpack_strings(arrays["kinds"])
            scales, weights = (np.asarray(arrays[name], np.float64) for name in ("scales", "weights"))
            n_features = int(arrays["n_features"])
            if not names or len(kinds) != len(names) or any(own.shape != (len(names),) for own in (scales, weights)):
                raise ModelFileError("mixture: its arrays do not fit together")
            if not all(np.isfinite(own).all() and (own > 0).all() for own in (scales, weights)):
                raise ModelFileError("mixture: a scale or weight is not positive")
            sources = []
            for number, (name, kind) in enumerate(zip(names, kinds, strict=True)):
                own = {key.partition(".")[2]: array for key, array in arrays.items() if key.startswith(f"{number}.")}
                sources.append(
                    FittedSource(name, kind, read_classifier(kind, own), float(scales[number]), float(weights[number]))
                )
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"mixture: its arrays do not fit together ({error})") from error
        return FittedMixture(tuple(sources), n_features)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "base": self.base.to_dict(), "weights": [list(pair) for pair in self.weights]}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        return cls(classifier_from_dict(given["base"]), [tuple(pair) for pair in given["weights"]])

    def __str__(self) -> str:
        weighed = "".join(f", {name} weighs {weight:g}" for name, weight in self.weights)
        return f"mixture over sources of {self.base}{weighed}"


CLASSIFIERS.register(MixtureClassifier.kind, MixtureClassifier)
