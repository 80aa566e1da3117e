"""Sequences as arrays: word vectors that stay as they are, and numbers for all that a network learns an embedding of.

Words are never numbered in the network: a word stands for its (frozen) vector, so that a word of the target text that no
training sentence holds is read like any other. What has no vector (roles, entity types, edges, unknown words) gets a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relhash.baselines.sequences import NOWHERE, TokenSequence
from relhash.kernels import WordVectors
from relhash.structures.symbols import is_symbol

MAX_DISTANCE = 30
"""Positions further from a participant than this count as this far."""
PADDING, UNKNOWN = 0, 1


@dataclass(frozen=True, eq=False)
class EncodedSequences:
    """Candidates as ragged arrays: tokens of candidate ``i`` are ``starts[i]`` to ``starts[i + 1]``.

    ``words`` number the rows of ``vectors`` and ``symbols``; both belong to these candidates only. A symbol number is 0 for a
    word with a vector.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.int64]
    anchors: NDArray[np.int64]
    tags: NDArray[np.int64]
    edges: NDArray[np.int64]
    heads: NDArray[np.int64]
    vectors: NDArray[np.float32]
    symbols: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class Encoding:
    """Numbers of symbols, tags and edges, learned from the text of both sides, never from labels."""

    vectors: WordVectors
    symbols: Mapping[str, int]
    tags: Mapping[str, int]
    edges: Mapping[str, int]
    n_anchors: int

    @classmethod
    def learn(cls, sequences: Sequence[TokenSequence], vectors: WordVectors) -> Encoding:
        """Number what ``sequences`` hold.

        >>> vectors = WordVectors(["binds"], [[1.0, 0.0]])
        >>> encoding = Encoding.learn([TokenSequence(["<E1>", "binds", "<E2>"], (0, 2), [], [], [])], vectors)
        >>> encoding.symbols, encoding.n_anchors
        ({'<E1>': 2, '<E2>': 3}, 2)
        """
        labels = {label for sequence in sequences for label in sequence.labels if is_symbol(label)}
        return cls(
            vectors,
            _numbered(labels),
            _numbered(tag for sequence in sequences for tag in sequence.tags),
            _numbered(edge for sequence in sequences for edge in sequence.edges),
            max((len(sequence.anchors) for sequence in sequences), default=0),
        )

    def encode(self, sequences: Sequence[TokenSequence]) -> EncodedSequences:
        """Arrays of ``sequences``; a candidate's arrays do not depend on the others."""
        lexicon: dict[str, int] = {}
        words = [lexicon.setdefault(label, len(lexicon)) for sequence in sequences for label in sequence.labels]
        vectors, symbols = self._looked_up(list(lexicon))
        lengths = [len(sequence.labels) for sequence in sequences]
        anchors = np.full((len(sequences), self.n_anchors), NOWHERE, np.int64)
        for row, sequence in enumerate(sequences):
            known = sequence.anchors[: self.n_anchors]
            anchors[row, : len(known)] = known
        return EncodedSequences(
            starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            words=np.array(words, np.int64),
            anchors=anchors,
            tags=np.array([self.tags.get(tag, UNKNOWN) for one in sequences for tag in one.tags], np.int64),
            edges=np.array([self.edges.get(edge, UNKNOWN) for one in sequences for edge in one.edges], np.int64),
            heads=np.array([head for one in sequences for head in one.heads], np.int64),
            vectors=vectors,
            symbols=symbols,
        )

    def _looked_up(self, labels: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        vectors = np.zeros((len(labels), self.vectors.dimensions), np.float32)
        symbols = np.zeros(len(labels), np.int64)
        for row, label in enumerate(labels):
            vector = None if is_symbol(label) else unit_vector(self.vectors, label)
            if vector is None:
                symbols[row] = self.symbols.get(label, UNKNOWN)
            else:
                vectors[row] = vector
        return vectors, symbols


@lru_cache(maxsize=200_000)
def unit_vector(vectors: WordVectors, word: str) -> NDArray[np.float32] | None:
    """The vector of a word at length 1, from its parts if need be; ``None`` if nothing is known of it."""
    vector = vectors.vector(word)
    length = 0.0 if vector is None else float(np.linalg.norm(vector))
    return None if vector is None or length == 0.0 else (vector / length).astype(np.float32)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(sorted(set(names)), start=UNKNOWN + 1)}
