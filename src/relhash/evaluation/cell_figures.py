"""The figures of one cell: over all candidates of a test set, and over what else a protocol counts by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.protocols import Task
from relhash.learning.metrics import f1_score, measure


def figures_of(
    dataset: Dataset,
    task: Task,
    masks: Mapping[str, NDArray[np.bool_]],
    scores: NDArray[np.float64],
    labels: NDArray[np.bool_],
) -> dict[str, dict[str, Any]]:
    """By variant: each of ``masks`` (which candidates count), and, where the data has them, pairs, all that is stated, and
    interactions whatever their word."""
    y = dataset.y[task.test]
    figures = {}
    for variant, mask in masks.items():
        figures[variant] = measure(y[mask], scores[mask], labels[mask]).as_dict()
        figures[variant]["f1_at_half"] = f1_score(y[mask], scores[mask] >= 0.5)
    if dataset.pairs is not None:
        figures["pairs"] = measure(*by_pair(dataset.pairs[task.test], y, scores, labels)).as_dict()
    if dataset.unreached:
        unreached = dataset.unreached.get(task.fold, 0)
        figures["stated"] = measure(*with_unreached(unreached, y, scores, labels)).as_dict()
    if (wordless := dataset.any_word) is not None:
        said = by_pair(wordless.numbers[task.test], wordless.stated[task.test], scores, labels)
        figures["any-word"] = measure(*with_unreached(wordless.unreached.get(task.fold, 0), *said)).as_dict()
    return figures


def by_pair(
    pairs: NDArray[np.int64], y: NDArray[np.bool_], scores: NDArray[np.float64], labels: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Gold, scores and labels of pairs: a pair is related if one of its candidates is, and as likely as the likeliest.

    ``pairs`` has the number of each candidate's pair, or of anything else that several candidates are about.
    """
    _, rows = np.unique(pairs, return_inverse=True)
    gold, given = np.zeros(rows.max() + 1, bool), np.zeros(rows.max() + 1, bool)
    best = np.full(rows.max() + 1, -np.inf)
    np.logical_or.at(gold, rows, y)
    np.logical_or.at(given, rows, labels)
    np.maximum.at(best, rows, scores)
    return gold, best, given


def with_unreached(
    unreached: int, y: NDArray[np.bool_], scores: NDArray[np.float64], labels: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Gold, scores and labels with so many relations more that are stated and were never found."""
    lowest = np.full(unreached, min(scores.min(initial=0.0), 0.0) - 1.0)
    return np.append(y, np.ones(unreached, bool)), np.append(scores, lowest), np.append(labels, np.zeros(unreached, bool))
