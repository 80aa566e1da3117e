"""Eq. 1 on random data: the problem as the learner poses it."""

from __future__ import annotations

import copy

import numpy as np

from relhash.hashing.functions import NO_REFERENCE
from relhash.hashing.information import cluster_by_keys, n_log_n
from relhash.hashing.nearest import NearestResponses
from relhash.hashing.splits import SplitObjective, TermWeights


def objective(n_references, seed, n_points=400):
    """Eq. 1 on random data: the problem as the learner poses it."""
    rng = np.random.default_rng(seed)
    nearest = rng.choice(n_references, n_points, p=rng.dirichlet(np.ones(n_references))).astype(np.uint8)
    nearest[rng.random(n_points) < 0.05] = NO_REFERENCE
    weights = rng.integers(0, 3, (n_points, 2))
    clustering = cluster_by_keys(rng.integers(0, 12, n_points), weights)
    responses = NearestResponses(np.arange(n_references), nearest)
    rows = np.arange(n_points, dtype=np.int32)
    return SplitObjective(responses, clustering, rows, weights, n_log_n(int(weights.sum())), TermWeights())


def without_table(objective):
    """The same objective, as families see it that must pass over the points for each split."""
    objective = copy.copy(objective)
    objective.table = None
    return objective
