"""Which split of the references makes the best bit: all of them when there are few, a Markov chain when there are many.

A split is a row of zeros and ones, a side for each reference. The first reference always lies on side 0: the other half of
the splits gives the same bits inverted. Every search sees the splits only through ``score``, so it serves every family of
hash functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError

__all__ = ["SEARCHES", "all_splits", "find_split", "mcmc_split", "random_split"]

Score = Callable[[NDArray[np.uint8]], NDArray[np.float64]]

SEARCHES = ("auto", "exhaustive", "mcmc", "random")
LARGEST_EXHAUSTIVE = 8  # above it "auto" samples: 127 splits are scored in a fraction of the kernel's time, 2^15 are not


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


def mcmc_split(
    score: Score, n_references: int, rng: np.random.Generator, *, n_steps: int | None = None, n_chains: int = 4
) -> tuple[NDArray[np.uint8], float]:
    """The best split met by Metropolis chains that move one reference to the other side at a time.

    The chains cool from accepting losses of about the spread of random splits to accepting none. They advance together, so
    that one call of ``score`` serves all of them.
    """
    if n_references < 3:
        split = all_splits(n_references)[0]
        return split, float(score(split[None])[0])
    n_steps = 20 * n_references if n_steps is None else n_steps
    current = np.stack([random_split(n_references, rng) for _ in range(n_chains)])
    values = score(current)
    temperature = max(float(values.std()), 1e-3)
    best = int(values.argmax())
    best_split, best_value = current[best].copy(), float(values[best])
    chains = np.arange(n_chains)
    for step in range(n_steps):
        proposed = current.copy()
        proposed[chains, rng.integers(1, n_references, n_chains)] ^= 1
        thresholds = np.log(rng.random(n_chains)) * temperature * (1 - step / n_steps)
        proposed_values = np.where(proposed.any(axis=1), score(proposed), -np.inf)
        accepted = proposed_values - values >= thresholds
        current[accepted], values[accepted] = proposed[accepted], proposed_values[accepted]
        best = int(values.argmax())
        if values[best] > best_value:
            best_split, best_value = current[best].copy(), float(values[best])
    return best_split, best_value


def find_split(search: str, score: Score, n_references: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], float]:
    """The split that ``search`` (one of ``SEARCHES``) chooses, and its score."""
    if search == "auto":
        search = "exhaustive" if n_references <= LARGEST_EXHAUSTIVE else "mcmc"
    if search == "mcmc":
        return mcmc_split(score, n_references, rng)
    if search == "random":
        split = random_split(n_references, rng)
        return split, float(score(split[None])[0])
    if search != "exhaustive":
        raise ParameterError(f"split={search!r} is not one of {', '.join(SEARCHES)}")
    splits = all_splits(n_references)
    values = score(splits)
    best = int(values.argmax())
    return splits[best], float(values[best])
