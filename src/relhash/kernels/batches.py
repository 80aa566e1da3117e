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
from relhash.kernels.words import VocabularySimilarity

LANES = 8
"""Sequences side by side in a vector register."""
POSITIONS_A_BLOCK = 8
"""Positions of a reference are padded to a multiple of this: the register transposes work on 8 × 8 blocks."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Sequences in lanes.

    Attributes
    ----------
    tokens
        Token ids; batch ``b`` is ``tokens[starts[b]:]``, ``steps[b]`` rows of ``LANES`` ids.
    starts, steps
        Where each batch begins, and the length of its longest sequence.
    order
        Sequence in each lane: ``order[b * LANES + lane]``, −1 in the unused lanes of the last batch.
    """

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    steps: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def of(cls, paths: PathSet) -> Batches:
        """Batches of the distinct sequences of ``paths``; the pad token is ``len(paths.vocabulary)``."""
        lengths = paths.unique_lengths
        n_batches = -(-lengths.size // LANES)
        order = np.full(n_batches * LANES, -1, np.int64)
        order[: lengths.size] = np.argsort(lengths, kind="stable")
        sorted_lengths = np.append(lengths, 0)[order].reshape(n_batches, LANES)
        steps = sorted_lengths.max(axis=1, initial=0)
        starts = np.cumsum(steps * LANES) - steps * LANES
        tokens = np.full(int((steps * LANES).sum()), len(paths.vocabulary), np.int32)
        places = np.empty(lengths.size, np.int64)  # of the first token of each sequence
        places[order[: lengths.size]] = (starts[:, None] + np.arange(LANES)).ravel()[: lengths.size]
        within = np.arange(paths.tokens.size) - np.repeat(paths.offsets[:-1], lengths)
        tokens[np.repeat(places, lengths) + LANES * within] = paths.tokens
        return cls(tokens, starts, steps, order)

    def __len__(self) -> int:
        return self.steps.size


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
        table[:-1, columns] = self._rows[places].T
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
