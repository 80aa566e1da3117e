"""What a network reads: each structure as a sequence of vectors.

A word is its word vector, of length √d so that a coordinate is about as large as 1. Symbols (``<E1>``, ``nsubj>``) and words
that nothing is known of have no word vector: they get one of plus and minus ones that is computed from the token itself, so
that the same token has the same vector in every later text, and different tokens are nearly orthogonal. A row of a table is a
sequence of one vector, its columns on the scales of the kernel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.paths import PathSet
from relhash.candidates.symbols import is_symbol
from relhash.errors import ParameterError
from relhash.kernels.bound import BoundKernel
from relhash.kernels.path_kernel import BoundPaths
from relhash.kernels.vector_kernels import BoundVectors
from relhash.kernels.word_vectors import WordVectors

PLAIN_WIDTH = 32
"""Length of the vectors of tokens where the kernel compares without word vectors."""


@dataclass(frozen=True, eq=False)
class Sequences:
    """Distinct structures: number ``u`` is ``vectors[tokens[offsets[u]:offsets[u + 1]]]``."""

    vectors: NDArray[np.float32]
    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def width(self) -> int:
        return int(self.vectors.shape[1])

    def padded(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Some of them as one array ``(structures, steps, width)``, zeros behind their ends, and their lengths."""
        lengths = np.diff(self.offsets)[ids]
        block = np.zeros((ids.size, max(int(lengths.max(initial=0)), 1), self.width), np.float32)
        for number, (start, length) in enumerate(zip(self.offsets[ids], lengths, strict=True)):
            block[number, :length] = self.vectors[self.tokens[start : start + length]]
        return block, lengths


_prepared: WeakKeyDictionary[BoundKernel, Sequences] = WeakKeyDictionary()  # a hundred functions read the same set


def sequences_of(bound: BoundKernel) -> Sequences:
    """The distinct structures of ``bound``, prepared once for all functions that read it."""
    if bound not in _prepared:
        _prepared[bound] = _prepare(bound)
    return _prepared[bound]


def _prepare(bound: BoundKernel) -> Sequences:
    structures = bound.unique(np.arange(bound.n_unique))
    if isinstance(bound, BoundPaths) and isinstance(structures, PathSet):
        return Sequences(token_vectors(structures.vocabulary, bound.similarity.vectors), structures.tokens, structures.offsets)
    if not isinstance(structures, np.ndarray):
        raise ParameterError(
            "neural hash functions read one view at a time: name the views in HashcodeLearner(views=…), not in the kernel"
        )
    table = bound.scaled(structures) if isinstance(bound, BoundVectors) else structures
    n = len(table)
    return Sequences(np.ascontiguousarray(table, np.float32), np.arange(n, dtype=np.int32), np.arange(n + 1, dtype=np.int64))


def token_vectors(tokens: Sequence[str], vectors: WordVectors | None) -> NDArray[np.float32]:
    """One row per token, of length √d.

    >>> vectors = WordVectors(["binds", "inhibits"], [[1.0, 0.0], [0.6, 0.8]])
    >>> token_vectors(["binds", "inhibits", "<E1>"], vectors).round(2)
    array([[ 1.41,  0.  ],
           [ 0.85,  1.13],
           [-1.  , -1.  ]], dtype=float32)
    """
    width = PLAIN_WIDTH if vectors is None else vectors.dimensions
    rows = np.zeros((len(tokens), width)) if vectors is None else vectors.encode(tokens).astype(np.float64)
    lengths = np.sqrt((rows**2).sum(axis=1))
    for number, token in enumerate(tokens):
        if lengths[number] == 0 or is_symbol(token):
            rows[number], lengths[number] = _from_token(token, width), np.sqrt(width)
    return (rows * (np.sqrt(width) / lengths)[:, None]).astype(np.float32)


def _from_token(token: str, width: int) -> NDArray[np.float64]:
    digest = hashlib.shake_256(token.encode("utf-8", "surrogatepass")).digest(-(-width // 8))
    return np.where(np.unpackbits(np.frombuffer(digest, np.uint8), count=width), 1.0, -1.0)
