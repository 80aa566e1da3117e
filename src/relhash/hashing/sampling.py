"""Where the references of the next function come from (Algorithm 1).

While the code is short, from everywhere; then from inside one cluster that mixes training and target candidates well,
because bits that cut such clusters raise H(x | c_prev). Neither fails: a cluster that is too small is passed over, and when
none is left the draw is global.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clusters


@dataclass(frozen=True, eq=False)
class Draw:
    """Places of the structures that will be references, and where they were found.

    ``cluster_size`` and ``cluster_entropy`` are None for a global draw.
    """

    places: NDArray[np.int64]
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


def sample_globally(everywhere: NDArray[np.int64] | int, n_references: int, rng: np.random.Generator) -> Draw:
    """References from all distinct structures; fewer than asked for when there are fewer."""
    n_structures = everywhere if isinstance(everywhere, int) else everywhere.size
    return Draw(rng.choice(everywhere, min(n_references, n_structures), replace=False))


def sample_locally(
    clusters: Clusters,
    members: Callable[[int], NDArray[np.int64]],
    everywhere: NDArray[np.int64] | int,
    n_references: int,
    rng: np.random.Generator,
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
    """
    sizes, weighted = clusters.sizes, clusters.weighted_entropies
    large = clusters.n_points >= n_references
    weights = np.where(large, weighted, 0.0)
    if not weights.any():  # only pure clusters: the large ones still need cutting
        weights = np.where(large, sizes, 0).astype(np.float64)
    for cluster in _in_random_order(weights, rng).tolist():
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
