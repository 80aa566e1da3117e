"""What a network is trained on: encoded candidates with labels, part of them held out, and the target's without labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from relhash.baselines.batches import Batch, bucketed, endless
from relhash.baselines.encoding import EncodedSequences
from relhash.errors import ParameterError
from relhash.learning.folds import document_folds

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LearningTask:
    """The rows ``trained`` and ``held_out`` of ``data`` with labels ``y``; ``target`` is empty where none was given."""

    data: EncodedSequences
    y: NDArray[np.bool_]
    trained: Rows
    held_out: Rows
    target: EncodedSequences

    def loss(self) -> WeightedLoss:
        """The loss of the labels."""
        return WeightedLoss(self.y, self.trained)

    def batches(self, batch_size: int, rng: np.random.Generator) -> Iterator[Batch]:
        """The rows to train on, once."""
        return bucketed(self.data, self.trained, batch_size, rng)

    def target_batches(self, batch_size: int, rng: np.random.Generator) -> Iterator[Batch]:
        """The target without end, half a batch at a time: it stands beside a batch of the training text."""
        return endless(self.target, np.arange(len(self.target)), max(1, batch_size // 2), rng)


class WeightedLoss:
    """Logistic loss that weighs both classes alike."""

    def __init__(self, y: NDArray[np.bool_], trained: Rows) -> None:
        positive = max(1, int(y[trained].sum()))
        self.labels = torch.from_numpy(y.astype(np.float32))
        weights = np.where(y, trained.size / (2 * positive), trained.size / (2 * max(1, trained.size - positive)))
        self.weights = torch.from_numpy(weights.astype(np.float32))

    def __call__(self, logits: Tensor, batch: Batch) -> Tensor:
        return functional.binary_cross_entropy_with_logits(logits, self.labels[batch.rows], self.weights[batch.rows])


def hold_out(y: NDArray[np.bool_], documents: NDArray[Any], share: float, seed: int) -> tuple[Rows, Rows]:
    """Rows to train on and rows held out, by document; both hold both classes.

    >>> trained, held_out = hold_out(np.arange(40) % 4 == 0, np.repeat(np.arange(20), 2), 0.1, seed=0)
    >>> len(held_out), set(trained // 2).isdisjoint(held_out // 2)
    (4, True)
    """
    folds = document_folds(y, documents, round(1 / share), seed)
    usable = [(trained, held_out) for trained, held_out in folds if 0 < y[held_out].sum() < held_out.size]
    if not usable:
        raise ParameterError(
            f"{int(y.sum())} positive among {y.size} labelled candidates: too few to hold some out; at least 2 of each class"
        )
    return usable[0]
