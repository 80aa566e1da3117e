"""The layout on which the compiled path kernel works: sequences of similar length side by side, references in one table.

A batch holds as many sequences as a vector register has lanes, token by token: first the first tokens of all of them, then the
second ones. Sorting by length keeps the padding small. The pad token is similar to nothing, so padded steps
add zeros and a sequence's result does not depend on its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import PathSet
from relhash.compilation import compiled
from relhash.kernels.words import VocabularySimilarity

POSITIONS_A_BLOCK = 8
"""Positions of a reference are padded to a multiple of this: the register transposes work on 8 × 8 blocks."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Sequences in lanes.

    Attributes
    ----------
    tokens
        Token ids; batch ``b`` is ``tokens[starts[b]:]``, ``steps[b]`` rows of ``lanes`` ids.
    starts, steps
        Where each batch begins, and the length of its longest sequence.
    order
        Sequence in each lane: ``order[b * lanes + lane]``, −1 in the unused lanes of the last batch.
    lanes
        Sequences side by side.
    """

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    steps: NDArray[np.int64]
    order: NDArray[np.int64]
    lanes: int

    @classmethod
    def of(cls, paths: PathSet, lanes: int) -> Batches:
        """Batches of the distinct sequences of ``paths``; the pad token is ``len(paths.vocabulary)``."""
        lengths = paths.unique_lengths
        n_batches = -(-lengths.size // lanes)
        order = np.full(n_batches * lanes, -1, np.int64)
        order[: lengths.size] = np.argsort(lengths, kind="stable")
        sorted_lengths = np.append(lengths, 0)[order].reshape(n_batches, lanes)
        steps = sorted_lengths.max(axis=1, initial=0)
        starts = np.cumsum(steps * lanes) - steps * lanes
        tokens = np.full(int((steps * lanes).sum()), len(paths.vocabulary), np.int32)
        _fill_lanes(paths.tokens, paths.offsets, order, starts, lanes, tokens)
        return cls(tokens, starts, steps, order, lanes)

    def __len__(self) -> int:
        return self.steps.size


@compiled
def _fill_lanes(tokens, offsets, order, starts, lanes, filled):  # type: ignore[no-untyped-def]
    for place in range(order.size):
        sequence = order[place]
        if sequence >= 0:
            position = starts[place // lanes] + place % lanes
            for token in tokens[offsets[sequence] : offsets[sequence + 1]]:
                filled[position] = token
                position += lanes


@dataclass(frozen=True, slots=True)
class ReferenceTable:
    """What the compiled kernel reads of the references.

    Attributes
    ----------
    similarities
        ``similarities[token, starts[r] + i]``: a token of the vocabulary against position ``i`` of reference ``r``. The last
        row, that of the pad token, is zero.
    starts, lengths
        Where each reference begins in a row, and its length.
    """

    similarities: NDArray[np.float32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @property
    def longest(self) -> int:
        """Positions that the longest reference takes, padding included."""
        return -(-int(self.lengths.max(initial=0)) // POSITIONS_A_BLOCK) * POSITIONS_A_BLOCK


class ReferenceTables:
    """Makes reference tables over one vocabulary; similarities of words seen before are taken from a bounded cache."""

    def __init__(self, similarity: VocabularySimilarity, max_bytes: int = 1 << 27) -> None:
        self.similarity = similarity
        n_tokens = len(similarity.vocabulary)
        self._capacity = max(64, min(n_tokens, max_bytes // (4 * max(n_tokens, 1))))
        self._rows = np.empty((0, n_tokens), np.float32)
        self._places: dict[str, int] = {}

    def __call__(self, references: PathSet) -> ReferenceTable:
        lengths = references.lengths
        widths = -(-lengths // POSITIONS_A_BLOCK) * POSITIONS_A_BLOCK
        starts = np.cumsum(widths) - widths
        tokens = [token for sequence in references for token in sequence]
        places = self._places_of(tokens)
        columns = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(len(tokens))
        table = np.empty((len(self.similarity.vocabulary) + 1, int(widths.sum())), np.float32)
        table[-1] = 0  # columns beyond the end of a reference are never used, and stay as they are
        _fill_table(self._rows, places, columns, table)
        return ReferenceTable(table, starts, lengths)

    def _places_of(self, tokens: Sequence[str]) -> NDArray[np.int64]:
        """Rows of the cache that hold the similarities of ``tokens``, computed first where they are missing."""
        missing = list(dict.fromkeys(token for token in tokens if token not in self._places))
        if len(self._places) + len(missing) > self._capacity:
            self._places.clear()
            missing = list(dict.fromkeys(tokens))
        needed = len(self._places) + len(missing)
        if needed > len(self._rows):
            grown = np.empty((max(needed, min(2 * needed, self._capacity)), self._rows.shape[1]), np.float32)
            grown[: len(self._places)] = self._rows[: len(self._places)]
            self._rows = grown
        if missing:
            self._rows[len(self._places) : needed] = self.similarity.rows(missing)
            self._places.update({token: len(self._places) + number for number, token in enumerate(missing)})
        return np.array([self._places[token] for token in tokens], np.int64)


@compiled
def _fill_table(rows, places, columns, table):  # type: ignore[no-untyped-def]
    """``table[token, columns[e]] = rows[places[e], token]``, block by block so that the written lines stay in the cache."""
    n_tokens, block = rows.shape[1], 256
    for first in range(0, n_tokens, block):
        last = min(first + block, n_tokens)
        for entry in range(places.size):
            row, column = rows[places[entry]], columns[entry]
            for token in range(first, last):
                table[token, column] = row[token]
