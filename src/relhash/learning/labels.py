"""Which candidates count as labelled, and with which label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.corpus.labels import unlabelled_pairs
from relhash.errors import ParameterError
from relhash.structures.candidates import Candidate

__all__ = ["draw_labelled", "has_label", "training_labels"]

AT_LEAST = 2
"""Labelled examples of each class in a draw, where there are so many: fewer cannot be cross-validated."""


def draw_labelled(y: ArrayLike, n: int, random_state: int) -> NDArray[np.int64]:
    """Indices of ``n`` candidates drawn at random, at least two of each class among them, in order.

    >>> y = np.arange(100) < 5
    >>> chosen = draw_labelled(y, 10, random_state=0)
    >>> len(chosen), int(y[chosen].sum()) >= 2
    (10, True)
    """
    labels = np.asarray(y).astype(bool)
    if n < 2 * AT_LEAST:
        raise ParameterError(f"labels: at least {2 * AT_LEAST} are needed, not {n}")
    if n >= labels.size:
        return np.arange(labels.size)
    order = np.random.default_rng(random_state).permutation(labels.size)
    first = np.concatenate([order[labels[order] == side][:AT_LEAST] for side in (True, False)])
    rest = order[~np.isin(order, first)]
    return np.sort(np.concatenate([first, rest[: n - first.size]]))


def has_label(candidates: Sequence[Candidate]) -> NDArray[np.bool_]:
    """Whether somebody has judged each candidate: a spreadsheet may list pairs whose label is still empty."""
    unlabelled = {id(candidate.document): unlabelled_pairs(candidate.document) for candidate in candidates}
    return np.array(
        [frozenset(m.id for m in candidate.mentions) not in unlabelled[id(candidate.document)] for candidate in candidates],
        bool,
    )


def training_labels(
    candidates: Sequence[Candidate], labels: int | Mapping[str, bool] | None, random_state: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Indices of the labelled candidates, and the label of every candidate (meaningless for the others)."""
    y = np.array([candidate.is_positive for candidate in candidates], bool)
    judged = np.flatnonzero(has_label(candidates))
    if labels is None:
        return judged, y
    if isinstance(labels, int):
        return judged[draw_labelled(y[judged], labels, random_state)], y
    keys = {candidate.key: number for number, candidate in enumerate(candidates)}
    unknown = [key for key in labels if key not in keys]
    if unknown:
        raise ParameterError(f"labels: there is no candidate {unknown[0]!r} in the training text")
    chosen = np.array(sorted(keys[key] for key in labels), np.int64)
    for key, label in labels.items():
        y[keys[key]] = bool(label)
    return chosen, y
