"""A classifier of one's own and the vote of a prior, weighed by held-out labels.

A prior has learned from other people's labels, so it is good from the first label on, but it may mean something else by a
relation. What it may say is therefore decided by the labels at hand: the weight of its vote is the one with the lowest log-loss
on documents that the own classifier has not seen, with a pull that a few dozen labels overcome: to :data:`USUAL_WEIGHT` if the
prior's votes tell the labels apart, to none if they do not. With no labels the prior is the model, with few it leads, with many
it fades, and one that is about something else is switched off.

The constants were chosen on NERO and BioNLP 2009 and 2013, one of them the prior, one the labels, one the text
(``benchmarks/prior_constants.py``), with wrong priors beside the right ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    to_log_odds,
)
from relhash.learn.folds import Choice
from relhash.learn.metrics import auc, average_precision, oracle_threshold

Floats = NDArray[np.float64]

PRIOR = "prior"
"""Name of the feature part whose one column is the prior's vote; it stands behind all others."""
USUAL_WEIGHT = 0.7
"""Weight of a prior that knows the labels, where nothing else tells."""
HEARD = 0.25
"""Weight from which a prior may also say how common relations are."""
PULL = 4.0
"""Nats of log-loss that a weight of 0 has to save before it is as good as the usual weight, divided by 0.49."""
LEAST_SPREAD = 0.3
"""Own log-odds whose spread is less say nothing: brought to unit spread they would drown the prior a thousandfold."""
TELLING = 0.04
"""Nats of log-loss per label that a prior saves by itself if it is about the same thing; most save about three times that."""
_WEIGHTS = np.linspace(0.0, 1.0, 21)


def choose_weight(y: ArrayLike, own: ArrayLike, prior: ArrayLike, pull: float = PULL) -> float:
    """The weight of the prior's vote, between 0 and 1.

    Parameters
    ----------
    y
        Labels.
    own
        Log-odds of the own classifier on documents that it was not fitted on, of unit spread.
    prior
        The prior's log-odds, of unit spread.
    pull
        How strongly the weight is drawn to the usual one.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.uniform(size=400) < .3
    >>> good, bad = y + rng.normal(size=400), rng.normal(size=400)
    >>> choose_weight(y, own=good, prior=bad) < .15, choose_weight(y, own=bad, prior=good) > .85
    (True, True)
    """
    gold = both_classes(y).astype(np.float64)
    mine, theirs = np.asarray(own, np.float64), np.asarray(prior, np.float64)
    losses = [_log_loss(gold, weight * theirs + (1 - weight) * mine) for weight in _WEIGHTS]
    penalised = np.array(losses) + pull * (_WEIGHTS - usual_weight(gold, losses[-1])) ** 2
    return float(_WEIGHTS[int(np.argmin(penalised))])


def usual_weight(gold: Floats, loss: float) -> float:
    """The weight to which a prior is drawn: less than usual if its votes alone (with this log-loss) hardly tell the labels.

    >>> labels, nothing = np.array([1.0, 0.0] * 50), 100 * np.log(2)  # the loss of somebody who knows only the share
    >>> usual_weight(labels, nothing), usual_weight(labels, nothing - 2.02), usual_weight(labels, nothing - 9)  # hundredths
    (0.0, 0.35, 0.7)
    """
    knowing_nothing = float(special.entr(gold.mean()) + special.entr(1 - gold.mean())) * gold.size
    told = (knowing_nothing - loss) / (TELLING * gold.size)
    return round(USUAL_WEIGHT * min(1.0, max(0.0, float(told))), 2)


def _log_loss(gold: Floats, votes: Floats) -> float:
    """The log-loss of the best logistic curve through the votes that does not fall; a hint of a ridge keeps it finite."""

    def loss(parameters: Floats) -> tuple[float, Floats]:
        slope, offset = parameters
        margin = slope * votes + offset
        error = special.expit(margin) - gold
        value = float(np.sum(np.logaddexp(0, margin) - gold * margin)) + 0.05 * slope**2
        return value, np.array([np.dot(error, votes) + 0.1 * slope, error.sum()])

    start = np.array([1.0, special.logit(gold.mean())])
    from scipy import optimize  # not at the top: who only predicts does not wait for it

    return float(optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None), (None, None)]).fun)


def own_columns(X: Any, columns: Mapping[str, slice]) -> tuple[Any, dict[str, slice]]:
    """The features without the prior's column, and the columns of the parts that are left."""
    if PRIOR not in columns:
        return X, dict(columns)
    return X[:, : columns[PRIOR].start], {name: own for name, own in columns.items() if name != PRIOR}


def blended(choice: Choice, y: ArrayLike, prior: ArrayLike) -> Choice:
    """The choice with the prior's vote weighed in: its classifier, and its out-of-fold scores."""
    own = to_log_odds(choice.out_of_fold)
    scale = max(float(own.std()), LEAST_SPREAD)
    votes = np.asarray(prior, np.float64)
    classifier = BlendClassifier(choice.classifier, choose_weight(y, own / scale, votes), scale)
    scores = special.expit(classifier.weight * votes + (1 - classifier.weight) * own / scale)
    row = {"average_precision": average_precision(y, scores), "auc": auc(y, scores), "f1_best": oracle_threshold(y, scores)[1]}
    return replace(choice, classifier=classifier, out_of_fold=scores, table={**choice.table, str(classifier): row})


@dataclass(frozen=True, eq=False)
class FittedBlend(FittedClassifier):
    """The own classifier (none: the prior alone), its kind and the spread of its log-odds, and the weight of the prior."""

    own: FittedClassifier | None
    kind: str
    scale: float
    weight: float
    n_features: int

    def scores(self, X: Any) -> Floats:
        """The weighed vote as a probability; not calibrated."""
        check_width(BlendClassifier.kind, X, self.n_features)
        votes = self.weight * column(X, self.n_features - 1)
        if self.own is not None and self.weight < 1:
            votes = votes + (1 - self.weight) * self.own.log_odds(X[:, : self.n_features - 1]) / self.scale
        return np.asarray(special.expit(votes))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "kind": pack_strings([self.kind]),
            "numbers": np.array([self.scale, self.weight]),
            "n_features": np.array(self.n_features),
        }
        return arrays | {f"own.{name}": array for name, array in (self.own.to_arrays() if self.own else {}).items()}


@dataclass(frozen=True)
class BlendClassifier(Classifier):
    """A classifier on its own features, and the prior's vote in the last column with this weight."""

    own: Classifier
    weight: float
    scale: float = 1.0

    kind: ClassVar[str] = "blend"

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise ParameterError(f"blend: the weight of a prior lies between 0 and 1, not at {self.weight}")

    def check(self, parts: tuple[str, ...]) -> None:
        super().check(parts)
        self.own.check(tuple(part for part in parts if part != PRIOR))

    def fit(self, X: Any, y: ArrayLike, **how: Unpack[Fitting]) -> FittedBlend:
        last = int(X.shape[1]) - 1
        own, how["columns"] = own_columns(X, {**how.get("columns", {}), PRIOR: slice(last, last + 1)})
        fitted = self.own.fit(own, y, **how)
        return FittedBlend(fitted, self.own.kind, self.scale, self.weight, int(X.shape[1]))

    @classmethod
    def read(cls, arrays: Arrays) -> FittedBlend:
        try:
            (kind,) = unpack_strings(arrays["kind"])
            scale, weight = (float(number) for number in arrays["numbers"])
            n_features = int(arrays["n_features"])
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"blend: its arrays do not fit together ({error})") from error
        if not (np.isfinite(scale) and scale > 0 and 0 <= weight <= 1 and n_features > 0):
            raise ModelFileError("blend: its weight or spread makes no sense")
        own = {name.removeprefix("own."): array for name, array in arrays.items() if name.startswith("own.")}
        if not own and weight < 1:
            raise ModelFileError("blend: its own classifier is missing")
        return FittedBlend(read_classifier(kind, own) if own else None, kind, scale, weight, n_features)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "own": self.own.to_dict(), "weight": self.weight, "scale": self.scale}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        return cls(classifier_from_dict(given["own"]), float(given["weight"]), float(given["scale"]))

    def __str__(self) -> str:
        return f"prior with weight {self.weight:.2f}, and {self.own}"


def column(X: Any, number: int) -> Floats:
    """One column of a table, dense or sparse."""
    found = X[:, [number]]
    return np.asarray(found.toarray() if hasattr(found, "toarray") else found, np.float64).ravel()


CLASSIFIERS.register(BlendClassifier.kind, BlendClassifier)
