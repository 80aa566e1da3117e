"""A model that goes on learning from a person's answers: what it knew before, and a small classifier of the answers, weighed.

The model keeps its features. Its own vote plays the part that a prior plays in :mod:`relhash.learn.blend`: without answers
it is everything, with few it leads, and held-out answers decide how much it counts. What is new is quick to fit (planes on
parts of the features), so that a page can learn after each answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from relhash.candidates.paths import pack_strings, under, unpack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.classifier import (
    CLASSIFIERS,
    Arrays,
    Classifier,
    FittedClassifier,
    Fitting,
    read_classifier,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FittedTaught(FittedClassifier):
    """A classifier and what answers have added to it.

    Attributes
    ----------
    before, before_kind
        The classifier before the answers.
    centre, spread
        Mean and spread of its log-odds on the text that was answered.
    own, own_kind, scale
        The classifier of the answers, and the spread of its log-odds.
    weight
        Of the classifier before.
    """

    before: FittedClassifier
    before_kind: str
    centre: float
    spread: float
    own: FittedClassifier
    own_kind: str
    scale: float
    weight: float

    def scores(self, X: Any) -> Floats:
        return self.blended(self.before.log_odds(X), self.own.log_odds(X))

    def blended(self, before: Floats, own: Floats) -> Floats:
        """The scores, from log-odds that are known already."""
        votes = self.weight * (before - self.centre) / self.spread + (1 - self.weight) * own / self.scale
        return np.asarray(special.expit(votes))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "kinds": pack_strings([self.before_kind, self.own_kind]),
            "numbers": np.array([self.centre, self.spread, self.scale, self.weight]),
        }
        for part, classifier in (("before", self.before), ("own", self.own)):
            arrays |= {f"{part}.{name}": array for name, array in classifier.to_arrays().items()}
        return arrays


@dataclass(frozen=True)
class TaughtClassifier(Classifier):
    """The kind under which model files know a :class:`FittedTaught`; :mod:`relhash.model.answers.teaching` makes them."""

    kind: ClassVar[str] = "taught"

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedTaught:
        raise ParameterError("taught: this classifier comes from teaching a model (relhash fit --answers), not from a fit")

    @classmethod
    def read(cls, arrays: Arrays) -> FittedTaught:
        try:
            before_kind, own_kind = unpack_strings(arrays["kinds"])
            centre, spread, scale, weight = (float(number) for number in arrays["numbers"])
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"taught: its arrays do not fit together ({error})") from error
        if not (np.isfinite([centre, spread, scale]).all() and min(spread, scale) > 0 and 0 <= weight <= 1):
            raise ModelFileError("taught: a weight or spread makes no sense")
        before = read_classifier(before_kind, under(arrays, "before."))
        own = read_classifier(own_kind, under(arrays, "own."))
        return FittedTaught(before, before_kind, centre, spread, own, own_kind, scale, weight)


CLASSIFIERS.register(TaughtClassifier.kind, TaughtClassifier)
