"""From the cells of a run to rows, notes, files and figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from relhash.evaluation.comparisons import WITH_ALL_LABELS, Comparison, comparisons, f1_interval, judged
from relhash.evaluation.finished_cells import Cell
from relhash.evaluation.label_curves import label_efficiency
from relhash.evaluation.plots import bars, curves
from relhash.evaluation.provenance import provenance
from relhash.evaluation.run import Run
from relhash.evaluation.tables import aggregate, write_results
from relhash.learning.metrics import precision_recall_f1


def rows_of(run: Run) -> list[dict[str, Any]]:
    """One row per system, direction and variant (and number of labels): means over seeds."""
    flat = []
    for cell in _pooled(run):
        for variant, figures in cell.figures.items():
            # the paper judges interactions among its candidates, not whether a pair interacts at all
            paper = None if variant in ("pairs", "stated", "any-word") else run.system(cell.system).paper_f1.get(cell.direction)
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
            found = f1_interval(run, row["system"], row["direction"]) if row["variant"] == "all" else None
            row["f1_interval"] = None if found is None else [round(found.low, 4), round(found.high, 4)]
    return rows


def columns_of(run: Run) -> list[str]:
    """Columns of the table for people."""
    first = ["system", "direction", "labels"] if run.protocol.label_counts else ["system", "direction", "variant"]
    return [*first, "precision", "recall", "f1", "f1_oracle", "f1_at_half", "auc", "seconds", "paper_f1"]


def finish(run: Run, out: Path | None) -> tuple[list[dict[str, Any]], list[str]]:
    """Rows and notes; written with a figure to ``out`` if given."""
    rows = rows_of(run)
    compared = list(comparisons(run))
    notes = [*run.notes, *_said(compared), *_subset_tests(run)]
    if run.protocol.label_counts:
        notes += label_efficiency(rows)
    notes += [f"{name}: {run.system(name).summary}" for name in dict.fromkeys(row["system"] for row in rows)]
    if out is not None:
        made = _made(run, out / f"{run.protocol.name}.json")
        differences = [comparison.as_dict() for comparison in compared]
        write_results(out, run.protocol.name, rows, notes, columns_of(run), made=made, differences=differences)
        figure = out / f"{run.protocol.name}.png"
        if run.protocol.label_counts:
            curves(rows, figure, title="AUC on the other corpus by number of labels (mean ± sd of draws)")
        else:
            bars([row for row in rows if row["variant"] == "all"], figure, title=run.protocol.summary)
    return rows, notes


def _made(run: Run, file: Path) -> dict[str, Any]:
    """Who made the results; a run that is read from its files leaves what its results say of that."""
    known = json.loads(file.read_text(encoding="utf-8")).get("made") if run.dataset is None and file.exists() else None
    return known or provenance(run.parsed_by, [cell.made for cell in run.cells])


def _pooled(run: Run) -> list[Cell]:
    """Cells with the folds of one direction and seed put together: F1 of all test candidates, not a mean of folds."""
    if run.protocol.split not in ("folds", "clusters"):
        return run.cells
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in run.cells:
        groups.setdefault((cell.system, cell.direction, cell.seed), []).append(cell)
    pooled = []
    for (system, direction, seed), members in groups.items():
        own = judged(replace(run, cells=members), system, direction)
        if own is None:
            continue
        precision, recall, f1 = precision_recall_f1(own.y, own.given[0])
        means = {
            name: float(np.mean([cell.figures["all"][name] for cell in members]))
            for name in ("auc", "average_precision", "f1_oracle", "f1_at_half")
        }
        figures = {"all": {**means, "precision": precision, "recall": recall, "f1": f1}}
        pooled.append(Cell(system, direction, 0, seed, None, sum(c.seconds for c in members), figures, own.given[0]))
    return pooled


def _said(compared: Sequence[Comparison]) -> list[str]:
    """One line for each pair of systems."""
    said: dict[tuple[str, str], list[Comparison]] = {}
    for one in compared:
        said.setdefault((one.first, one.second), []).append(one)
    names = {"f1": "F1", "auc": "AUC"}
    return [
        f"{names[own[0].figure]} of {first} minus {second}, {own[0].found.resampled} resampled together: "
        + "; ".join(map(str, own))
        for (first, second), own in said.items()
    ]


def _subset_tests(run: Run) -> list[str]:
    """Wilcoxon's signed-rank test of two systems over given subsets, as the paper pairs them."""
    if run.protocol.split != "subsets":
        return []
    from scipy.stats import wilcoxon

    f1 = aggregate(({"system": c.system, "fold": c.fold, **c.figures["all"]} for c in run.cells), ("system", "fold"))
    notes = []
    for pair in WITH_ALL_LABELS:
        values = [[row["f1"] for row in f1 if row["system"] == name] for name in pair]
        if values[0] and len(values[0]) == len(values[1]) and values[0] != values[1]:
            p_value = float(wilcoxon(*values).pvalue)
            notes.append(f"F1 of {pair[0]} against {pair[1]} over {len(values[0])} subsets, signed ranks: p = {p_value:.3f}")
    return notes
