"""Algorithm 1 of Garg et al. 2019 (EMNLP): hash functions learned greedily, without labels, one after the other.

What flows in is counts and bound kernels; the estimator around it (:mod:`relhash.hashing.learner`) knows scikit-learn. Every
trial has its own random generator, spawned from one seed by its number, so that the outcome does not depend on threads or on
how often anything else was drawn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clustering, cluster_by_bits, cluster_by_keys
from relhash.hashing.correlation import latent_factors
from relhash.hashing.deletion import current_objectives, low_functions
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.hashing.information import n_log_n
from relhash.hashing.objective import SplitObjective
from relhash.hashing.points import Points
from relhash.hashing.sampling import Draw, distinct_points, sample_globally, sample_locally
from relhash.hashing.settings import Settings
from relhash.hashing.sources import Source
from relhash.hashing.splits import find_split
from relhash.hashing.trace import Step

__all__ = ["GreedyCode"]


@dataclass(frozen=True, eq=False)
class _Proposal:
    """The best split of one draw of references under one kernel."""

    source: Source
    draw: Draw
    responses: Responses
    split: NDArray[np.uint8]
    terms: NDArray[np.float64]
    score: float


@dataclass(frozen=True, eq=False)
class _GivenUp:
    """A function that was deleted, with what it takes to put it back."""

    function: HashFunction
    trial: int
    bits: NDArray[np.uint8]  # packed: of a million candidates a function would else hold a megabyte
    nearest: NDArray[np.uint8] | None


class GreedyCode:
    """A code that grows function by function.

    Attributes
    ----------
    functions
        The hash functions so far.
    bits
        ``(functions, points)``: their bits on everything they were learned on.
    nearest
        ``(functions, points)``: their nearest references, if ``keep_nearest`` asks for them and the family knows them.
    steps
        What happened in each trial.
    """

    def __init__(
        self,
        sources: Mapping[str, Sequence[Source]],
        points: Points,
        family: HashFamily,
        settings: Settings,
        seed: np.random.SeedSequence,
        *,
        keep_nearest: bool = False,
    ) -> None:
        self.sources, self.points, self.family, self.settings, self.seed = sources, points, family, settings, seed
        self.functions: list[HashFunction] = []
        self.made_by: list[int] = []  # the trial that made each function
        self._given_up: list[_GivenUp] = []  # the best one of the last round is the last
        self.steps: list[Step] = []
        self._rows_of_bits = np.zeros((settings.n_bits, len(points)), np.uint8)
        self._rows_of_nearest = np.zeros((settings.n_bits, len(points)), np.uint8) if keep_nearest else None
        self._n_log_n = n_log_n(points.n_candidates)
        self._distinct = {view: distinct_points(offered[0].rows) for view, offered in sources.items()}
        self._evenly = np.full(len(sources), 1 / len(sources))
        self._latent: tuple[int, NDArray[np.int64]] | None = None

    @property
    def bits(self) -> NDArray[np.uint8]:
        return self._rows_of_bits[: len(self.functions)]

    @property
    def nearest(self) -> NDArray[np.uint8] | None:
        return None if self._rows_of_nearest is None else self._rows_of_nearest[: len(self.functions)]

    def grow(self, callback: Callable[[Step], object] | None = None) -> None:
        """Trials until the code has ``n_bits`` functions and deletion has nothing to improve or no trials left."""
        settings = self.settings
        since_deletion = 0
        for trial in range(settings.trials):
            started = time.perf_counter()
            proposal, membership_entropy = self._propose(self._generator(trial, 0))
            spare = settings.trials - trial - 1 - (settings.n_bits - len(self.functions))
            accepted = self._cuts(proposal) or (spare < 0 and not self._given_up)
            deleted: tuple[int, ...] = ()
            restored: int | None = None
            if accepted:
                self._append(proposal, trial)
                since_deletion += 1
                spare += 1
                if len(self.functions) == settings.n_bits or since_deletion >= settings.n_cluster_bits:
                    deleted = self._delete(spare, self._generator(trial, 1))
                    since_deletion = 0
            elif spare < 0:  # no trial is left for this bit: a poor function that cuts is worth more than a constant one
                restored = self._restore()
            step = self._step(trial, proposal, membership_entropy, accepted, deleted, restored, time.perf_counter() - started)
            self.steps.append(step)
            if callback is not None:
                callback(step)
            if len(self.functions) == settings.n_bits:
                break

    def _generator(self, trial: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng(
            np.random.SeedSequence(self.seed.entropy, spawn_key=(*self.seed.spawn_key, trial, purpose))
        )

    def _propose(self, rng: np.random.Generator) -> tuple[_Proposal, float]:
        """The best function of one trial, and H(x | c_prev) at this moment."""
        n_references = int(rng.choice(self.settings.n_references))
        # p= is even, but said: without it numpy draws otherwise, and a seed would give other bits
        view = list(self.sources)[int(rng.choice(len(self.sources), p=self._evenly))]
        where = self._random_clustering(rng) if self._samples_locally() else None
        code = self._code_so_far(rng)
        offered, distinct = self.sources[view], self._distinct[view]
        if where is None:
            draw = sample_globally(distinct, n_references, rng)
        else:
            draw = sample_locally(where, offered[0].rows, distinct, n_references, rng)
        proposals = [self._best_split(source, draw, code, rng) for source in offered]
        return max(proposals, key=lambda proposal: proposal.score), code.membership_entropy

    def _best_split(self, source: Source, draw: Draw, code: Clustering, rng: np.random.Generator) -> _Proposal:
        responses = self.family.respond(source.bound, source.rows[draw.points].astype(np.int64))

        settings, weights = self.settings, self.points.weights
        term_weights = settings.term_weights
        objective = SplitObjective(responses, code, source.rows, weights, self._n_log_n, term_weights)
        split = find_split(settings.split, objective, rng)
        if (settled := responses.settled()) is not responses:
            responses = settled
            objective = SplitObjective(responses, code, source.rows, weights, self._n_log_n, term_weights)
        return _Proposal(source, draw, responses, split, objective.terms(split[None])[0], float(objective(split[None])[0]))

    def _samples_locally(self) -> bool:
        return self.settings.sampling == "local" and len(self.functions) >= self.settings.n_cluster_bits

    def _random_clustering(self, rng: np.random.Generator) -> Clustering:
        n_functions = len(self.functions)
        chosen = rng.choice(n_functions, min(self.settings.n_cluster_bits, n_functions), replace=False)
        return cluster_by_bits(self.bits, chosen, self.points.weights)

    def _code_so_far(self, rng: np.random.Generator) -> Clustering:
        """What stands for c_prev: ζ random bits, or the latent factors of all bits."""
        n_functions, n_factors = len(self.functions), self.settings.n_cluster_bits
        if self.settings.redundancy == "clusters" or n_functions < 2:
            return self._random_clustering(rng)
        if self._latent is None or n_functions - self._latent[0] >= n_factors or n_functions < n_factors:
            factors = latent_factors(self.bits, self.points.weights[:, :2].sum(axis=1), n_factors, rng)
            self._latent = n_functions, factors.codes(self.bits)
        return cluster_by_keys(self._latent[1], self.points.weights)

    def _cuts(self, proposal: _Proposal) -> bool:
        bits = proposal.responses.bits(proposal.split)[proposal.source.rows]
        return bool(bits.any() and not bits.all())

    def _append(self, proposal: _Proposal, trial: int) -> None:
        source, responses = proposal.source, proposal.responses
        references = source.bound.unique(responses.ids)
        self._rows_of_bits[len(self.functions)] = responses.bits(proposal.split)[source.rows]
        if self._rows_of_nearest is not None:
            nearest = responses.nearest_references()
            if nearest is None:
                self._rows_of_nearest = None
            else:
                self._rows_of_nearest[len(self.functions)] = nearest[source.rows]
        self.functions.append(self.family.function(references, proposal.split, source.kernel, source.view, responses))
        self.made_by.append(trial)

    def _delete(self, spare: int, rng: np.random.Generator) -> tuple[int, ...]:
        """Delete low functions, never more than the trials that are left can replace."""
        n_functions = len(self.functions)
        most = min(int(self.settings.deletion_share * n_functions), spare)
        if most < 1:
            return ()
        objectives = current_objectives(
            self.bits,
            self.points.weights,
            self._n_log_n,
            self.settings.n_cluster_bits,
            self.settings.term_weights,
            rng,
        )
        lowest = low_functions(objectives, most).tolist()
        for number in lowest:
            bits, nearest = self.bits[number], self.nearest
            if bits.any() and not bits.all():
                own = None if nearest is None else nearest[number].copy()
                self._given_up.append(_GivenUp(self.functions[number], self.made_by[number], np.packbits(bits), own))
        low = set(lowest)
        kept = [number for number in range(n_functions) if number not in low]
        deleted = tuple(self.made_by[number] for number in sorted(low))
        for table in (self._rows_of_bits, self._rows_of_nearest):
            if table is not None:
                table[: len(kept)] = table[kept]
        self.functions = [self.functions[number] for number in kept]
        self.made_by = [self.made_by[number] for number in kept]
        if low:
            self._latent = None
        return deleted

    def _restore(self) -> int:
        """Take the last deletion back; returns the trial that made the function."""
        one = self._given_up.pop()
        place = len(self.functions)
        self._rows_of_bits[place] = np.unpackbits(one.bits, count=len(self.points))
        if self._rows_of_nearest is not None and one.nearest is not None:
            self._rows_of_nearest[place] = one.nearest
        self.functions.append(one.function)
        self.made_by.append(one.trial)
        return one.trial

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
            view=proposal.source.view,
            kernel=proposal.source.number,
            n_references=proposal.responses.n_references,
            seconds=seconds,
        )
