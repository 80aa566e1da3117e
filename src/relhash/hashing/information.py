"""Entropies of binary codes, in nats, from counts; the clusters on which they are counted; total correlation (CorEx).

Everything the greedy learner optimises (Garg et al. 2019, Eq. 1) is a function of small tables of counts with one line per
*cluster* and one column per *kind* of candidate: column 0 counts target candidates, column 1 training candidates (together
the membership x). Clusters are the cells in which ζ bits of the code agree: on them I(c : c_prev) and H(x | c_prev) are
estimated, and inside one of them new references are sampled.

The entropy of a long code cannot be counted: 100 bits have more states than there are candidates. Garg et al. 2019 (AAAI)
write it as ``H(C) ≈ Σ_i H(c_i) − TC(C)`` and bound the total correlation TC from below by binary latent factors that make the
bits as independent as possible (Ver Steeg and Galstyan 2014). Like every bound that looks at bits one by one it does not see a
dependence without pairwise trace (a parity).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.blas import one_blas_thread
from relhash.compilation import compiled


def entropy(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Entropy of the distribution proportional to ``counts`` along the last axis.

    >>> float(entropy(np.array([1, 1])))   # a fair coin
    0.6931471805599453
    >>> float(entropy(np.array([0, 0])))   # nothing was counted
    0.0
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    p = np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)
    return np.asarray(-special.xlogy(p, p).sum(axis=-1) + 0.0)


def n_log_n(largest: int) -> NDArray[np.float64]:
    """``n · log n`` for n = 0 … ``largest``: with it an entropy of counts needs additions only."""
    n = np.arange(largest + 1, dtype=np.float64)
    return np.asarray(special.xlogy(n, n))


@compiled(seconds=lambda ones, totals, table: 1e-6 * ones.size)
def bit_terms(
    ones: NDArray[np.int64], totals: NDArray[np.int64], table: NDArray[np.float64]
) -> NDArray[np.float64]:  # pragma: no cover - compiled
    """The terms of Eq. 1 for many possible bits at once.

    Parameters
    ----------
    ones
        ``(bits, clusters, kinds)``: candidates whose bit is 1.
    totals
        ``(clusters, kinds)``: all candidates.
    table
        :func:`n_log_n` up to the number of candidates.

    Returns
    -------
    ``(bits, 3)``: H(x, c), I(c : cluster) and H(c).
    """
    n_bits, n_clusters, _ = ones.shape
    terms = np.zeros((n_bits, 3))
    n = totals.sum()
    if n == 0:
        return terms
    for b in range(n_bits):
        target_one = 0
        train_one = 0
        target_zero = 0
        train_zero = 0
        within = 0.0
        for g in range(n_clusters):
            target, train = ones[b, g, 0], ones[b, g, 1]
            one = target + train
            both = totals[g, 0] + totals[g, 1]
            within += table[both] - table[one] - table[both - one]
            target_one += target
            train_one += train
            target_zero += totals[g, 0] - target
            train_zero += totals[g, 1] - train
        joint = table[n] - table[target_one] - table[train_one] - table[target_zero] - table[train_zero]
        marginal = table[n] - table[target_one + train_one] - table[target_zero + train_zero]
        terms[b, 0] = joint / n
        terms[b, 1] = max(0.0, (marginal - within) / n)
        terms[b, 2] = marginal / n
    return terms


MAX_CLUSTER_BITS = 20  # a direct table of 2^ζ cells is kept while clustering


@dataclass(frozen=True, eq=False)
class Clustering:
    """A partition of the points.

    Attributes
    ----------
    cells
        The cluster of each point, numbered from 0 without gaps.
    totals
        ``(clusters, kinds)``: candidates of each kind in each cluster (see :mod:`relhash.hashing.information`).
    """

    cells: NDArray[np.int32]
    totals: NDArray[np.int64]

    @property
    def n_clusters(self) -> int:
        return int(self.totals.shape[0])

    @property
    def n_points(self) -> NDArray[np.int64]:
        """Number of distinct candidates in each cluster."""
        return np.bincount(self.cells, minlength=self.n_clusters)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of candidates in each cluster."""
        return self.totals[:, 0] + self.totals[:, 1]

    @cached_property
    def weighted_entropies(self) -> NDArray[np.float64]:
        """Size · entropy of x in each cluster: 0 where all candidates come from one set."""
        target, train = self.totals[:, 0], self.totals[:, 1]
        weighted = special.xlogy(self.sizes, self.sizes) - special.xlogy(target, target) - special.xlogy(train, train)
        return np.where((target > 0) & (train > 0), weighted, 0.0)

    @property
    def membership_entropy(self) -> float:
        """H(x | c_prev) of Eq. 1."""
        return float(self.weighted_entropies.sum() / max(self.sizes.sum(), 1))


def cluster_by_bits(bits: NDArray[np.uint8], chosen: NDArray[np.int64], weights: NDArray[np.int64]) -> Clustering:
    """Cells of the ``chosen`` rows of ``bits`` (functions × points); no row chosen gives one cluster of everything.

    >>> bits = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.uint8)
    >>> cluster_by_bits(bits, np.array([0]), np.ones((4, 2), np.int64)).cells.tolist()
    [0, 0, 1, 1]
    """
    cells, totals = _cells_of_bits(bits, np.asarray(chosen, np.int64), weights)
    return Clustering(cells, totals)


def cluster_by_keys(keys: NDArray[np.int64], weights: NDArray[np.int64]) -> Clustering:
    """Cells of points with equal ``keys`` (any integers)."""
    _, cells = np.unique(keys, return_inverse=True)
    totals = np.zeros((int(cells.max(initial=-1)) + 1, weights.shape[1]), np.int64)
    np.add.at(totals, cells, weights)
    return Clustering(cells.astype(np.int32), totals)


def _cells_in_numpy(
    bits: NDArray[np.uint8], chosen: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    codes = (bits[chosen].astype(np.int64) << np.arange(len(chosen))[::-1, None]).sum(axis=0)
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    number = np.argsort(np.argsort(first)).astype(np.int32)  # clusters in the order in which they are met
    cells = number[inverse]
    totals = np.zeros((len(first), weights.shape[1]), np.int64)
    np.add.at(totals, cells, weights)
    return cells, totals


@compiled(seconds=lambda bits, chosen, weights: 1e-4 + 1e-7 * weights.size, plain=_cells_in_numpy)
def _cells_of_bits(
    bits: NDArray[np.uint8], chosen: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:  # pragma: no cover - compiled
    n_points, n_kinds = weights.shape
    cells = np.zeros(n_points, np.int32)
    for row in chosen:
        for i in range(n_points):
            cells[i] = (cells[i] << 1) | bits[row, i]
    number = np.full(1 << len(chosen), -1, np.int32)
    n_clusters = 0
    for i in range(n_points):
        code = cells[i]
        if number[code] < 0:
            number[code] = n_clusters
            n_clusters += 1
        cells[i] = number[code]
    totals = np.zeros((n_clusters, n_kinds), np.int64)
    for i in range(n_points):
        for kind in range(n_kinds):
            totals[cells[i], kind] += weights[i, kind]
    return cells, totals


def count_ones(
    bits: NDArray[np.uint8], functions: Sequence[int] | NDArray[np.int64], clusters: Clustering, weights: NDArray[np.int64]
) -> NDArray[np.int64]:
    """``(functions, clusters, kinds)``: candidates to whom each of these functions gives a 1.

    >>> one_cluster = Clustering(np.zeros(2, np.int32), np.array([[3, 3]]))
    >>> count_ones(np.array([[0, 1]], np.uint8), [0], one_cluster, np.array([[2, 0], [1, 3]])).tolist()
    [[[1, 3]]]
    """
    return _count_ones(bits, np.asarray(functions, np.int64), clusters.cells, weights, clusters.n_clusters)


def _ones_in_numpy(
    bits: NDArray[np.uint8], functions: NDArray[np.int64], cells: NDArray[np.int32], weights: NDArray[np.int64], n_clusters: int
) -> NDArray[np.int64]:
    ones = np.zeros((len(functions), n_clusters, weights.shape[1]), np.int64)
    for own, function in zip(ones, functions, strict=True):
        np.add.at(own, cells, bits[function][:, None] * weights)
    return ones


@compiled(
    seconds=lambda bits, functions, cells, weights, n: len(functions) * (2e-5 + 6e-8 * weights.size), plain=_ones_in_numpy
)
def _count_ones(
    bits: NDArray[np.uint8], functions: NDArray[np.int64], cells: NDArray[np.int32], weights: NDArray[np.int64], n_clusters: int
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    n_points, n_kinds = weights.shape
    ones = np.zeros((len(functions), n_clusters, n_kinds), np.int64)
    for number, function in enumerate(functions):
        for i in range(n_points):
            bit = bits[function, i]
            for kind in range(n_kinds):
                ones[number, cells[i], kind] += bit * weights[i, kind]  # a branch would be mispredicted half of the time
    return ones


SOFT_ITERATIONS, MOST_ITERATIONS = 20, 100
TOLERANCE = 1e-5
TINY = 1e-12  # probabilities are kept off 0 so that their logarithms are finite


@dataclass(frozen=True, eq=False)
class LatentFactors:
    """Binary factors y_j with ``p(y_j | bits) ∝ p(y_j) Π_i (p(y_j | c_i) / p(y_j))^a_ij``.

    Attributes
    ----------
    evidence
        ``(factors, functions, 2)``: what a bit that is 0 or 1 adds to the log odds of the factor.
    prior
        ``(factors,)``: log odds of the factor before any bit is seen.
    total_correlation
        The bound on TC of the bits the factors were fitted on, in nats.
    """

    evidence: NDArray[np.float64]
    prior: NDArray[np.float64]
    total_correlation: float

    @one_blas_thread()
    def codes(self, bits: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The most probable states of all factors of each point (columns of ``bits``), as one number."""
        off, on = self.evidence[..., 0], self.evidence[..., 1]
        odds = (on - off) @ bits.astype(np.float64) + (off.sum(axis=1) + self.prior)[:, None]
        return np.asarray(((odds > 0) << np.arange(len(odds))[:, None]).sum(axis=0))


@one_blas_thread()
def latent_factors(
    bits: NDArray[np.uint8],
    weights: NDArray[np.integer] | None = None,
    n_factors: int = 10,
    rng: np.random.Generator | None = None,
) -> LatentFactors:
    """Fit at most ``n_factors`` factors to ``bits`` (functions × points), each point counted ``weights`` times.

    >>> coin = np.random.default_rng(0).integers(0, 2, 4000)
    >>> round(total_correlation(np.stack([coin, coin, coin]), n_factors=1), 2)   # (3 − 1) · log 2
    1.39
    """
    c = np.asarray(bits, np.float64)
    share = np.ones(c.shape[1]) if weights is None else np.asarray(weights, np.float64)
    share = share / share.sum()
    rng = np.random.default_rng(0) if rng is None else rng
    n_factors = max(1, min(n_factors, len(c) // 2))  # a factor explains what at least two bits have in common
    return _fit(c, share, _first_guess(c, share, n_factors, rng))


def total_correlation(bits: NDArray[np.uint8], weights: NDArray[np.integer] | None = None, n_factors: int = 10) -> float:
    """A lower bound of ``Σ_i H(c_i) − H(C)`` in nats."""
    return latent_factors(bits, weights, n_factors).total_correlation


@one_blas_thread()
def code_entropy(bits: NDArray[np.uint8], n_factors: int = 10) -> float:
    """``H(C) ≈ Σ_i H(c_i) − TC(C)``; at least 0."""
    ones = bits.sum(axis=1)
    single = entropy(np.stack([bits.shape[1] - ones, ones], axis=-1)).sum()
    return max(0.0, float(single) - total_correlation(bits, n_factors=n_factors))


def _first_guess(
    c: NDArray[np.float64], share: NDArray[np.float64], n_factors: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """p(y_j = 1) of each point, ``(factors, points)``: factors start as bits that have little to do with each other."""
    n_functions = len(c)
    centred = c - (c @ share)[:, None]
    covariance = (centred * share) @ centred.T
    deviation = np.sqrt(np.maximum(np.diag(covariance), TINY))
    related = np.abs(covariance / deviation[:, None] / deviation)
    chosen = [int(rng.integers(n_functions))]
    while len(chosen) < n_factors:
        chosen.append(int(np.argmin(related[chosen].max(axis=0))))
    noise = rng.uniform(0.0, 0.1, (n_factors, c.shape[1]))  # equal starts would stay equal
    return np.asarray(0.1 + 0.7 * c[chosen] + noise)


def _fit(c: NDArray[np.float64], share: NDArray[np.float64], on: NDArray[np.float64]) -> LatentFactors:
    """Alternate p(y | bits) → p(y | one bit), mutual informations, assignment of bits to factors → p(y | bits)."""
    one = np.clip(c @ share, TINY, 1 - TINY)  # p(c_i = 1)
    previous = -np.inf
    for iteration in range(MOST_ITERATIONS):
        p_on = np.clip(on @ share, TINY, 1 - TINY)  # p(y_j = 1)
        both = (on * share) @ c.T  # p(y_j = 1, c_i = 1)
        given = np.stack([(p_on[:, None] - both) / (1 - one), both / one], axis=-1)  # p(y_j = 1 | c_i = value)
        given = np.clip(given, TINY, 1 - TINY)
        gain_on, gain_off = np.log(given) - np.log(p_on)[:, None, None], np.log1p(-given) - np.log1p(-p_on)[:, None, None]
        value = np.stack([1 - one, one], axis=-1)
        information = (value * (given * gain_on + (1 - given) * gain_off)).sum(axis=-1)  # I(y_j : c_i)
        assignment = _assign(information, iteration)[..., None]
        log_on = _add_up(assignment * gain_on, c) + np.log(p_on)[:, None]
        log_off = _add_up(assignment * gain_off, c) + np.log1p(-p_on)[:, None]
        log_z = np.logaddexp(log_on, log_off)
        on = np.exp(log_on - log_z)
        bound = float((log_z @ share).sum())
        if iteration > SOFT_ITERATIONS and abs(bound - previous) < TOLERANCE:
            break
        previous = bound
    evidence = assignment * (gain_on - gain_off)
    return LatentFactors(evidence, np.log(p_on) - np.log1p(-p_on), max(0.0, bound))


def _assign(information: NDArray[np.float64], iteration: int) -> NDArray[np.float64]:
    """a_ij: the share of bit i in factor j. Soft at first, then each bit belongs to its best factor alone, so that factors
    that are copies of each other do not count the same dependence twice (rounding makes them tie, the first one wins)."""
    if iteration >= SOFT_ITERATIONS:
        return np.asarray(np.arange(len(information))[:, None] == information.round(6).argmax(axis=0), np.float64)
    sharpness = (1.0 + iteration) / np.maximum(information.max(axis=0), 1e-3)
    shares = np.exp(sharpness * (information - information.max(axis=0)))
    return np.asarray(shares / shares.sum(axis=0))


def _add_up(gains: NDArray[np.float64], c: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ_i gains[j, i, c_i] for each factor j and point."""
    return np.asarray((gains[..., 1] - gains[..., 0]) @ c + gains[..., 0].sum(axis=1)[:, None])
