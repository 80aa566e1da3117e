"""Where the references of the next function come from (Algorithm 1).

While the code is short, from everywhere; then from inside one cluster that mixes training and target candidates well,
because bits that cut such clusters raise H(x | c_prev). Neither fails: a cluster that is too small is passed over, and when
none is left the draw is global.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clustering

__all__ = ["Draw", "distinct_points", "sample_globally", "sample_locally"]


@dataclass(frozen=True, eq=False)
class Draw:
    """Points that will be references, and where they were found.

    ``cluster_size`` and ``cluster_entropy`` are None for a global draw.
    """

    points: NDArray[np.int64]
    cluster_size: int | None = None
    cluster_entropy: float | None = None


def distinct_points(rows: NDArray[np.int32], among: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """One point for each distinct structure: duplicates count as weight, never in the draw.

    >>> distinct_points(np.array([0, 1, 0, 2])).tolist()
    [0, 1, 3]
    """
    if among is None:
        return np.unique(rows, return_index=True)[1]
    return among[np.unique(rows[among], return_index=True)[1]]


def sample_globally(distinct: NDArray[np.int64], n_references: int, rng: np.random.Generator) -> Draw:
    """References from all distinct structures; fewer than asked for when there are fewer."""
    return Draw(rng.choice(distinct, min(n_references, distinct.size), replace=False))


def sample_locally(
    clustering: Clustering,
    rows: NDArray[np.int32],
    distinct: NDArray[np.int64],
    n_references: int,
    rng: np.random.Generator,
) -> Draw:
    """References from one cluster, drawn with probability ∝ size · entropy(x) among those with enough distinct structures.

    Parameters
    ----------
    clustering
        The cells of ζ bits of the code.
    rows
        The structure of each point in the view the references are drawn for.
    distinct
        :func:`distinct_points` of the view, for the global draw when no cluster is large enough.
    """
    sizes, weighted = clustering.sizes, clustering.weighted_entropies
    large = np.bincount(clustering.cells, minlength=clustering.n_clusters) >= n_references
    weights = np.where(large, weighted, 0.0)
    if not weights.any():  # only pure clusters: the large ones still need cutting
        weights = np.where(large, sizes, 0).astype(np.float64)
    for cluster in _in_random_order(weights, rng):
        members = distinct_points(rows, np.flatnonzero(clustering.cells == cluster))
        if members.size >= n_references:
            chosen = rng.choice(members, n_references, replace=False)
            return Draw(chosen, int(sizes[cluster]), float(weighted[cluster] / max(sizes[cluster], 1)))
    return sample_globally(distinct, n_references, rng)


def _in_random_order(weights: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices of positive weights, each next one drawn in proportion to the weights that are left (exponential races)."""
    arrivals = rng.exponential(size=weights.size)
    positive = np.flatnonzero(weights > 0)
    return positive[np.argsort(arrivals[positive] / weights[positive], kind="stable")]
