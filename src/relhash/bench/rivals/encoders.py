"""Layers that turn a batch of sequences into one feature vector a candidate: convolutions, recurrences, and both."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from relhash.bench.rivals.sequences import MAX_DISTANCE, NOWHERE, UNKNOWN, Encoding
from relhash.bench.rivals.training import Batch


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

    Parameters
    ----------
    encoding
        What is numbered.
    position_size
        Length of the embedding of the distance to each participant; 0 leaves positions out.
    syntax_size
        Length of the embeddings of part of speech and dependency label; 0 leaves them out.
    with_heads
        A second channel: the same of each word's dependency head (zeros where it has none), side by side.
    dropout
        Share of the numbers of a token's vector that are dropped in training.
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

    def __init__(
        self, embedding: TokenEmbedding, units: int, windows: Sequence[int], filters: int, *, bidirectional: bool = False
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.lstm = nn.LSTM(embedding.width, units, batch_first=True, bidirectional=bidirectional)
        self.pooled = MaxPooledWindows(units * (2 if bidirectional else 1), windows, filters)
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
