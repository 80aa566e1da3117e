"""From the cells of a run to rows, notes, files and figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from relhash.baselines.registry import BASELINES
from relhash.evaluation.finished_cells import Cell
from relhash.evaluation.label_curves import draw_differences, label_efficiency
from relhash.evaluation.plots import bars, curves
from relhash.evaluation.runner import Run
from relhash.evaluation.significance import bootstrap_f1, mcnemar, mean_paired_f1
from relhash.evaluation.tables import aggregate, write_results
from relhash.learning.metrics import precision_recall_f1

__all__ = ["columns_of", "finish", "rows_of"]

_COMPARED = (
    ("KLSH-NU-RF", "random"),
    ("KLSH-NU-RF", "random-balanced"),
    ("random-balanced", "random"),
    ("one-sequence", "KLSH-NU-RF"),
    ("KLSH-NU-RF", "KLSH-RF"),
    ("KLSH-NU-RF", "KLSH-RF-100"),
    ("KLSH-NU-RF", "KLSH-NU-RF-inductive"),
    ("best", "best-inductive"),
    ("NLSH-NU-RF", "KLSH-NU-RF"),
    ("NLSH-NU-RF+views", "Adv-CNN"),
    ("KLSH-NU-RF+views", "Adv-CNN"),
    *(
        ("best", rival)
        for rival in ("ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "nystroem-lr", "kernel-svm", "KLSH-NU-RF")
    ),
    ("best+contextual", "best"),
    ("best+prior", "best"),
    ("best", "best/no-ngrams"),
    *(("best", rival) for rival in BASELINES),
)
"""Pairs of systems whose difference is tested where both have run."""


def rows_of(run: Run) -> list[dict[str, Any]]:
    """One row per system, direction and variant (and number of labels): means over seeds."""
    flat = []
    for cell in _pooled(run):
        for variant, figures in cell.figures.items():
            # the paper judges interactions, not whether a pair interacts at all
            paper = None if variant == "pairs" else run.system(cell.system).paper_f1.get(cell.direction)
            flat.append(
                {
                    "system": cell.system, "direction": cell.direction, "variant": variant, "seconds": cell.seconds,
                    "paper_f1": paper, "labels": cell.labels, **figures,
                }
            )  # fmt: skip
    by = ["system", "direction", "variant"] + (["labels"] if run.protocol.label_counts else [])
    rows = aggregate(flat, by)
    for row in rows:
        if not run.protocol.label_counts:
            row.pop("labels", None)
            interval = _interval(run, row["system"], row["direction"]) if row["variant"] == "all" else None
            row["f1_interval"] = interval
    return rows


def columns_of(run: Run) -> list[str]:
    """Columns of the table for people."""
    first = ["system", "direction", "labels"] if run.protocol.label_counts else ["system", "direction", "variant"]
    return [*first, "precision", "recall", "f1", "f1_oracle", "f1_at_half", "auc", "seconds", "paper_f1"]


def finish(run: Run, out: Path | None) -> tuple[list[dict[str, Any]], list[str]]:
    """Rows and notes; written with a figure to ``out`` if given."""
    rows = rows_of(run)
    notes = [*run.notes, *_differences(run), *_subset_tests(run)]
    if run.protocol.label_counts:
        notes += [*label_efficiency(rows), *draw_differences(run.cells)]
    notes += [f"{name}: {run.system(name).summary}" for name in dict.fromkeys(row["system"] for row in rows)]
    if out is not None:
        write_results(out, run.protocol.name, rows, notes, columns_of(run))
        figure = out / f"{run.protocol.name}.png"
        if run.protocol.label_counts:
            curves(rows, figure, title="AUC on the other corpus by number of labels (mean ± sd of draws)")
        else:
            bars([row for row in rows if row["variant"] == "all"], figure, title=run.protocol.summary)
    return rows, notes


def _pooled(run: Run) -> list[Cell]:
    """Cells with the folds of one direction and seed put together: F1 of all test candidates, not a mean of folds."""
    if run.protocol.split not in ("folds", "clusters"):
        return run.cells
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in run.cells:
        groups.setdefault((cell.system, cell.direction, cell.seed), []).append(cell)
    pooled = []
    for (system, direction, seed), members in groups.items():
        y, given = _labels(run, members)
        precision, recall, f1 = precision_recall_f1(y, given)
        means = {
            name: float(np.mean([cell.figures["all"][name] for cell in members]))
            for name in ("auc", "average_precision", "f1_oracle", "f1_at_half")
        }
        figures = {"all": {**means, "precision": precision, "recall": recall, "f1": f1}}
        pooled.append(Cell(system, direction, 0, seed, None, sum(c.seconds for c in members), figures, given))
    return pooled


def _labels(run: Run, members: Sequence[Cell]) -> tuple[Any, Any]:
    """Gold and given labels of the test candidates of these cells, one after the other."""
    by_place = {(task.direction, task.fold): task for task in run.tasks}
    gold = [run.dataset.y[by_place[cell.direction, cell.fold].test] for cell in members]
    return np.concatenate(gold), np.concatenate([cell.given for cell in members if cell.given is not None])


def _test_set(run: Run, system: str, direction: str) -> tuple[Any, Any, Any] | None:
    """Gold labels, labels given (one row per seed) and documents of one direction; nothing if the system did not run there."""
    own = [cell for cell in run.cells if cell.system == system and cell.direction == direction and cell.given is not None]
    if not own:
        return None
    seeds = sorted({cell.seed for cell in own})
    by_seed = [sorted((cell for cell in own if cell.seed == seed), key=lambda cell: cell.fold) for seed in seeds]
    given = np.stack([_labels(run, members)[1] for members in by_seed])
    folds = [cell.fold for cell in by_seed[0]]
    chosen = [task for task in run.tasks if task.direction == direction and task.fold in folds]
    rows = np.concatenate([task.test for task in sorted(chosen, key=lambda task: task.fold)])
    return run.dataset.y[rows], given, run.dataset.documents[rows]


def _interval(run: Run, system: str, direction: str) -> list[float] | None:
    found = _test_set(run, system, direction)
    if found is None:
        return None
    interval = bootstrap_f1(*found)
    return [round(interval.low, 4), round(interval.high, 4)]


def _differences(run: Run) -> list[str]:
    """Paired bootstrap of the pairs of systems that are worth it, over the mean of all directions and in each."""
    directions = list(dict.fromkeys(task.direction for task in run.tasks))
    notes = []
    for first, second in _COMPARED:
        tests, ran = [], []
        for direction in directions:
            one, other = _test_set(run, first, direction), _test_set(run, second, direction)
            if one is not None and other is not None:
                tests.append((one[0], one[1], other[1], one[2]))
                ran.append(direction)
        if not tests:
            continue
        whole = mean_paired_f1(tests)
        each = "; ".join(f"{direction} {_one_direction(test)}" for direction, test in zip(ran, tests, strict=True))
        notes.append(
            f"F1 of {first} minus {second}, mean of {len(tests)} directions, paired bootstrap by document: {whole}, "
            f"p = {whole.p_value:.3f} ({each})"
        )
    return notes


def _subset_tests(run: Run) -> list[str]:
    """Wilcoxon's signed-rank test of two systems over given subsets, as the paper pairs them."""
    if run.protocol.split != "subsets":
        return []
    from scipy.stats import wilcoxon

    f1 = aggregate(({"system": c.system, "fold": c.fold, **c.figures["all"]} for c in run.cells), ("system", "fold"))
    notes = []
    for pair in _COMPARED:
        values = [[row["f1"] for row in f1 if row["system"] == name] for name in pair]
        if values[0] and len(values[0]) == len(values[1]) and values[0] != values[1]:
            p_value = float(wilcoxon(*values).pvalue)
            notes.append(f"F1 of {pair[0]} against {pair[1]} over {len(values[0])} subsets, signed ranks: p = {p_value:.3f}")
    return notes


def _one_direction(test: tuple[Any, Any, Any, Any]) -> str:
    """The difference in one direction, and McNemar's test on the first seed of each system."""
    y, first, second, _ = test
    return f"{mean_paired_f1([test])}, McNemar p = {mcnemar(y, first[0], second[0]):.3f}"
