"""Labels of several sources without pouring them together: one classifier per source, and the mean of their votes.

Corpora disagree on what a relation is. A classifier of all their labels learns the mean of contradictory answers, and follows
the largest corpus; one classifier per source learns each definition, and their mean keeps what they have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from relhash.errors import ParameterError
from relhash.learn.classifier import CLASSIFIERS, Classifier, Fitting, both_classes
from relhash.learn.committee import FittedCommittee, FittedMember


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
