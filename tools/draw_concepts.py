"""Draw the method's ideas on points of the plane, as our own learner sees them: ``python tools/draw_concepts.py OUT.png``.

After the concept figures of Garg et al. 2019: references drawn from everywhere, clusters, references drawn inside the one in
which both texts mix most, the other clusters that this function splits, and a split that carries over beside one that does not.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from relhash.files import replacing
from relhash.hashing import HashcodeLearner
from relhash.hashing.information import cluster_by_bits, entropy

TRAIN, TARGET, SIDES = "#0072B2", "#D55E00", ("#f6e3d3", "#d6e6f2")
Floats = NDArray[np.float64]


def clouds(seed: int = 4) -> tuple[Floats, Floats]:
    """Two texts: some kinds of sentences are common to both, some are of one alone."""
    rng = np.random.default_rng(seed)

    def around(*centres: tuple[float, float]) -> Floats:
        return np.concatenate([rng.normal(centre, 0.42, (45, 2)) for centre in centres])

    return around((0, 0), (2.2, 1.9), (-2.2, 1.8)), around((0.2, -0.2), (2.4, 1.6), (0.4, -2.6))


def sides_of(points: Floats, references: Floats, split: NDArray[Any]) -> NDArray[Any]:
    nearest = ((points[:, None] - references[None]) ** 2).sum(axis=2).argmin(axis=1)
    return np.asarray(split)[nearest]


def show(axis: Any, train: Floats, target: Floats, references: Floats | None, split: NDArray[Any] | None, title: str) -> None:
    """The points of both texts, the half-planes of a function behind them, its references on top."""
    if references is not None and split is not None:
        grid = np.stack(np.meshgrid(np.linspace(-4, 4.2, 240), np.linspace(-4.2, 3.6, 240)), axis=-1)
        filled = sides_of(grid.reshape(-1, 2), references, split).reshape(240, 240)
        axis.contourf(grid[..., 0], grid[..., 1], filled, levels=[-0.5, 0.5, 1.5], colors=SIDES)
    axis.scatter(*train.T, s=13, color=TRAIN, label="labelled text", linewidths=0)
    axis.scatter(*target.T, s=16, color=TARGET, marker="^", label="text to read", linewidths=0)
    if references is not None and split is not None:
        for reference, side in zip(references, split, strict=True):
            axis.scatter(*reference, s=120, marker="s" if side else "o", facecolor="white", edgecolor="black", zorder=3)
            axis.text(*reference, str(int(side)), ha="center", va="center", fontsize=8, zorder=4)
    axis.set_title(title, fontsize=9.5)
    axis.set_xlim(-4, 4.2)
    axis.set_ylim(-4.2, 3.6)
    axis.set_xticks([])
    axis.set_yticks([])


def joint_entropy(train: Floats, target: Floats, references: Floats, split: NDArray[Any]) -> float:
    """H(x, c) of Eq. 1 in nats."""
    counts = [[np.sum(sides_of(points, references, split) == side) for side in (0, 1)] for points in (train, target)]
    return float(entropy(np.array(counts, float).ravel()))


def draw(path: Path) -> None:
    train, target = clouds()
    points = np.concatenate([train, target])
    settings: dict[str, Any] = {"hash_function": "nearest", "kernel": "rbf", "deletion_share": 0.0, "random_state": 3}
    learner = HashcodeLearner(8, n_references=4, n_cluster_bits=3, **settings).fit(train, target=target)
    first = learner.functions_[0]
    bits = np.stack([function.hash(points) for function in learner.functions_[:3]]).astype(np.uint8)
    weights = np.stack([np.arange(len(points)) >= len(train), np.arange(len(points)) < len(train)], axis=1).astype(np.int64)
    clusters = cluster_by_bits(bits, np.arange(3), weights)
    chosen = int(np.argmax(clusters.weighted_entropies))
    inside = clusters.cells == chosen
    own_train, own_target = points[inside & (weights[:, 1] > 0)], points[inside & (weights[:, 0] > 0)]
    local = HashcodeLearner(1, n_references=4, sampling="global", **settings).fit(own_train, target=own_target).functions_[0]
    references = np.asarray(local.references)
    splits = [np.array((0, *rest)) for rest in product((0, 1), repeat=len(references) - 1) if any(rest)]
    best, worst = (pick(splits, key=lambda split: joint_entropy(train, target, references, split)) for pick in (max, min))

    figure = Figure(figsize=(11, 7.2), layout="constrained", dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 3).ravel()
    show(axes[0], train, target, np.asarray(first.references), first.split, "1. Global: references from everywhere")
    show(axes[1], train, target, None, None, "2. Three bits cut the points into clusters")
    for cell in range(clusters.n_clusters):
        own = points[clusters.cells == cell]
        axes[1].scatter(*own.T, s=95, facecolor="none", edgecolor=f"C{cell}", linewidths=0.8)
    show(axes[2], own_train, own_target, references, local.split, "3. Local: references from the cluster that mixes most")
    sides = sides_of(points, references, local.split)
    others = [cell for cell in range(clusters.n_clusters) if cell != chosen]
    cut = [cell for cell in others if 0 < sides[clusters.cells == cell].mean() < 1]
    show(axes[3], train, target, references, local.split, f"4. It splits other clusters, too: {len(cut)} of {len(others)}")
    for cell in cut:
        own = points[clusters.cells == cell]
        axes[3].scatter(*own.T, s=95, facecolor="none", edgecolor=f"C{cell}", linewidths=0.8)
    for axis, split, said in ((axes[4], best, "5. A split that carries over"), (axes[5], worst, "6. One that does not")):
        value = joint_entropy(train, target, references, split)
        show(axis, train, target, references, split, f"{said}: H(x, c) = {value:.2f}")
    axes[0].legend(frameon=False, fontsize=8, loc="lower left")
    with replacing(path, "wb") as handle:
        figure.savefig(handle, format="png")


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
