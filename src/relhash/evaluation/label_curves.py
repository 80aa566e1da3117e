"""What curves over numbers of labels say: differences between systems on the same draws, and what a label is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

__all__ = ["draw_differences", "label_efficiency"]

PLAIN = ("ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "kernel-svm")
"""Rivals that learn from the labels alone."""

_COMPARED = (
    ("NU+linear", "random+linear"),
    ("NU+forest", "random+forest"),
    ("NU+linear", "random-balanced+linear"),
    ("NU+forest", "random-balanced+forest"),
    ("NU+linear", "ngram-lr"),
    ("NU+forest", "ngram-lr"),
    ("NU+descriptors-linear", "ngram+descriptors-lr"),
    ("best", "ngram+descriptors-lr"),
    ("best", "descriptors-forest"),
    ("best", "kernel-svm"),
    ("best+prior", "best"),
    ("best+prior", "descriptors-forest"),
    ("best+prior", "descriptors-forest+prior"),
    ("best+prior", "ngram+descriptors-lr+prior"),
    ("best+contextual", "ngram+descriptors-lr"),
    ("best+contextual", "descriptors-forest"),
    ("best+contextual", "kernel-svm"),
)
_AT = (50, 100, 200, 500)


class LabelCell(Protocol):
    """What is needed of :class:`relhash.evaluation.finished_cells.Cell`."""

    system: str
    direction: str
    seed: int
    labels: int | None
    figures: dict[str, dict[str, Any]]


def draw_differences(cells: Sequence[LabelCell]) -> list[str]:
    """AUC of one system minus another, paired by draw, with the 95 % interval of the mean (Student's t over the draws).

    Each direction by itself and, where there are several, the mean of them.
    """
    auc = {(cell.system, cell.direction, cell.labels, cell.seed): float(cell.figures["all"]["auc"]) for cell in cells}
    directions = list(dict.fromkeys(cell.direction for cell in cells))
    draws = sorted({cell.seed for cell in cells})
    notes = []
    for first, second in _COMPARED:
        said = []
        for name, members in [*((one, [one]) for one in directions), *([("mean", directions)] if len(directions) > 1 else [])]:
            for labels in _AT:
                paired = []
                for draw in draws:
                    keys = [(direction, labels, draw) for direction in members]
                    if all({(first, *key), (second, *key)} <= auc.keys() for key in keys):
                        paired.append(np.mean([auc[first, *key] - auc[second, *key] for key in keys]))
                if len(paired) > 1:
                    said.append(f"{name} {labels} labels {_mean_interval(np.array(paired))}")
        if said:
            notes.append(f"AUC of {first} minus {second}, mean of {len(draws)} draws [95 %]: " + "; ".join(said))
    return notes


def label_efficiency(rows: Sequence[Mapping[str, Any]], at: int = 100) -> list[str]:
    """How many labels the best plain baseline, and n-grams, need for the AUC that ours has with ``at`` labels."""
    notes = []
    for direction in dict.fromkeys(row["direction"] for row in rows):
        here = [row for row in rows if row["direction"] == direction]
        best_plain, ngrams = (_highest(here, names) for names in (PLAIN, PLAIN[:1]))
        for ours in ("best+prior", "best+contextual", "best", "NU+linear"):
            for row in here:
                if (row["system"], row["labels"]) == (ours, at) and best_plain:
                    worth = f"{_worth(best_plain, row['auc'])} of the best plain baseline"
                    worth += f", {_worth(ngrams, row['auc'])} of n-grams" if ngrams else ""
                    notes.append(f"{direction}: {at} labels of {ours} (AUC {row['auc']:.3f}) are worth {worth}")
    return notes


def _highest(rows: Sequence[Mapping[str, Any]], systems: Sequence[str]) -> dict[int, float]:
    """The highest AUC of some systems by number of labels."""
    highest: dict[int, float] = {}
    for row in rows:
        if row["system"] in systems:
            highest[row["labels"]] = max(highest.get(row["labels"], 0.0), row["auc"])
    return highest


def _worth(curve: Mapping[int, float], auc: float) -> str:
    needed = labels_for(curve, auc)
    return f"more than {max(curve)}" if needed is None else f"about {needed:.0f}"


def labels_for(curve: Mapping[int, float], auc: float) -> float | None:
    """Number of labels at which a curve reaches an AUC, between its points on a logarithmic scale; None if it never does.

    >>> labels_for({100: 0.6, 400: 0.7}, 0.65)
    200.0
    """
    counts = sorted(curve)
    heights = np.maximum.accumulate([curve[count] for count in counts])
    if auc > heights[-1]:
        return None
    return float(np.round(np.exp(np.interp(auc, heights, np.log(counts))), 6))


def _mean_interval(differences: np.ndarray) -> str:
    from scipy.stats import t

    mean = differences.mean()
    half = float(t.ppf(0.975, differences.size - 1)) * differences.std(ddof=1) / np.sqrt(differences.size)
    return f"{mean:+.3f} [{mean - half:+.3f}, {mean + half:+.3f}]"
