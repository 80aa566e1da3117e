"""Algorithm 1 of Garg et al. 2019 (EMNLP): hash functions learned greedily, without labels, one after the other.

It works on the counts of a :class:`~relhash.hashing.table.Table`; the estimator around it (:mod:`relhash.hashing.learner`)
knows scikit-learn. Every trial has its own random generator, spawned from one seed by its number, so that the outcome does not
depend on threads or on how often anything else was drawn.

References come from everywhere while the code is short; then from inside one cluster that mixes training and target candidates
well, because bits that cut such clusters raise H(x | c_prev). Neither fails: a cluster that is too small is passed over, and
when none is left the draw is global.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.hashing.functions import HashFunction
from relhash.hashing.information import MAX_CLUSTER_BITS, Clustering, bit_terms, cluster_by_bits, count_ones, n_log_n
from relhash.hashing.splits import SEARCHES, SplitObjective, TermWeights, find_split
from relhash.hashing.table import Table
from relhash.hashing.trace import Step

SAMPLINGS = ("local", "highest", "global")
MEMBERS_OF_A_CLUSTER = 8
"""So many candidates a cluster must hold on average."""


@dataclass(frozen=True)
class Settings:
    """What :class:`~relhash.hashing.learner.HashcodeLearner` describes under the same names.

    >>> Settings(n_bits=0)
    Traceback (most recent call last):
    relhash.errors.ParameterError: n_bits=0 is not allowed: at least 1
    """

    n_bits: int = 100
    n_references: tuple[int, ...] = (3, 4)
    n_cluster_bits: int = 10
    split: str = "auto"
    sampling: str = "local"
    redundancy: str = "clusters"
    entropy_weight: float = 1.0
    redundancy_weight: float = 1.0
    bit_entropy_weight: float = 0.0
    n_global: int | None = None
    deletion_share: float = 0.1
    deletion_spread: float = 1.0
    max_trials: int | None = None

    def __post_init__(self) -> None:
        sizes = self.n_references
        require(self.n_bits >= 1, "n_bits", self.n_bits, "at least 1")
        require(bool(sizes) and 1 <= min(sizes) <= max(sizes) <= 254, "n_references", sizes, "from 1 to 254")
        require(
            1 <= self.n_cluster_bits <= MAX_CLUSTER_BITS, "n_cluster_bits", self.n_cluster_bits, f"from 1 to {MAX_CLUSTER_BITS}"
        )
        require(self.split in SEARCHES, "split", self.split, f"one of {', '.join(SEARCHES)}")
        require(self.split != "exhaustive" or max(sizes) <= 16, "n_references", sizes, "at most 16 for split='exhaustive'")
        require(self.sampling in SAMPLINGS, "sampling", self.sampling, f"one of {', '.join(SAMPLINGS)}")
        require(self.redundancy in ("clusters", "correlation"), "redundancy", self.redundancy, "clusters or correlation")
        require((self.n_global or 1) >= 1, "n_global", self.n_global, "at least 1, or None for n_cluster_bits")
        for name in ("entropy_weight", "redundancy_weight", "bit_entropy_weight", "deletion_spread"):
            require(getattr(self, name) >= 0, name, getattr(self, name), "0 or positive")
        require(0 <= self.deletion_share < 1, "deletion_share", self.deletion_share, "from 0 to below 1")
        require(self.trials >= self.n_bits, "max_trials", self.max_trials, "at least n_bits")

    def for_candidates(self, n_candidates: int) -> Settings:
        """The same with as many cluster bits as so many candidates can fill.

        A cluster of one or two candidates has nothing to say of the redundancy of a bit, nor enough to draw references from.

        >>> Settings(n_cluster_bits=10).for_candidates(2000).n_cluster_bits
        7
        """
        most = max(1, (n_candidates // MEMBERS_OF_A_CLUSTER).bit_length() - 1)
        return replace(self, n_cluster_bits=min(self.n_cluster_bits, most))

    @property
    def term_weights(self) -> TermWeights:
        return TermWeights(self.entropy_weight, self.redundancy_weight, self.bit_entropy_weight)

    @property
    def trials(self) -> int:
        """The budget of trials: twice ``n_bits`` by default, or ``n_bits`` when nothing is deleted."""
        if self.max_trials is not None:
            return self.max_trials
        return 2 * self.n_bits if self.deletion_share else self.n_bits


def require(holds: bool, name: str, value: object, allowed: str) -> None:
    """Refuse a parameter in the words of all our parameter errors."""
    if not holds:
        raise ParameterError(f"{name}={value!r} is not allowed: {allowed}")


FUNCTIONS_AT_ONCE = 64  # bounds the memory of the count tables


@dataclass(frozen=True, eq=False)
class Draw:
    """Places of the structures that will be references, and where they were found.

    ``cluster_size`` and ``cluster_entropy`` are None for a global draw.
    """

    places: NDArray[np.int64]
    cluster_size: int | None = None
    cluster_entropy: float | None = None


@dataclass(frozen=True, eq=False)
class _Proposal:
    """The best split of one draw of references under one kernel."""

    draw: Draw
    view: str
    number: int
    objective: SplitObjective
    split: NDArray[np.uint8]
    ones: int
    terms: NDArray[np.float64]
    score: float


class GreedyCode:
    """A code that grows function by function.

    Parameters
    ----------
    table
        The candidates of both texts.
    settings, seed
        How to grow, and by which random numbers: those of trial t come from ``seed`` and t alone.

    Attributes
    ----------
    functions, made_by
        The hash functions so far, and the trial that made each.
    steps
        What happened in each trial.
    given_up
        Functions that were deleted and may come back, each with the trial that made it; the best one of the last round is last.
    """

    def __init__(self, table: Table, settings: Settings, seed: np.random.SeedSequence) -> None:
        self.table, self.settings, self.seed = table, settings, seed
        self.functions: list[HashFunction] = []
        self.made_by: list[int] = []
        self.steps: list[Step] = []
        self.given_up: list[tuple[HashFunction, int]] = []
        self._since_deletion = 0  # functions accepted since functions were last judged
        self._latent_at: int | None = None  # functions there were when latent factors were last fitted; None: fit them anew
        self._n_log_n = n_log_n(table.n_candidates)
        self._evenly = np.full(len(table.kernels), 1 / len(table.kernels))

    def grow(self, callback: Callable[[Step], object] | None = None) -> None:
        """Trials until the code has ``n_bits`` functions and deletion has nothing to improve or no trials left."""
        while len(self.functions) < self.settings.n_bits and len(self.steps) < self.settings.trials:
            step = self._try()
            if callback is not None:
                callback(step)

    def _try(self) -> Step:
        """One trial."""
        settings, started = self.settings, time.perf_counter()
        trial = len(self.steps)
        proposal, membership_entropy = self._propose(self._generator(trial, 0))
        spare = settings.trials - trial - 1 - (settings.n_bits - len(self.functions))
        accepted = self._cuts(proposal.ones) or (spare < 0 and not self.given_up)
        deleted: tuple[int, ...] = ()
        restored: int | None = None
        if accepted:
            responses = proposal.objective.responses
            self.functions.append(self.table.accept(proposal.view, proposal.number, responses, proposal.split))
            self.made_by.append(trial)
            self._since_deletion += 1
            if len(self.functions) == settings.n_bits or self._since_deletion >= settings.n_cluster_bits:
                deleted = self._delete(spare + 1, self._generator(trial, 1))
                self._since_deletion = 0
        elif spare < 0:  # no trial is left for this bit: a poor function that cuts is worth more than a constant one
            restored = self._restore()
        joint_entropy, redundancy, _ = proposal.terms.tolist()
        step = Step(
            trial=trial,
            n_functions=len(self.functions),
            n_bits=settings.n_bits,
            objective=proposal.score + membership_entropy,
            joint_entropy=joint_entropy,
            redundancy=redundancy,
            membership_entropy=membership_entropy,
            accepted=accepted,
            deleted=deleted,
            restored=restored,
            cluster_size=proposal.draw.cluster_size,
            cluster_entropy=proposal.draw.cluster_entropy,
            view=proposal.view,
            kernel=proposal.number,
            n_references=proposal.objective.n_references,
            seconds=time.perf_counter() - started,
        )
        self.steps.append(step)
        return step

    def _generator(self, trial: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng(
            np.random.SeedSequence(self.seed.entropy, spawn_key=(*self.seed.spawn_key, trial, purpose))
        )

    def _propose(self, rng: np.random.Generator) -> tuple[_Proposal, float]:
        """The best function of one trial, and H(x | c_prev) at this moment."""
        table = self.table
        n_references = int(rng.choice(self.settings.n_references))
        # p= is even, but said: without it numpy draws otherwise, and a seed would give other bits
        view = list(table.kernels)[int(rng.choice(len(table.kernels), p=self._evenly))]
        where = self._random_clusters(rng) if self._samples_locally() else None
        code = self._code_so_far(rng)
        if where is None:
            draw = sample_globally(table.everywhere(view), n_references, rng)
        else:
            clusters = where
            draw = sample_locally(
                clusters,
                lambda cluster: table.members(view, clusters, cluster),
                table.everywhere(view),
                n_references,
                rng,
                highest=self.settings.sampling == "highest",
            )
        proposals = [self._best_split(view, number, draw, code, rng) for number in range(len(table.kernels[view]))]
        return max(proposals, key=lambda proposal: proposal.score), code.membership_entropy

    def _best_split(self, view: str, number: int, draw: Draw, code: Clustering, rng: np.random.Generator) -> _Proposal:
        table, weights = self.table, self.settings.term_weights
        responses = table.respond(view, number, draw.places)
        objective = SplitObjective(responses, code, table.rows[view][number], table.weights, self._n_log_n, weights)
        split = find_split(self.settings.split, objective, rng)
        objective = objective.settled()
        ones = objective.ones(split[None])
        terms = bit_terms(ones, objective.totals, self._n_log_n)
        return _Proposal(draw, view, number, objective, split, int(ones[0].sum()), terms[0], float(weights(terms)[0]))

    def _samples_locally(self) -> bool:
        settings = self.settings
        n_global = settings.n_cluster_bits if settings.n_global is None else settings.n_global
        return settings.sampling != "global" and len(self.functions) >= n_global

    def _random_clusters(self, rng: np.random.Generator) -> Clustering:
        n_functions = len(self.functions)
        return self.table.clusters(rng.choice(n_functions, min(self.settings.n_cluster_bits, n_functions), replace=False))

    def _code_so_far(self, rng: np.random.Generator) -> Clustering:
        """What stands for c_prev: ζ random bits, or the latent factors of all bits."""
        n_functions, n_factors = len(self.functions), self.settings.n_cluster_bits
        if self.settings.redundancy == "clusters" or n_functions < 2:
            return self._random_clusters(rng)
        anew = self._latent_at is None or n_functions - self._latent_at >= n_factors or n_functions < n_factors
        if anew:
            self._latent_at = n_functions
        return self.table.latent_clusters(n_factors, rng, anew=anew)

    def _cuts(self, ones: int) -> bool:
        return 0 < ones < self.table.n_candidates

    def _delete(self, spare: int, rng: np.random.Generator) -> tuple[int, ...]:
        """Delete low functions, never more than the trials that are left can replace."""
        table, settings = self.table, self.settings
        most = min(int(settings.deletion_share * len(self.functions)), spare)
        if most < 1:
            return ()
        objectives = current_objectives(
            table.bits, table.weights, self._n_log_n, settings.n_cluster_bits, settings.term_weights, rng
        )
        lowest = low_functions(objectives, most, settings.deletion_spread).tolist()
        everything = table.clusters(np.empty(0, np.int64))
        ones = table.ones_of(lowest, everything)[:, 0].sum(axis=1)
        self.given_up += [
            (self.functions[number], self.made_by[number])
            for number, count in zip(lowest, ones.tolist(), strict=True)
            if self._cuts(count)
        ]
        deleted = tuple(self.made_by[number] for number in sorted(lowest))
        kept = [number for number in range(len(self.functions)) if number not in set(lowest)]
        table.keep(kept)
        self.functions = [self.functions[number] for number in kept]
        self.made_by = [self.made_by[number] for number in kept]
        if lowest:
            self._latent_at = None
        return deleted

    def _restore(self) -> int:
        """Take the last deletion back; returns the trial that made the function."""
        function, trial = self.given_up.pop()
        self.table.add(function)
        self.functions.append(function)
        self.made_by.append(trial)
        return trial


def sample_globally(everywhere: NDArray[np.int64], n_references: int, rng: np.random.Generator) -> Draw:
    """References from all distinct structures; fewer than asked for when there are fewer."""
    return Draw(rng.choice(everywhere, min(n_references, everywhere.size), replace=False))


def sample_locally(
    clusters: Clustering,
    members: Callable[[int], NDArray[np.int64]],
    everywhere: NDArray[np.int64],
    n_references: int,
    rng: np.random.Generator,
    *,
    highest: bool = False,
) -> Draw:
    """References from one cluster, drawn with probability ∝ size · entropy(x) among those with enough distinct structures.

    Parameters
    ----------
    clusters
        The cells of ζ bits of the code.
    members
        One place for each distinct structure of a cluster.
    everywhere
        One place for each distinct structure of all clusters, for the global draw when no cluster is large enough.
    highest
        Take the cluster with the highest entropy(x) (of equals the largest) instead of drawing one.
    """
    sizes, weighted = clusters.sizes, clusters.weighted_entropies
    large = clusters.n_points >= n_references
    weights = np.where(large, weighted, 0.0)
    if not weights.any():  # only pure clusters: the large ones still need cutting
        weights = np.where(large, sizes, 0).astype(np.float64)
    order = np.lexsort((-sizes, -weights / np.maximum(sizes, 1))) if highest else _in_random_order(weights, rng)
    for cluster in order[weights[order] > 0].tolist():
        inside = members(cluster)
        if inside.size >= n_references:
            chosen = rng.choice(inside, n_references, replace=False)
            return Draw(chosen, int(sizes[cluster]), float(weighted[cluster] / max(sizes[cluster], 1)))
    return sample_globally(everywhere, n_references, rng)


def _in_random_order(weights: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices of positive weights, each next one drawn in proportion to the weights that are left (exponential races)."""
    arrivals = rng.exponential(size=weights.size)
    positive = np.flatnonzero(weights > 0)
    return positive[np.argsort(arrivals[positive] / weights[positive], kind="stable")]


def current_objectives(
    bits: NDArray[np.uint8],
    weights: NDArray[np.int64],
    table: NDArray[np.float64],
    n_cluster_bits: int,
    term_weights: TermWeights,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """H(x, c) − I(c : others) of every function (a row of ``bits``) against the present code.

    A function's worth changes as the code grows around it, so all are judged again before any is deleted. ζ random bits stand
    for "the others"; these bits themselves are judged by another ζ, as no bit may be judged by itself. H(x | others) is left
    out: it hardly differs between the two. ``table`` is :func:`~relhash.hashing.information.n_log_n`.
    """

    def judged(functions: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.float64]:
        clusters, values = cluster_by_bits(bits, others, weights), np.empty(len(functions))
        for start in range(0, len(functions), FUNCTIONS_AT_ONCE):
            part = slice(start, start + FUNCTIONS_AT_ONCE)
            ones = count_ones(bits, functions[part], clusters, weights)
            values[part] = term_weights(bit_terms(ones, clusters.totals, table))
        return values

    n_functions = len(bits)
    size = min(n_cluster_bits, n_functions // 2)
    drawn = rng.permutation(n_functions)[: 2 * size]
    values = judged(np.arange(n_functions), drawn[:size])
    if size:
        values[drawn[:size]] = judged(drawn[:size], drawn[size:])
    return values


def low_functions(objectives: NDArray[np.float64], most: int, spread: float = 1.0) -> NDArray[np.int64]:
    """At most ``most`` functions that lie more than ``spread`` standard deviations below the mean, the lowest first.

    >>> low_functions(np.array([1.0, 1.1, 0.2, 1.0, 0.1]), 1).tolist()
    [4]
    """
    order = np.argsort(objectives, kind="stable")[: max(most, 0)]
    return order[objectives[order] < objectives.mean() - spread * objectives.std()]
