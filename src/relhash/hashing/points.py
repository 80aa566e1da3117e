"""What the learner counts: distinct candidates, each with the number of training and target candidates it stands for.

Two candidates that look the same in every view get the same bit from every hash function. They are therefore one *point*,
computed once and counted as often as it occurs.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError, RelHashWarning


@dataclass(frozen=True, eq=False)
class Points:
    """Distinct candidates.

    Attributes
    ----------
    weights
        ``(points, kinds)``: how many target candidates, training candidates, and labelled training candidates of each class a
        point stands for.
    first
        One candidate for each point.
    of_candidate
        The point of each candidate.
    """

    weights: NDArray[np.int64]
    first: NDArray[np.int64]
    of_candidate: NDArray[np.int64]

    @property
    def n_candidates(self) -> int:
        return int(self.weights[:, :2].sum())

    def __len__(self) -> int:
        return int(self.first.size)

    def warn_if_alike(self) -> None:
        """Say so where all candidates are one point, which no function can divide."""
        if len(self) == 1 and self.n_candidates > 1:
            warnings.warn(
                f"all {self.n_candidates:,} candidates are the same to the kernel, so all bits are constant and tell nothing "
                "apart; check the data, or compare other views",
                RelHashWarning,
                stacklevel=5,
            )

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[NDArray[np.integer]],
        membership: NDArray[np.int64],
        classes: NDArray[np.int64] | None = None,
        n_classes: int = 0,
    ) -> Points:
        """Merge candidates that have the same structure in all views.

        Parameters
        ----------
        rows
            A view: the number of each candidate's structure in it.
        membership
            x: 1 for training candidates, 0 for target candidates.
        classes
            y: the class of each candidate, -1 where there is no label.

        >>> points = Points.from_rows([np.array([0, 0, 1])], np.array([1, 0, 1]))
        >>> points.weights.tolist()
        [[1, 1], [0, 1]]
        """
        key = np.asarray(rows[0], np.int64)
        for more in rows[1:]:
            _, key = np.unique(key, return_inverse=True)  # keeps the product below within 63 bits
            key = key * (int(more.max(initial=0)) + 1) + more
        _, first, index = np.unique(key, return_index=True, return_inverse=True)
        weights = np.zeros((first.size, 2 + n_classes), np.int64)
        np.add.at(weights, (index, np.asarray(membership, np.int64)), 1)
        if classes is not None:
            labelled = np.flatnonzero(classes >= 0)
            np.add.at(weights, (index[labelled], 2 + classes[labelled]), 1)
        return cls(weights, first.astype(np.int64), index.astype(np.int64))


def label_columns(y: Any, n_target: int) -> tuple[NDArray[np.int64], int]:
    """Class numbers of training candidates followed by ``n_target`` unlabelled ones; None and NaN mean: no label.

    >>> label_columns(["yes", None, "no"], 1)
    (array([ 1, -1,  0, -1]), 2)
    """
    values = np.asarray(y, dtype=object)
    labelled = np.array([value is not None and value == value for value in values], bool)  # NaN differs from itself
    classes = np.full(values.size + n_target, -1, np.int64)
    known = np.array([value for value, keep in zip(values, labelled, strict=True) if keep])
    names, numbers = np.unique(known, return_inverse=True)
    classes[np.flatnonzero(labelled)] = numbers
    return classes, int(names.size)


def known_classes(y: Any, n_train: int, n_target: int) -> tuple[NDArray[np.int64], int]:
    """:func:`label_columns` of the labels that a fit with labels must have been given, one per training candidate."""
    if y is None:
        raise ParameterError("supervised_weight needs labels: fit(X, y)")
    if len(np.asarray(y)) != n_train:
        raise ParameterError(f"y has {len(np.asarray(y))} labels for {n_train} candidates")
    return label_columns(y, n_target)


def membership_of(n_train: int, n_target: int | None, target_share: float, seed: np.random.SeedSequence) -> NDArray[np.int64]:
    """x: 1 for training candidates, 0 for target candidates; without a target a random share plays its part."""
    if n_target is not None:
        return (np.arange(n_train + n_target) < n_train).astype(np.int64)
    membership = np.ones(n_train, np.int64)
    rng = np.random.default_rng(seed)
    membership[rng.choice(n_train, int(target_share * n_train), replace=False)] = 0
    return membership
