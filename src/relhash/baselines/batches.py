"""Batches of sequences of about equal length, padded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relhash.baselines.encoding import MAX_DISTANCE, PADDING, EncodedSequences
from relhash.baselines.sequences import NOWHERE


@dataclass(frozen=True, eq=False)
class Batch:
    """Candidates side by side, the first axis; the second axis is the token, padded at the end.

    Attributes
    ----------
    rows
        Which candidates these are.
    vectors, symbols
        The vector of each word (zeros for a symbol), and the number of each symbol (0 for a word).
    positions
        Distance to each participant, as a number from 1; 0 where that participant does not show.
    tags, edges, heads
        As in :class:`~relhash.baselines.encoding.EncodedSequences`; without columns where syntax was not read.
    mask, lengths
        Which tokens are real, and how many.
    """

    rows: NDArray[np.int64]
    vectors: Tensor
    symbols: Tensor
    positions: Tensor
    tags: Tensor
    edges: Tensor
    heads: Tensor
    mask: Tensor
    lengths: Tensor


def make_batch(data: EncodedSequences, rows: NDArray[np.int64], dtype: torch.dtype = torch.float32) -> Batch:
    """The candidates ``rows`` as one batch."""
    starts, lengths = data.starts[rows], data.lengths[rows]
    longest = max(1, int(lengths.max(initial=0)))
    columns = np.arange(longest)
    real = columns < lengths[:, None]
    places = np.where(real, starts[:, None] + columns, 0)

    def padded(values: NDArray[np.int64], filler: int) -> Tensor:
        if not values.size:
            return torch.zeros((len(rows), 0), dtype=torch.long)
        return torch.from_numpy(np.where(real, values[places], filler))

    words = data.words[places]
    mask = torch.from_numpy(real)
    vectors = torch.from_numpy(data.vectors[words]).to(dtype) * mask[..., None]
    anchors = data.anchors[rows][:, None, :]
    distances = np.clip(columns[None, :, None] - anchors, -MAX_DISTANCE, MAX_DISTANCE) + MAX_DISTANCE + 1
    positions = np.where((anchors == NOWHERE) | ~real[..., None], PADDING, distances)
    return Batch(
        rows,
        vectors,
        torch.from_numpy(np.where(real, data.symbols[words], PADDING)),
        torch.from_numpy(positions),
        padded(data.tags, PADDING),
        padded(data.edges, PADDING),
        padded(data.heads, NOWHERE),
        mask,
        torch.from_numpy(np.maximum(lengths, 1)),
    )


def bucketed(
    data: EncodedSequences, rows: NDArray[np.int64], batch_size: int, rng: np.random.Generator | None = None
) -> Iterator[Batch]:
    """All of ``rows`` in batches of about equal length; in random composition and order where ``rng`` is given."""
    lengths = data.lengths[rows].astype(np.float64)
    if rng is not None:
        lengths += rng.uniform(0, 3, rows.size)  # not the same neighbours in every epoch
    order = rows[np.argsort(lengths, kind="stable")]
    parts = [order[start : start + batch_size] for start in range(0, rows.size, batch_size)]
    if rng is not None:
        parts = [parts[number] for number in rng.permutation(len(parts))]
    dtype: Any = torch.float32 if rng is not None else torch.float64
    for part in parts:
        yield make_batch(data, part, dtype)


def endless(data: EncodedSequences, rows: NDArray[np.int64], batch_size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of ``rows`` without end, a new random order each time round."""
    while True:
        yield from bucketed(data, rows, batch_size, rng)
