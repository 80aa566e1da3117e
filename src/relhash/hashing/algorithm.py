"""Algorithm 1 of Garg et al. 2019 (EMNLP): hash functions learned greedily, without labels, one after the other.

It works on counts that a :class:`~relhash.hashing.in_memory.Population` gives; the estimator around it
(:mod:`relhash.hashing.learner`) knows scikit-learn. Every trial has its own random generator, spawned from one seed by its
number, so that the outcome does not depend on threads or on how often anything else was drawn.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clusters
from relhash.hashing.deletion import current_objectives, low_functions
from relhash.hashing.functions import HashFunction
from relhash.hashing.in_memory import Evaluation, Population
from relhash.hashing.information import bit_terms, n_log_n
from relhash.hashing.objective import SplitObjective
from relhash.hashing.sampling import Draw, sample_globally, sample_locally
from relhash.hashing.settings import Settings
from relhash.hashing.splits import find_split
from relhash.hashing.trace import Step


@dataclass(frozen=True, eq=False)
class _Proposal:
    """The best split of one draw of references under one kernel."""

    draw: Draw
    evaluation: Evaluation
    split: NDArray[np.uint8]
    ones: int
    terms: NDArray[np.float64]
    score: float


@dataclass
class Progressed:
    """How far a fit is: with the seed, the settings and the candidates all that the trials to come depend on.

    Attributes
    ----------
    functions, made_by
        The hash functions so far, and the trial that made each.
    trial
        The next trial.
    since_deletion
        Functions accepted since functions were last judged.
    given_up
        Functions that were deleted and may come back, each with the trial that made it; the best one of the last round is last.
    latent_at
        How many functions there were when latent factors were last fitted (``redundancy="correlation"`` only); None if they
        have to be fitted anew.
    steps
        What happened in each trial.
    """

    functions: list[HashFunction] = field(default_factory=list)
    made_by: list[int] = field(default_factory=list)
    trial: int = 0
    since_deletion: int = 0
    given_up: list[tuple[HashFunction, int]] = field(default_factory=list)
    latent_at: int | None = None
    steps: list[Step] = field(default_factory=list)


class GreedyCode:
    """A code that grows function by function.

    Parameters
    ----------
    population
        The candidates of both texts.
    settings, seed
        How to grow, and by which random numbers: those of trial t come from ``seed`` and t alone.
    """

    def __init__(
        self,
        population: Population,
        settings: Settings,
        seed: np.random.SeedSequence,
    ) -> None:
        self.population, self.settings, self.seed = population, settings, seed
        self.progressed = Progressed()
        self._n_log_n = n_log_n(population.n_candidates)
        self._evenly = np.full(len(population.kernels), 1 / len(population.kernels))

    @property
    def functions(self) -> list[HashFunction]:
        return self.progressed.functions

    @property
    def steps(self) -> list[Step]:
        return self.progressed.steps

    def grow(self, callback: Callable[[Step], object] | None = None) -> None:
        """Trials until the code has ``n_bits`` functions and deletion has nothing to improve or no trials left."""
        while len(self.functions) < self.settings.n_bits and self.progressed.trial < self.settings.trials:
            step = self._try()
            if callback is not None:
                callback(step)

    def _try(self) -> Step:
        """One trial."""
        settings, progressed, started = self.settings, self.progressed, time.perf_counter()
        trial = progressed.trial
        proposal, membership_entropy = self._propose(self._generator(trial, 0))
        spare = settings.trials - trial - 1 - (settings.n_bits - len(self.functions))
        accepted = self._cuts(proposal) or (spare < 0 and not progressed.given_up)
        deleted: tuple[int, ...] = ()
        restored: int | None = None
        if accepted:
            self.functions.append(self.population.accept(proposal.evaluation, proposal.split))
            progressed.made_by.append(trial)
            progressed.since_deletion += 1
            spare += 1
            if len(self.functions) == settings.n_bits or progressed.since_deletion >= settings.n_cluster_bits:
                deleted = self._delete(spare, self._generator(trial, 1))
                progressed.since_deletion = 0
        elif spare < 0:  # no trial is left for this bit: a poor function that cuts is worth more than a constant one
            restored = self._restore()
        step = self._step(trial, proposal, membership_entropy, accepted, deleted, restored, time.perf_counter() - started)
        progressed.trial += 1
        self.steps.append(step)
        return step

    def _generator(self, trial: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng(
            np.random.SeedSequence(self.seed.entropy, spawn_key=(*self.seed.spawn_key, trial, purpose))
        )

    def _propose(self, rng: np.random.Generator) -> tuple[_Proposal, float]:
        """The best function of one trial, and H(x | c_prev) at this moment."""
        population = self.population
        n_references = int(rng.choice(self.settings.n_references))
        # p= is even, but said: without it numpy draws otherwise, and a seed would give other bits
        view = list(population.kernels)[int(rng.choice(len(population.kernels), p=self._evenly))]
        where = self._random_clusters(rng) if self._samples_locally() else None
        code = self._code_so_far(rng)
        everywhere = population.everywhere(view)
        if where is None:
            draw = sample_globally(everywhere, n_references, rng)
        else:
            clusters = where
            draw = sample_locally(
                clusters, lambda cluster: population.members(view, clusters, cluster), everywhere, n_references, rng
            )
        # all kernels before any split: a cluster compares with all of them in one go
        offered = [population.evaluate(view, number, draw.places, code) for number in range(len(population.kernels[view]))]
        proposals = [self._best_split(evaluation, draw, rng) for evaluation in offered]
        return max(proposals, key=lambda proposal: proposal.score), code.membership_entropy

    def _best_split(self, evaluation: Evaluation, draw: Draw, rng: np.random.Generator) -> _Proposal:
        settings = self.settings
        objective = SplitObjective(evaluation, self._n_log_n, settings.term_weights)
        split = find_split(settings.split, objective, rng)
        if (settled := evaluation.settled()) is not evaluation:
            objective = SplitObjective(settled, self._n_log_n, settings.term_weights)
        ones = objective.ones(split[None])
        terms = bit_terms(ones, objective.totals, self._n_log_n)
        score = float(settings.term_weights(terms)[0])
        return _Proposal(draw, settled, split, int(ones[0, :, :2].sum()), terms[0], score)

    def _samples_locally(self) -> bool:
        return self.settings.sampling == "local" and len(self.functions) >= self.settings.n_cluster_bits

    def _random_clusters(self, rng: np.random.Generator) -> Clusters:
        n_functions = len(self.functions)
        chosen = rng.choice(n_functions, min(self.settings.n_cluster_bits, n_functions), replace=False)
        return self.population.clusters(chosen)

    def _code_so_far(self, rng: np.random.Generator) -> Clusters:
        """What stands for c_prev: ζ random bits, or the latent factors of all bits."""
        n_functions, n_factors = len(self.functions), self.settings.n_cluster_bits
        if self.settings.redundancy == "clusters" or n_functions < 2:
            return self._random_clusters(rng)
        fitted_at = self.progressed.latent_at
        anew = fitted_at is None or n_functions - fitted_at >= n_factors or n_functions < n_factors
        if anew:
            self.progressed.latent_at = n_functions
        return self.population.latent_clusters(n_factors, rng, anew=anew)

    def _cuts(self, proposal: _Proposal) -> bool:
        return 0 < proposal.ones < self.population.n_candidates

    def _delete(self, spare: int, rng: np.random.Generator) -> tuple[int, ...]:
        """Delete low functions, never more than the trials that are left can replace."""
        progressed, n_functions = self.progressed, len(self.functions)
        most = min(int(self.settings.deletion_share * n_functions), spare)
        if most < 1:
            return ()
        objectives = current_objectives(
            self.population.stored, self._n_log_n, self.settings.n_cluster_bits, self.settings.term_weights, rng
        )
        lowest = low_functions(objectives, most).tolist()
        everything = self.population.clusters(np.empty(0, np.int64))
        ones = self.population.ones_of(lowest, everything)[:, 0, :2].sum(axis=1)
        progressed.given_up += [
            (self.functions[number], progressed.made_by[number])
            for number, count in zip(lowest, ones.tolist(), strict=True)
            if 0 < count < self.population.n_candidates
        ]
        low = set(lowest)
        kept = [number for number in range(n_functions) if number not in low]
        deleted = tuple(progressed.made_by[number] for number in sorted(low))
        self.population.keep(kept)
        progressed.functions = [progressed.functions[number] for number in kept]
        progressed.made_by = [progressed.made_by[number] for number in kept]
        if low:
            progressed.latent_at = None
        return deleted

    def _restore(self) -> int:
        """Take the last deletion back; returns the trial that made the function."""
        function, trial = self.progressed.given_up.pop()
        self.population.add(function)
        self.functions.append(function)
        self.progressed.made_by.append(trial)
        return trial

    def _step(
        self,
        trial: int,
        proposal: _Proposal,
        membership_entropy: float,
        accepted: bool,
        deleted: tuple[int, ...],
        restored: int | None,
        seconds: float,
    ) -> Step:
        joint_entropy, redundancy, label_entropy = (float(term) for term in proposal.terms)
        return Step(
            trial=trial,
            n_functions=len(self.functions),
            n_bits=self.settings.n_bits,
            objective=proposal.score + membership_entropy,
            joint_entropy=joint_entropy,
            redundancy=redundancy,
            membership_entropy=membership_entropy,
            label_entropy=label_entropy,
            accepted=accepted,
            deleted=deleted,
            restored=restored,
            cluster_size=proposal.draw.cluster_size,
            cluster_entropy=proposal.draw.cluster_entropy,
            view=proposal.evaluation.view,
            kernel=proposal.evaluation.number,
            n_references=proposal.evaluation.n_references,
            seconds=seconds,
        )
