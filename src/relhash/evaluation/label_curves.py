"""What curves over numbers of labels say: what a label is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

PLAIN = ("ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "kernel-svm")
"""Rivals that learn from the labels alone."""


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
