"""Batches of sequences of about equal length, and layers that turn a batch into one feature vector per candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from relhash.bench.rivals.sequences import MAX_DISTANCE, NOWHERE, PADDING, UNKNOWN, EncodedSequences, Encoding


@dataclass(frozen=True, eq=False)
class Batch:
    """Candidates side by side, the first axis; the second axis is the token, padded at the end.

    ``rows`` say which candidates these are. A word has its vector and symbol 0, a symbol a vector of zeros. ``positions`` are
    distances to each participant, numbered from 1, 0 where it does not show; ``mask`` says which tokens are real.
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


class PositionEmbedding(nn.Module):
    """Embeddings of the distance of each token to each of the participants."""

    def __init__(self, n_anchors: int, size: int) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(2 * MAX_DISTANCE + 2, size, padding_idx=0) for _ in range(n_anchors))
        self.width = n_anchors * size

    def forward(self, batch: Batch) -> list[Tensor]:
        return [table(batch.positions[:, :, anchor]) for anchor, table in enumerate(self.tables)]


class TokenEmbedding(nn.Module):
    """A vector a token: the frozen word vector or a learned one of the symbol, then positions, part of speech, dependency.

    A size of 0 leaves positions or syntax out. ``with_heads`` adds a second channel: the same of each word's dependency head
    (zeros where it has none), side by side.
    """

    def __init__(
        self,
        encoding: Encoding,
        *,
        position_size: int = 0,
        syntax_size: int = 0,
        with_heads: bool = False,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        words = encoding.vectors.dimensions
        self.with_heads = with_heads
        self.dropout = nn.Dropout(dropout)
        self.symbols = _embedding(len(encoding.symbols), words)
        self.positions = PositionEmbedding(encoding.n_anchors if position_size else 0, position_size)
        self.tags = _embedding(len(encoding.tags), syntax_size) if syntax_size else None
        self.edges = _embedding(len(encoding.edges), syntax_size) if syntax_size else None
        own = words + self.positions.width + 2 * syntax_size
        self.width = 2 * own if with_heads else own

    def forward(self, batch: Batch) -> Tensor:
        parts = [batch.vectors + self.symbols(batch.symbols), *self.positions(batch)]
        if self.tags is not None and self.edges is not None:
            parts += [self.tags(batch.tags), self.edges(batch.edges)]
        own = torch.cat(parts, dim=2)
        if self.with_heads:
            has_head = (batch.heads != NOWHERE)[..., None]
            places = batch.heads.clamp(min=0)[..., None].expand(-1, -1, own.shape[2])
            own = torch.cat([own, own.gather(1, places) * has_head], dim=2)
        return self.dropout(own) * batch.mask[..., None]


class Encoder(nn.Module):
    """Base of the encoders: ``forward(batch)`` gives ``(candidates, width)``."""

    width: int


class Convolution(Encoder):
    """Filters over windows of neighbouring tokens, each followed by its maximum over the sentence.

    ``bounded`` takes the hyperbolic tangent of it instead of its positive part.
    """

    def __init__(self, embedding: TokenEmbedding, windows: Sequence[int], filters: int, *, bounded: bool = False) -> None:
        super().__init__()
        self.embedding = embedding
        self.pooled = MaxPooledWindows(embedding.width, windows, filters, bounded=bounded)
        self.width = self.pooled.width

    def forward(self, batch: Batch) -> Tensor:
        return self.pooled(self.embedding(batch), batch.mask)


class Recurrence(Encoder):
    """LSTM over the tokens, in one or both directions.

    ``pooling`` is what is kept of its states: the ``"last"`` one of each direction, or the ``"max"`` over all of each unit.
    """

    def __init__(
        self, embedding: TokenEmbedding, units: int, *, bidirectional: bool = True, pooling: str = "max", layers: int = 1
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.pooling = pooling
        self.lstm = nn.LSTM(embedding.width, units, layers, batch_first=True, bidirectional=bidirectional)
        self.width = units * (2 if bidirectional else 1)

    def forward(self, batch: Batch) -> Tensor:
        states, last = lstm_states(self.lstm, self.embedding(batch), batch.lengths)
        if self.pooling == "last":
            return last
        return masked_max(states, batch.mask)


class RecurrentConvolution(Encoder):
    """LSTM over the tokens, convolutions over its states, each followed by its maximum over the sequence."""

    def __init__(self, embedding: TokenEmbedding, units: int, windows: Sequence[int], filters: int) -> None:
        super().__init__()
        self.embedding = embedding
        self.lstm = nn.LSTM(embedding.width, units, batch_first=True)
        self.pooled = MaxPooledWindows(units, windows, filters)
        self.width = self.pooled.width

    def forward(self, batch: Batch) -> Tensor:
        states, _ = lstm_states(self.lstm, self.embedding(batch), batch.lengths)
        return self.pooled(states, batch.mask)


class MaxPooledWindows(nn.Module):
    """Convolutions of several widths over (candidates, tokens, inputs), the maximum of each filter, rectified or bounded.

    Both functions are monotone, so they come after the maximum, where there is less to compute.
    """

    def __init__(self, inputs: int, windows: Sequence[int], filters: int, *, bounded: bool = False) -> None:
        super().__init__()
        self.bounded = bounded
        self.convolutions = nn.ModuleList(nn.Conv1d(inputs, filters, window) for window in windows)
        self.windows = tuple(windows)
        self.width = filters * len(self.windows)

    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:
        columns = inputs.transpose(1, 2)
        pooled = []
        for window, convolution in zip(self.windows, self.convolutions, strict=True):
            # zeros on both sides, one more on the right of an even window: a filter is centred on each token
            padded = functional.pad(columns, ((window - 1) // 2, window // 2))
            pooled.append(masked_max(convolution(padded).transpose(1, 2), mask))
        strongest = torch.cat(pooled, dim=1)
        return torch.tanh(strongest) if self.bounded else functional.relu(strongest)


def lstm_states(lstm: nn.LSTM, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """All states of the top layer, and its last ones (of both directions side by side), padding never read."""
    packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    states, (last, _) = lstm(packed)
    unpacked, _ = pad_packed_sequence(states, batch_first=True, total_length=inputs.shape[1])
    directions = 2 if lstm.bidirectional else 1
    return unpacked, torch.cat(list(last[-directions:]), dim=1)


def masked_max(states: Tensor, mask: Tensor) -> Tensor:
    """Maximum over the real tokens; zeros for a sequence without any."""
    filled = states.masked_fill(~mask[..., None], -torch.inf)
    return torch.where(mask.any(dim=1)[:, None], filled.amax(dim=1), torch.zeros((), dtype=states.dtype))


def _embedding(n_names: int, size: int) -> nn.Embedding:
    """Rows for padding, the unknown, and the names; as long as a word vector, which has length 1."""
    table = nn.Embedding(n_names + UNKNOWN + 1, size, padding_idx=0)
    with torch.no_grad():
        table.weight.mul_(size**-0.5)
    return table
