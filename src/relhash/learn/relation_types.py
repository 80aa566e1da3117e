"""Which type a relation has, once it is one: a linear classifier a type, learned from the positive candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.paths import pack_strings, unpack_strings
from relhash.errors import ModelFileError
from relhash.learn.linear import FittedLinear, LinearClassifier


class RelationTypes:
    """The types of the training relations; with one type there is nothing to decide."""

    def __init__(self, names: Sequence[str], classifiers: Sequence[FittedLinear]) -> None:
        self.names = tuple(names)
        self.classifiers = tuple(classifiers)

    @classmethod
    def fit(cls, X: Any, types: Sequence[Sequence[str]]) -> RelationTypes:
        """``X`` and ``types`` are features and gold types of the positive candidates; a candidate may have several."""
        counts: dict[str, int] = {}
        for of_candidate in types:
            for name in set(of_candidate):
                counts[name] = counts.get(name, 0) + 1
        ranked = sorted(counts, key=lambda name: (-counts[name], name)) or ["relation"]
        learned = [name for name in ranked if 0 < counts.get(name, 0) < len(types)]
        if len(learned) < 2:
            return cls(ranked[:1], ())
        own = {name: np.array([name in of_candidate for of_candidate in types]) for name in learned}
        return cls(learned, [LinearClassifier(0.1).fit(X, own[name]) for name in learned])

    def predict(self, X: Any) -> list[str]:
        """The most likely type of each row."""
        if not self.classifiers:
            return [self.names[0]] * X.shape[0]
        scores = np.column_stack([classifier.log_odds(X) for classifier in self.classifiers])
        return [self.names[best] for best in scores.argmax(axis=1)]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {"names": pack_strings(self.names)}
        for number, classifier in enumerate(self.classifiers):
            arrays |= {f"{number}.{name}": array for name, array in classifier.to_arrays().items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> RelationTypes:
        if "names" not in arrays:
            raise ModelFileError("relation types: their names are missing")
        names = unpack_strings(arrays["names"])
        if not names:
            raise ModelFileError("relation types: there are none")
        own = [{n: arrays[f"{i}.{n}"] for n in ("weights", "intercept") if f"{i}.{n}" in arrays} for i in range(len(names))]
        if not any(own):
            return cls(names[:1], ())
        return cls(names, [LinearClassifier.read(one) for one in own])
