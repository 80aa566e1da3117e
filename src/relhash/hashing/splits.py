"""Which split of the references makes the best bit by Eq. 1: all are tried when there are few, else a Markov chain.

A split is a row of zeros and ones, the side of each reference. The first reference always lies on side 0: the other half of
the splits gives the same bits inverted. Where a bit is the side of the nearest reference, one table serves all splits (nearest
reference × cluster × kind of candidate): the ones of a split are the sum of the lines of its side 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ParameterError
from relhash.hashing.functions import Responses
from relhash.hashing.information import Clustering, bit_terms


def _nearest_in_numpy(
    nearest: NDArray[np.uint8], n_references: int, rows: NDArray[np.int32], cells: NDArray[np.int32],
    weights: NDArray[np.int64], n_clusters: int,
) -> NDArray[np.int64]:  # fmt: skip
    table = np.zeros((n_references, n_clusters, weights.shape[1]), np.int64)
    references = nearest[rows]
    has = references < n_references
    np.add.at(table, (references[has], cells[has]), weights[has])
    return table


@compiled(seconds=lambda nearest, n, rows, cells, weights, m: 3e-5 + 6e-8 * weights.size, plain=_nearest_in_numpy)
def count_nearest(
    nearest: NDArray[np.uint8],
    n_references: int,
    rows: NDArray[np.int32],
    cells: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_clusters: int,
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """The table ``(references, clusters, kinds)``; candidates without a nearest reference are in no line."""
    n_points, n_kinds = weights.shape
    table = np.zeros((n_references, n_clusters, n_kinds), np.int64)
    for i in range(n_points):
        reference = nearest[rows[i]]
        if reference < n_references:
            for kind in range(n_kinds):
                table[reference, cells[i], kind] += weights[i, kind]
    return table


@compiled(
    seconds=lambda splits, table: 2e-5 + 2e-9 * len(splits) * table.size,
    plain=lambda splits, table: np.tensordot(splits.astype(np.int64), table, 1),
)
def subset_sums(splits: NDArray[np.uint8], table: NDArray[np.int64]) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """``(splits, clusters, kinds)``: candidates that would get a 1."""
    n_references, n_clusters, n_kinds = table.shape
    ones = np.zeros((len(splits), n_clusters, n_kinds), np.int64)
    for s in range(len(splits)):
        for reference in range(n_references):
            if splits[s, reference]:
                for g in range(n_clusters):
                    for kind in range(n_kinds):
                        ones[s, g, kind] += table[reference, g, kind]
    return ones


Score = Callable[[NDArray[np.uint8]], NDArray[np.float64]]

SEARCHES = ("auto", "exhaustive", "mcmc", "sample", "random")
TABLE_STEPS = 400  # of a chain whose steps add up lines of a count table …
STEPS = 80  # … or cost a pass over the points
CHAINS = 4
LARGEST_EXHAUSTIVE = 8  # above it "auto" samples: 127 splits are scored in a fraction of the kernel's time, 2^15 are not
LARGEST_FITTED = 5  # the same where each split costs a fitted network: 15 at a time
N_SAMPLED = 32


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How much each term of Eq. 1 counts: the paper's objective by default; ``bit`` weighs H(c), which Eq. 1 does not have.

    >>> TermWeights(redundancy=0.0)(np.array([[1.5, 0.4, 0.6]]))
    array([1.5])
    """

    entropy: float = 1.0
    redundancy: float = 1.0
    bit: float = 0.0

    def __call__(self, terms: NDArray[np.float64]) -> NDArray[np.float64]:
        """The objective of rows of H(x, c), I(c : c_prev) and H(c)."""
        joint, redundancy, bit = terms.T
        return np.asarray(self.entropy * joint - self.redundancy * redundancy + self.bit * bit)


class SplitObjective:
    """``H(x, c) − I(c : c_prev)``; H(x | c_prev) is left out, as no split changes it.

    Parameters
    ----------
    responses
        How the structures respond to the references just drawn.
    clusters
        The clustering that stands for c_prev.
    rows, weights
        The structure of each point; how many candidates of each kind it stands for.
    n_log_n
        :func:`relhash.hashing.information.n_log_n` up to the number of candidates.
    term_weights
        How much each term counts.
    """

    def __init__(
        self,
        responses: Responses,
        clusters: Clustering,
        rows: NDArray[np.int32],
        weights: NDArray[np.int64],
        n_log_n: NDArray[np.float64],
        term_weights: TermWeights,
    ) -> None:
        self.responses, self.clusters, self.rows, self.weights = responses, clusters, rows, weights
        self.n_log_n, self.term_weights = n_log_n, term_weights
        self.table, self.totals = responses.table(clusters, rows, weights), clusters.totals

    @property
    def n_references(self) -> int:
        return self.responses.n_references

    def settled(self) -> SplitObjective:
        """That of the function itself, where the responses only stand for it while a split is chosen."""
        settled = self.responses.settled()
        if settled is self.responses:
            return self
        return SplitObjective(settled, self.clusters, self.rows, self.weights, self.n_log_n, self.term_weights)

    def ones(self, splits: NDArray[np.uint8]) -> NDArray[np.int64]:
        """``(splits, clusters, kinds)``: candidates that would get a 1."""
        if self.table is None:
            return self.responses.ones(splits, self.clusters, self.rows, self.weights)
        return subset_sums(splits, self.table)

    def terms(self, splits: NDArray[np.uint8]) -> NDArray[np.float64]:
        """H(x, c), I(c : c_prev) and H(c) of each split."""
        return bit_terms(self.ones(splits), self.totals, self.n_log_n)

    def __call__(self, splits: NDArray[np.uint8]) -> NDArray[np.float64]:
        return self.term_weights(self.terms(splits))


@lru_cache(maxsize=32)
def all_splits(n_references: int) -> NDArray[np.uint8]:
    """All 2^(α−1) − 1 splits of α references into two sides, both taken.

    >>> all_splits(3).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 1, 1]]
    """
    if n_references < 2:  # one reference: near it or without any similarity to it
        splits = np.ones((1, n_references), np.uint8)
    else:
        numbers = np.arange(2, 2**n_references, 2)
        splits = (numbers[:, None] >> np.arange(n_references) & 1).astype(np.uint8)
    splits.setflags(write=False)
    return splits


def random_split(n_references: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """One of all splits, each with the same probability."""
    if n_references < 2:
        return all_splits(n_references)[0]
    while True:
        split = np.concatenate([[0], rng.integers(0, 2, n_references - 1)]).astype(np.uint8)
        if split.any():
            return split


def sampled_splits(n_references: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """At most :data:`N_SAMPLED` different splits drawn at random; all of them if there are not more.

    >>> sampled_splits(3, np.random.default_rng(0)).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 1, 1]]
    """
    if n_references <= 16 and len(every := all_splits(n_references)) <= N_SAMPLED:
        return every
    return np.unique([random_split(n_references, rng) for _ in range(N_SAMPLED)], axis=0)


def mcmc_split(objective: SplitObjective, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The best split met by Metropolis chains that move one reference to the other side at a time.

    The chains start at the best of some random splits and cool from accepting losses as large as the spread of those splits to
    accepting none.
    """
    n_references = objective.n_references
    if n_references < 3:
        return all_splits(n_references)[0]
    n_steps = max(4 * n_references, TABLE_STEPS if objective.table is not None else STEPS)
    starts = np.stack([random_split(n_references, rng) for _ in range(4 * CHAINS)])
    values = objective(starts)
    starts = starts[np.argsort(-values, kind="stable")[:CHAINS]]
    temperatures = max(float(values.std()), 1e-6) * np.linspace(1, 0, n_steps)[:, None]
    moves = rng.integers(1, n_references, (n_steps, CHAINS))
    thresholds = np.log(rng.random((n_steps, CHAINS))) * temperatures
    found = _anneal(objective, starts, moves, thresholds)
    return np.asarray(found[objective(found).argmax()])


def _anneal(
    score: Score, starts: NDArray[np.uint8], moves: NDArray[np.int64], thresholds: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """The best split of each chain.

    A step moves a reference to the other side unless the score falls by more than the step's threshold or side 1 were empty.
    The chains advance together, so that one call of ``score`` serves all.
    """
    current, best = starts.copy(), starts.copy()
    values = best_values = score(current)
    for step_moves, step_thresholds in zip(moves, thresholds, strict=True):
        proposed = current.copy()
        proposed[np.arange(len(starts)), step_moves] ^= 1
        proposed_values = np.where(proposed.any(axis=1), score(proposed), -np.inf)
        accepted = proposed_values - values >= step_thresholds
        current = np.where(accepted[:, None], proposed, current)
        values = np.where(accepted, proposed_values, values)
        better = values > best_values
        best = np.where(better[:, None], current, best)
        best_values = np.where(better, values, best_values)
    return best


def find_split(search: str, objective: SplitObjective, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The split that ``search`` (one of ``SEARCHES``) chooses."""
    n_references = objective.n_references
    if search == "auto":
        if objective.responses.fits:
            search = "exhaustive" if n_references <= LARGEST_FITTED else "sample"
        else:
            search = "exhaustive" if n_references <= LARGEST_EXHAUSTIVE else "mcmc"
    if search == "mcmc":
        return mcmc_split(objective, rng)
    if search == "random":
        return random_split(n_references, rng)
    if search not in ("exhaustive", "sample"):
        raise ParameterError(f"split={search!r} is not one of {', '.join(SEARCHES)}")
    splits = all_splits(n_references) if search == "exhaustive" else sampled_splits(n_references, rng)
    return splits[objective(splits).argmax()]
