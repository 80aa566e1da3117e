"""Does a 95 % interval hold the true difference in 95 of 100 experiments?

    python benchmarks/interval_coverage.py [--experiments 400]

Two synthetic systems label synthetic documents. Documents differ in difficulty, seeds differ in luck, and a seed may be lucky
in some documents only; how much of each is what the worlds below vary. The true difference is that of very many documents and
seeds. Each experiment draws documents and seeds anew and asks for the interval of :mod:`relhash.show.significance`.
Beside it stand the two ways in which tables were made before: documents resampled alone, and Student's t over seeds. Writes
``results/interval_coverage.json`` and ``.png``.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from relhash.show.provenance import provenance
from relhash.show.significance import Sample, auc_sample, difference, f1_sample

RESULTS = Path(__file__).parent / "results"
CANDIDATES, SHARE = 12, 0.25
"""Candidates of a document, and the share of relations among them."""


@dataclass(frozen=True)
class World:
    """How much documents, systems in documents, seeds, and seeds in documents differ (in log-odds of being right).

    ``shared_luck`` is the part of a seed's luck that both systems have (shared codes); ``draws`` are draws of labels that share
    one code. A rival without seeds runs once.
    """

    name: str
    n_documents: int = 150
    n_seeds: int = 5
    n_draws: int = 1
    of_documents: float = 0.8
    of_systems: float = 0.3
    of_seeds: float = 0.1
    of_draws: float = 0.0
    of_both: float = 0.5
    shared_luck: float = 0.0
    rival_has_seeds: bool = True
    n_directions: int = 2
    figure: str = "f1"


WORLDS = (
    World("documents differ most", of_systems=1.0, of_seeds=0.05),
    World("seeds differ most", of_seeds=0.5, of_both=0.2),
    World("seeds differ most, 20 seeds", of_seeds=0.5, of_both=0.2, n_seeds=20),
    World("seeds and documents alike", of_seeds=0.25),
    World("lucky in single documents", of_seeds=0.05, of_both=1.5),
    World("seeds share their luck", of_seeds=0.5, shared_luck=0.8),
    World("two seeds", n_seeds=2, of_seeds=0.2),
    World("rival without seeds", of_seeds=0.3, rival_has_seeds=False),
    World(
        "few labels: 8 draws of 4 codes, AUC", n_documents=60, n_directions=1, n_seeds=4, n_draws=2, of_seeds=0.2, of_draws=0.3,
        figure="auc",
    ),
    World("one direction, 60 documents, 3 seeds", n_documents=60, n_seeds=3, of_seeds=0.3, n_directions=1),
)  # fmt: skip
SKILL = (1.2, 1.0)
"""Log-odds of the two systems to be right about a candidate."""


def one_direction(world: World, rng: np.random.Generator, luck: NDArray[np.float64]) -> list[Sample]:
    """Both systems on one test set; ``luck`` is ``(systems, runs)``, the same in all directions."""
    documents = np.repeat(np.arange(world.n_documents), CANDIDATES)
    prevalence = special.expit(special.logit(SHARE) + rng.normal(0, 0.5, world.n_documents))
    y = rng.uniform(size=documents.size) < prevalence[documents]
    difficulty = rng.normal(0, world.of_documents, world.n_documents)
    samples = []
    groups = np.repeat(np.arange(world.n_seeds), world.n_draws).tolist()
    for system in range(2):
        n_runs = len(groups) if system == 0 or world.rival_has_seeds else 1
        own = rng.normal(0, world.of_both, (n_runs, world.n_documents)) + rng.normal(0, world.of_systems, world.n_documents)
        right = SKILL[system] - difficulty[documents] + (luck[system, :n_runs, None] + own)[:, documents]
        if world.figure == "f1":
            is_right = rng.uniform(size=right.shape) < special.expit(right)
            samples.append(f1_sample(y, np.where(is_right, y, ~y), documents, groups[:n_runs]))
        else:
            scores = np.where(y, 1, -1) * right / 2 + rng.normal(size=right.shape)
            samples.append(auc_sample(y, scores, documents, groups[:n_runs]))
    return samples


def experiment(world: World, rng: np.random.Generator) -> list[list[Sample]]:
    """Both systems in all directions."""
    n_runs = world.n_seeds * world.n_draws
    shared = rng.normal(size=world.n_seeds)
    own = rng.normal(size=(2, world.n_seeds))
    of_seeds = world.of_seeds * (np.sqrt(world.shared_luck) * shared + np.sqrt(1 - world.shared_luck) * own)
    luck = np.repeat(of_seeds, world.n_draws, axis=1) + rng.normal(0, world.of_draws, (2, n_runs))
    if not world.rival_has_seeds:
        luck[1] = 0
    return [one_direction(world, rng, luck) for _ in range(world.n_directions)]


def true_difference(world: World) -> float:
    """That of very many documents and seeds."""
    rng = np.random.default_rng(0)
    many = replace(world, n_documents=2000, n_seeds=20, n_directions=1)
    values = []
    for _ in range(20):
        ((first, second),) = experiment(many, rng)
        ones = np.ones((1, many.n_documents))
        values.append(first.figures(ones).mean() - second.figures(ones).mean())
    return float(np.mean(values))


def documents_alone(tests: list[list[Sample]]) -> tuple[float, float]:
    """As tables had it before: the mean of the seeds at hand on resampled documents."""
    resampled = []
    for number, (first, second) in enumerate(tests):
        n = len(first.documents)
        weights = np.random.default_rng(number).multinomial(n, np.full(n, 1 / n), 500).astype(float)
        resampled.append(first.figures(weights).mean(axis=1) - second.figures(weights).mean(axis=1))
    low, high = np.quantile(np.mean(resampled, axis=0), [0.025, 0.975])
    return float(low), float(high)


def student(tests: list[list[Sample]]) -> tuple[float, float]:
    """As curves had it before: Student's t over runs, the test set taken as given."""
    ones = [np.ones((1, len(first.documents))) for first, _ in tests]
    by_run = np.mean([(a.figures(w) - b.figures(w))[0] for (a, b), w in zip(tests, ones, strict=True)], axis=0)
    half = stats.t.ppf(0.975, by_run.size - 1) * by_run.std(ddof=1) / np.sqrt(by_run.size)
    return float(by_run.mean() - half), float(by_run.mean() + half)


def coverage(world: World, n_experiments: int) -> dict[str, Any]:
    """How often each interval holds the true difference, and how wide it is."""
    truth = true_difference(world)
    rng = np.random.default_rng(1)
    held = {"seeds and documents": 0, "documents alone": 0, "t over seeds": 0}
    widths = dict.fromkeys(held, 0.0)
    for _ in range(n_experiments):
        tests = experiment(world, rng)
        found = difference([(first, second) for first, second in tests], n_resamples=400)
        intervals = {
            "seeds and documents": (found.low, found.high),
            "documents alone": documents_alone(tests),
            "t over seeds": student(tests),
        }
        for name, (low, high) in intervals.items():
            held[name] += low <= truth <= high
            widths[name] += (high - low) / n_experiments
    return {
        "world": world.name,
        "experiments": n_experiments,
        "true difference": truth,
        "coverage": {name: count / n_experiments for name, count in held.items()},
        "width": widths,
    }


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(9, 4.8), layout="constrained")
    axis.axvspan(93, 97, color="0.9", label="95 % ± 2")
    for name, marker, colour in (
        ("seeds and documents", "o", "C0"), ("documents alone", "x", "C3"), ("t over seeds", "+", "C1")
    ):  # fmt: skip
        axis.scatter([100 * row["coverage"][name] for row in rows], range(len(rows)), marker=marker, color=colour, label=name)
    axis.set_yticks(range(len(rows)), [row["world"] for row in rows])
    axis.invert_yaxis()
    axis.set_xlabel("experiments whose 95 % interval holds the true difference, in per cent")
    axis.legend(loc="lower left", fontsize=8)
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=400)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    rows = []
    for world in WORLDS:
        rows.append(coverage(world, given.experiments // (4 if world.figure == "auc" else 1)))  # AUC takes 20 times as long
        print(f"{world.name}: " + ", ".join(f"{name} {100 * c:.1f} %" for name, c in rows[-1]["coverage"].items()), flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    stored = {"made": provenance("none: simulated"), "rows": rows}
    (given.out / "interval_coverage.json").write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    draw(rows, given.out / "interval_coverage.png")


if __name__ == "__main__":
    main()
