"""A preset in a table: what the product runs, its features shared with other systems of the bench."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.evaluation.bench import Bench, Features
from relhash.evaluation.systems.system import LabelCounts, Outcome, System, labelled_rows
from relhash.learning.decision import Decision, DecisionSettings
from relhash.models.interaction_presets import for_interactions
from relhash.models.presets import Preset
from relhash.structures.descriptors import COLUMNS, DESCRIPTORS


@dataclass(frozen=True, eq=False)
class PresetSystem(System):
    """Views, codes, feature parts, classifier and threshold of a preset.

    Attributes
    ----------
    pairs_only
        Whether the system is a statement about views or parts that only pairs have, so that there is none for interactions.
    paper
        Figures of the literature that the preset does not have: those on interactions.
    threshold_adapted
        Whether the threshold is put on the scores of the target (never on its labels); if not, it comes from the training side.
    """

    name: str
    preset: Preset
    deterministic: bool = False
    pairs_only: bool = False
    paper: Mapping[str, float] = field(default_factory=dict, repr=False)
    threshold_adapted: bool = True

    @property
    def summary(self) -> str:
        return self.preset.summary

    @property
    def paper_f1(self) -> Mapping[str, float]:
        return {**self.preset.paper_f1, **self.paper}

    @property
    def identity(self) -> str:
        return identity_of(self, self.preset)

    @property
    def has_codes(self) -> bool:
        return self.preset.has_codes

    @property
    def needs(self) -> str:
        if "contextual" in self.preset.part_names:
            return "contextual"
        return "neural" if self.preset.learner.get("hash_function") == "neural" else ""

    def for_interactions(self) -> PresetSystem:
        if self.pairs_only:
            raise ParameterError(f"systems: {self.name} is about pairs ({self.summary}); there is none for interactions")
        return replace(self, preset=for_interactions(self.preset))

    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> DecisionJob:
        job = DecisionJob.on(bench, self.preset.decision, bench.features(self.preset), label_counts, draw)
        return replace(job, threshold_adapted=self.threshold_adapted)


@dataclass(frozen=True, eq=False)
class DecisionJob:
    """Features are there: learn a decision on some labels, for each number of labels asked for."""

    settings: DecisionSettings
    features: Features
    y: NDArray[np.bool_]
    documents: NDArray[Any]
    seed: int
    draw: int
    label_counts: LabelCounts
    threshold_adapted: bool = True
    expected_share: float | None = None
    """The share of relations that a prior expects in the test set."""

    @classmethod
    def on(
        cls, bench: Bench, settings: DecisionSettings, features: Features, label_counts: LabelCounts, draw: int
    ) -> DecisionJob:
        """The job with the labels of a bench."""
        if label_counts != [None]:
            settings = replace(settings, n_folds=min(settings.n_folds, 3))
        return cls(settings, features, bench.y, bench.documents, bench.seed, draw, label_counts)

    def run(self, n_jobs: int | None = 1) -> list[Outcome]:
        train, test = self.features.train, self.features.test
        outcomes = []
        for n_labels in self.label_counts:
            start = time.perf_counter()
            labelled = labelled_rows(self.y, n_labels, self.draw)
            decision = Decision.fit(
                self.settings,
                train[labelled],
                self.y[labelled],
                self.documents[labelled],
                columns=self.features.columns,
                target=test if self.threshold_adapted else None,
                expected_share=self.expected_share,
                random_state=self.seed if n_labels is None else self.draw,
                n_jobs=n_jobs,
            )
            scores, _, labels = decision.decide(test)
            outcomes.append((scores, labels, self.features.seconds + time.perf_counter() - start))
        return outcomes


def identity_of(system: System, preset: Preset) -> str:
    """Everything that a system with this preset says of itself; what the descriptors are belongs to it where they are used."""
    return f"{system!r} {COLUMNS}" if DESCRIPTORS in preset.all_views else repr(system)
