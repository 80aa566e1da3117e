"""What is new in a text: clusters of its pairs that an indexed text, such as the labelled one, never fills.

Clusters are the surroundings of some hundred codes drawn from both texts together: every pair belongs to the nearest. Two texts
are alike as far as they fill the same clusters to the same share. What two random halves of one text would have is printed
beside it, because a large text fills more clusters than a small one, whatever it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, build_structures
from relhash.files import replacing
from relhash.hashing.hamming import Codes, as_columns, nearest_in_columns
from relhash.model.index import Index

MOST_CLUSTERS, FEWEST_CLUSTERS = 256, 8
IN_A_CLUSTER = 16
"""Pairs of the smaller text for each cluster: with fewer, what is common is mostly chance."""
EXAMPLES = 3
BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Novelty:
    """How two texts fill the clusters of both together: ``known`` and ``new`` are the shares of their pairs in each cluster."""

    known: NDArray[np.float64]
    new: NDArray[np.float64]
    overlap: float
    """The part of their pairs that they have in common, cluster by cluster: 1 for equal shares."""
    by_chance: float
    """What random texts of these sizes from both together have."""
    cluster: NDArray[np.int64]
    distance: NDArray[np.uint16]
    """Of each pair of the new text: its cluster, and the bits between it and the middle of that."""

    @property
    def unfilled(self) -> list[int]:
        """Clusters of the new text without a pair of the known one, the largest first."""
        found = np.flatnonzero((self.known == 0) & (self.new > 0))
        return [int(one) for one in found[np.argsort(-self.new[found], kind="stable")]]

    @property
    def is_new(self) -> NDArray[np.bool_]:
        """Whether each pair of the new text lies in such a cluster."""
        return np.isin(self.cluster, self.unfilled)

    def as_dict(self, sentence: Callable[[int], str]) -> dict[str, Any]:
        """What is written as JSON; ``sentence`` gives the marked text of a pair."""
        clusters = [
            {"share": float(self.new[one]), "examples": [sentence(row) for row in self.examples(one)]} for one in self.unfilled
        ]
        shares = {"overlap": self.overlap, "by_chance": self.by_chance, "share_in_new_clusters": float(self.is_new.mean())}
        return {"clusters": len(self.new), **shares, "new_clusters": clusters}

    def examples(self, cluster: int, n: int = EXAMPLES) -> list[int]:
        """The pairs nearest to the middle of a cluster, one per distance first."""
        rows = np.flatnonzero(self.cluster == cluster)
        return [int(row) for row in rows[np.argsort(self.distance[rows], kind="stable")][:n]]


def what_is_new(index: Index, pairs: list[Candidate]) -> Novelty:
    """Compare the pairs of a text (:meth:`~relhash.model.index.Index.pairs`) with those of an index."""
    codes = index.hashed(build_structures(pairs, index.views))
    return compare(np.concatenate([part.columns.T for part in index.parts]), codes)


def compare(known: Codes, new: Codes, *, random_state: int = 0) -> Novelty:
    """Fill clusters of both texts together, half of the centres drawn from each; how many depends on the smaller text."""
    clusters = min(MOST_CLUSTERS, max(FEWEST_CLUSTERS, min(len(known), len(new)) // IN_A_CLUSTER))
    rng = np.random.default_rng(random_state)
    centres = np.concatenate([codes[rng.permutation(len(codes))[: clusters // 2]] for codes in (known, new)])
    centres = as_columns(np.unique(centres, axis=0))
    cells, n = centres.shape[1], len(known)
    _, of_known = _members(known, centres)
    distance, of_new = _members(new, centres)
    first, second = _shares(of_known, cells), _shares(of_new, cells)
    shuffled = rng.permutation(np.concatenate([of_known, of_new]))
    chance = np.minimum(_shares(shuffled[:n], cells), _shares(shuffled[n:], cells)).sum()
    return Novelty(first, second, float(np.minimum(first, second).sum()), float(chance), of_new, distance)


def draw_novelty(found: Novelty, names: tuple[str, str], path: Path) -> None:
    """One bar per cluster, up for one text and down for the other; clusters that only one of them has stand at the ends."""
    from matplotlib.figure import Figure

    order = np.argsort(found.new - found.known, kind="stable")
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(order))
    up, down = 100 * found.known[order], -100 * found.new[order]
    axes.bar(places, up, width=1, color="#4477aa", label=names[0])
    axes.bar(places, down, width=1, color="#ee6677", label=names[1])
    for side in (1, -1):
        axes.step(places, side * np.minimum(up, -down), where="mid", color="black", linewidth=0.8)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.set_xlim(-0.5, len(order) - 0.5)
    axes.set_xlabel(f"{len(order)} clusters of codes, ordered by which text fills them more (black: common to both)")
    axes.set_ylabel("% of its pairs")
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set_title(f"In common: {found.overlap:.0%} of the pairs (by chance {found.by_chance:.0%})", loc="left", fontsize=10)
    axes.legend(frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    with replacing(path, "wb") as handle:
        figure.savefig(handle, format=path.suffix.lower().removeprefix(".") or "png", dpi=150)


def _members(codes: Codes, centres: Codes) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    blocks = [nearest_in_columns(codes[start : start + BLOCK], centres, 1) for start in range(0, len(codes), BLOCK)]
    return np.concatenate([near[:, 0] for near, _ in blocks]), np.concatenate([cell[:, 0] for _, cell in blocks])


def _shares(members: NDArray[np.int64], cells: int) -> NDArray[np.float64]:
    return np.bincount(members, minlength=cells) / len(members)
