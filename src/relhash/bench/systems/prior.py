"""Rows with a prior: the prior alone, systems with its vote weighed in, and plain rivals that get its score as a feature."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.bench.bench import Bench, Features
from relhash.bench.systems.prior_votes import PriorVotes
from relhash.bench.systems.system import DecisionJob, LabelCounts, Outcome, PresetSystem, System
from relhash.errors import ParameterError
from relhash.learn.codes import stack
from relhash.learn.correction import PRIOR
from relhash.learn.threshold import CUT


@dataclass(frozen=True, eq=False)
class WithPrior(System):
    """A system with the vote of the protocol's prior.

    Attributes
    ----------
    as_feature
        Whether the score is one more column for the classifier, as anybody would do it, instead of a vote of its own.
    """

    name: str
    base: PresetSystem
    as_feature: bool = False
    uses_prior = True

    @property
    def deterministic(self) -> bool:  # type: ignore[override]
        return self.base.deterministic

    @property
    def has_codes(self) -> bool:
        return self.base.has_codes

    @property
    def summary(self) -> str:
        how = "its score as one more feature" if self.as_feature else "its log-odds corrected by the labels"
        return f"{self.base.summary}; with a prior from NERO and BioNLP, {how}"

    @property
    def paper_f1(self) -> Mapping[str, float]:
        return {}

    @property
    def identity(self) -> str:
        return f"{self.base.identity} with prior {self.as_feature}"

    def for_interactions(self) -> System:
        raise ParameterError(f"systems: {self.name} has a prior about pairs; there is none for interactions")

    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> DecisionJob:
        votes = votes_of(bench)
        own = bench.features(self.base.preset)
        train, test = (
            stack([rows, sparse.csr_matrix(votes.log_odds[of][:, None])])
            for rows, of in ((own.train, bench.task.train), (own.test, bench.task.test))
        )
        width = own.train.shape[1]
        part = "prior-score" if self.as_feature else PRIOR
        features = Features(train, test, {**own.columns, part: slice(width, width + 1)}, own.seconds)
        job = DecisionJob.on(bench, self.base.preset.decision, features, label_counts, draw)
        return replace(job, corrects_prior=not self.as_feature)


@dataclass(frozen=True, eq=False)
class PriorAlone(System):
    """The prior without any label, at the usual cut."""

    name: str = "prior"
    deterministic: bool = True
    uses_prior = True
    needs_labels = False

    @property
    def summary(self) -> str:
        return "the prior from NERO and BioNLP alone, no label of either corpus"

    @property
    def paper_f1(self) -> Mapping[str, float]:
        return {}

    @property
    def identity(self) -> str:
        return "prior alone"

    def for_interactions(self) -> System:
        raise ParameterError("systems: the prior is about pairs; there is none for interactions")

    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> PriorJob:
        votes, test = votes_of(bench), bench.task.test
        return PriorJob(votes.probabilities[test], len(label_counts))


@dataclass(frozen=True, eq=False)
class PriorJob:
    """Probabilities of the test candidates, and how many outcomes are asked for."""

    probabilities: NDArray[np.float64]
    n_outcomes: int

    def run(self, n_jobs: int | None = 1) -> list[Outcome]:
        start = time.perf_counter()
        labels = self.probabilities >= CUT
        return [Outcome(self.probabilities, labels, time.perf_counter() - start)] * self.n_outcomes


def votes_of(bench: Bench) -> PriorVotes:
    """The votes that the run has put on the data set."""
    if bench.dataset.prior is None:
        raise ParameterError("systems: this protocol has no prior")
    return bench.dataset.prior


def with_prior(base: PresetSystem, *, as_feature: bool = False) -> WithPrior:
    """``base`` with the prior, called ``<base>+prior``.

    >>> from relhash.model.recipe import PRESETS
    >>> with_prior(PresetSystem("best", PRESETS["best"])).name
    'best+prior'
    """
    return WithPrior(f"{base.name}+prior", replace(base, paper={}), as_feature)
