"""What a table of codes tells of its text without a label: repetitions, and how alike two corpora are.

Clusters are the surroundings of some hundred codes drawn from both tables together: every candidate belongs to the nearest.
Two corpora are alike as far as they fill the same clusters to the same share. What two random halves of one text would have is
printed beside it, because a large corpus fills more clusters than a small one, whatever it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.hamming import as_columns, nearest_in_columns
from relhash.scale.code_table import CodeTable

Codes = NDArray[np.uint64]

NEAR = 3
"""Bits in which near duplicates differ at most."""
MOST_SEARCHED = 20_000
"""Distinct codes whose nearest other code is looked for: all others of the table are searched, so more would take long."""
MOST_CLUSTERS, FEWEST_CLUSTERS = 256, 8
IN_A_CLUSTER = 16
"""Candidates of the smaller table for each cluster: with fewer, what is common is mostly chance."""
BLOCK = 4096


@dataclass(frozen=True)
class CodeOverview:
    """Repetitions in a table of codes.

    Attributes
    ----------
    repeated
        Candidates whose code another candidate has as well.
    looked_at, near
        Distinct codes whose nearest other was searched, and how many have one within :data:`NEAR` bits.
    median_distance
        From a code to the nearest other one.
    groups
        The largest groups of equal codes: how many, and the number of the first row.
    """

    candidates: int
    distinct: int
    repeated: int
    looked_at: int
    near: int
    median_distance: float
    groups: tuple[tuple[int, int], ...]

    def as_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "groups": [{"candidates": size, "row": row} for size, row in self.groups]}


@dataclass(frozen=True, eq=False)
class Alikeness:
    """How two tables fill the clusters of both together.

    Attributes
    ----------
    first, second
        The share of each table's candidates in each cluster.
    shared
        The share of clusters that both fill.
    overlap
        The part of their candidates that they have in common, cluster by cluster: 1 for equal shares, 0 for none.
    by_chance
        The overlap that random tables of these sizes from both together have.
    """

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    shared: float
    overlap: float
    by_chance: float

    def as_dict(self) -> dict[str, Any]:
        return {"clusters": len(self.first), "shared": self.shared, "overlap": self.overlap, "by_chance": self.by_chance}


def overview(table: CodeTable, *, groups: int = 5, random_state: int = 0) -> CodeOverview:
    """Count repetitions, and find the largest groups of equal codes."""
    distinct, first, counts = np.unique(table.codes, axis=0, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))[:groups]
    searched = _drawn(len(distinct), MOST_SEARCHED, random_state)
    nearest = np.empty(0, np.uint16)
    if len(distinct) > 1:  # the nearest is the code itself
        nearest = nearest_in_columns(distinct[searched], as_columns(distinct), 2)[0][:, 1]
    return CodeOverview(
        candidates=len(table),
        distinct=len(distinct),
        repeated=int(counts[counts > 1].sum()),
        looked_at=len(nearest),
        near=int((nearest <= NEAR).sum()),
        median_distance=float(np.median(nearest)) if len(nearest) else 0.0,
        groups=tuple((int(counts[row]), int(first[row])) for row in order if counts[row] > 1),
    )


def compare_codes(one: Codes, other: Codes, *, clusters: int | None = None, random_state: int = 0) -> Alikeness:
    """Fill clusters of both tables together, half of the centres drawn from each; how many depends on the smaller table."""
    clusters = clusters or min(MOST_CLUSTERS, max(FEWEST_CLUSTERS, min(len(one), len(other)) // IN_A_CLUSTER))
    rng = np.random.default_rng(random_state)
    centres = np.concatenate([codes[rng.permutation(len(codes))[: clusters // 2]] for codes in (one, other)])
    centres = as_columns(np.unique(centres, axis=0))
    member = np.concatenate([_members(one, centres), _members(other, centres)])
    cells, n = centres.shape[1], len(one)
    first, second = _shares(member[:n], cells), _shares(member[n:], cells)
    shuffled = member[rng.permutation(len(member))]
    chance = np.minimum(_shares(shuffled[:n], cells), _shares(shuffled[n:], cells)).sum()
    return Alikeness(
        first=first,
        second=second,
        shared=float(((first > 0) & (second > 0)).mean()),
        overlap=float(np.minimum(first, second).sum()),
        by_chance=float(chance),
    )


def _members(codes: Codes, centres: Codes) -> NDArray[np.int64]:
    blocks = (codes[start : start + BLOCK] for start in range(0, len(codes), BLOCK))
    return np.concatenate([nearest_in_columns(block, centres, 1)[1][:, 0] for block in blocks])


def _shares(members: NDArray[np.int64], cells: int) -> NDArray[np.float64]:
    return np.bincount(members, minlength=cells) / len(members)


def _drawn(n: int, most: int, random_state: int) -> Sequence[int] | NDArray[np.int64]:
    return np.arange(n) if n <= most else np.sort(np.random.default_rng(random_state).permutation(n)[:most])
