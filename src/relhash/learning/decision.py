"""From features and labels to decisions: the classifier, its calibration and its threshold, all chosen on the training side.

A head knows nothing of text or kernels. The extractor puts one on its features; the benchmarks put many on the same features.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.errors import ParameterError
from relhash.learning.calibration import Calibration
from relhash.learning.classifier import CLASSIFIERS, Classifier, ForestClassifier
from relhash.learning.committee import CommitteeClassifier
from relhash.learning.folds import choose
from relhash.learning.threshold import Threshold, choose_threshold

__all__ = ["ClassifierSpec", "Head", "HeadSettings", "committee"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClassifierSpec:
    """A classifier by name with its parameters, as data.

    The ``parameters`` of a committee are its ``members``: each a dict with ``parts`` (names of feature parts), ``kind``, the
    parameters of that kind, and maybe the ``weight`` of its vote.

    >>> str(ClassifierSpec("linear", {"C": 0.1}))
    'linear C=0.1'
    >>> str(committee({"parts": ["nearest"], "kind": "linear", "C": 0.003}, {"parts": ["raw-descriptors"], "kind": "forest"}))
    'committee of nearest (linear C=0.003), raw-descriptors (forest)'
    """

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        if self.kind == CommitteeClassifier.kind:
            members = (f"{'+'.join(parts)} ({spec})" for parts, spec in self.members())
            return f"{self.kind} of {', '.join(members)}"
        return " ".join([self.kind, *(f"{name}={value}" for name, value in self.parameters.items())])

    def members(self) -> list[tuple[list[str], ClassifierSpec]]:
        """Feature parts and classifier of each member of a committee."""
        found = []
        for member in self.parameters.get("members", ()):
            rest = {name: value for name, value in member.items() if name not in ("parts", "kind", "weight")}
            found.append((list(member["parts"]), ClassifierSpec(member["kind"], rest)))
        return found

    def make(self, random_state: int, n_jobs: int | None, blocks: Mapping[str, slice] | None = None) -> Classifier:
        """The classifier, not yet fitted; ``blocks`` says which columns belong to which feature part."""
        if self.kind not in CLASSIFIERS:
            raise ParameterError(f"classifier: unknown kind {self.kind!r}; there are {', '.join(CLASSIFIERS)}")
        try:
            if self.kind == CommitteeClassifier.kind:
                return self._committee(random_state, n_jobs, blocks or {})
            if self.kind == ForestClassifier.kind:
                return ForestClassifier(**{"random_state": random_state, "n_jobs": n_jobs, **self.parameters})
            classifier: Classifier = CLASSIFIERS[self.kind](**self.parameters)
            return classifier
        except (TypeError, KeyError) as error:
            raise ParameterError(f"classifier: {self.kind} {dict(self.parameters)} is not possible ({error})") from error

    def _committee(self, random_state: int, n_jobs: int | None, blocks: Mapping[str, slice]) -> CommitteeClassifier:
        members = self.members()
        missing = sorted({part for parts, _ in members for part in parts} - set(blocks))
        if missing:
            raise ParameterError(f"classifier: the committee needs the feature parts {', '.join(missing)}; add them to parts")
        return CommitteeClassifier(
            [(spec.make(random_state, n_jobs), [blocks[part] for part in parts]) for parts, spec in members],
            [float(member.get("weight", 1)) for member in self.parameters["members"]],
        )


def committee(*members: Mapping[str, Any]) -> ClassifierSpec:
    """A committee as data; see :class:`ClassifierSpec`."""
    return ClassifierSpec(CommitteeClassifier.kind, {"members": [dict(member) for member in members]})


@dataclass(frozen=True)
class HeadSettings:
    """How a head is fitted.

    Attributes
    ----------
    classifiers
        Those to choose from by document-grouped cross-validation; with one there is nothing to choose.
    few_label_classifiers, few_labels
        Those to choose from with fewer than ``few_labels`` labels (none given: the same).
    threshold
        See :mod:`relhash.learning.threshold`.
    n_folds
        Folds of the cross-validation.
    """

    classifiers: Sequence[ClassifierSpec]
    few_label_classifiers: Sequence[ClassifierSpec] = ()
    few_labels: int = 400
    threshold: str | float = "fraction"
    n_folds: int = 5

    def choices(self, n_labels: int) -> Sequence[ClassifierSpec]:
        return self.few_label_classifiers if self.few_label_classifiers and n_labels < self.few_labels else self.classifiers


@dataclass(frozen=True, eq=False)
class Head:
    """A fitted classifier with calibration and threshold.

    ``out_of_fold`` and ``labels`` are what the training side said (for the model card); a head read from a file has none.
    """

    classifier: Classifier
    calibration: Calibration
    threshold: Threshold
    chosen: str
    table: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    out_of_fold: Floats | None = None
    labels: NDArray[np.bool_] | None = None

    @classmethod
    def fit(
        cls,
        settings: HeadSettings,
        X: Any,
        y: ArrayLike,
        documents: ArrayLike,
        *,
        target: Any = None,
        blocks: Mapping[str, slice] | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> Head:
        """Choose, fit, calibrate, and put the threshold.

        Parameters
        ----------
        X, y, documents
            Features, labels and documents of the labelled training candidates.
        target
            Features of the candidates to adapt to.
        blocks
            The columns of each feature part, for committees.
        """
        gold = np.asarray(y).astype(bool)
        specs = {str(spec): spec for spec in settings.choices(gold.size)}
        choice = choose(
            {name: partial(spec.make, random_state, n_jobs, blocks) for name, spec in specs.items()},
            X,
            gold,
            documents,
            n_folds=settings.n_folds,
            random_state=random_state,
        )
        spec = specs[choice.name]
        classifier = spec.make(random_state, n_jobs, blocks).fit(X, gold)
        calibration = Calibration.fit(choice.out_of_fold, gold)
        scores = None if target is None else classifier.scores(target)
        threshold = choose_threshold(settings.threshold, gold, choice.out_of_fold, adaptation=scores, calibration=calibration)
        return cls(classifier, calibration, threshold, choice.name, choice.table, choice.out_of_fold, gold)

    def scores(self, X: Any) -> Floats:
        """The classifier's own scores."""
        return self.classifier.scores(X)

    def decide(self, X: Any) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Scores, calibrated probabilities, and labels."""
        scores = self.classifier.scores(X)
        return scores, self.calibration.probabilities(scores), self.threshold.labels(scores)
