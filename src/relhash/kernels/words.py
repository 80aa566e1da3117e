"""Similarity of two tokens of a path: words by their vectors, symbols and tables of similarities as they are given.

From vectors, ``k_w(a, b) = exp(cos − 1) · max(0, 1 − (1 − cos) / (1 − t))``: 1 for equal words, 0 below the threshold t.
The cosine comes from integer vectors (see :mod:`relhash.kernels.word_vectors`), is rounded to a fixed grid and looked up in a
table of ``k_w``, so a similarity is the same number whatever else is computed with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.candidates.symbols import PAIRED, is_symbol
from relhash.compilation import compiled
from relhash.errors import ParameterError
from relhash.kernels.word_vectors import WordVectors, bundled_vectors

GRID = 1 << 14
"""Cosines are rounded to multiples of 1 / GRID."""


class WordSimilarity:
    """How similar two tokens are, between 0 and 1.

    The similarity of two different tokens is the first of: their entry in ``matrix``, if both are in ``words``; ``k_w`` of
    their vectors, if both are words with vectors; 0. A token has similarity 1 to itself, also an unknown word or a symbol
    (``<P1>``, ``nsubj>``; symbols never have vectors). Pairs of an edge and a word (view ``path+pairs``) are as similar as
    their words where their edges are equal, else not at all.

    Parameters
    ----------
    words, matrix
        A table of similarities of some tokens: symmetric, in [0, 1], ones on the diagonal.
    vectors
        Word vectors.
    threshold
        Cosine t at and below which two words have nothing in common.
    hard
        Whether words above the threshold count as equal, as in the code that the paper's authors have published.

    Examples
    --------
    >>> similarity = WordSimilarity(["binds", "binding"], [[1.0, 0.8], [0.8, 1.0]])
    >>> similarity("binds", "binding"), similarity("binds", "sleeps"), similarity("sleeps", "sleeps")
    (0.800000011920929, 0.0, 1.0)
    """

    def __init__(
        self,
        words: Iterable[str] = (),
        matrix: ArrayLike | None = None,
        *,
        vectors: WordVectors | None = None,
        threshold: float = 0.1,
        hard: bool = False,
    ) -> None:
        self.words: tuple[str, ...] = tuple(words)
        self.matrix: NDArray[np.float32] = np.ascontiguousarray(
            np.eye(len(self.words)) if matrix is None else matrix, np.float32
        )
        self.vectors = vectors
        self.threshold, self.hard = float(threshold), bool(hard)
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self._check()

    def _check(self) -> None:
        if not -1.0 <= self.threshold < 1.0:
            raise ParameterError(f"WordSimilarity: threshold must lie in [-1, 1), not {self.threshold}")
        if len(self._numbers) != len(self.words):
            raise ParameterError("WordSimilarity: a word occurs twice")
        if self.matrix.shape != (len(self.words), len(self.words)):
            raise ParameterError(f"WordSimilarity: {len(self.words)} words need a square matrix, not {self.matrix.shape}")
        if not ((self.matrix >= 0) & (self.matrix <= 1)).all() or not (self.matrix == self.matrix.T).all():
            raise ParameterError("WordSimilarity: the matrix must be symmetric with values from 0 to 1")
        if not (self.matrix.diagonal() == 1).all():
            raise ParameterError("WordSimilarity: the matrix must have ones on its diagonal")

    @classmethod
    def from_vectors(
        cls,
        vectors: WordVectors | None = None,
        *,
        threshold: float = 0.1,
        hard: bool = False,
        symbols: Mapping[tuple[str, str], float] | None = None,
    ) -> WordSimilarity:
        """From vectors (default: the ones that ship with RelHash), with similarities of some pairs of symbols.

        >>> vectors = WordVectors(["binds", "interacts"], [[1.0, 0.2], [1.0, 0.0]])
        >>> similarity = WordSimilarity.from_vectors(vectors, symbols={("nsubj>", "nsubjpass>"): 0.5})
        >>> similarity("nsubj>", "nsubjpass>"), round(similarity("binds", "interacts"), 2)
        (0.5, 0.96)
        """
        pairs = symbols or {}
        tokens = sorted({token for pair in pairs for token in pair})
        matrix = np.eye(len(tokens), dtype=np.float32)
        for (a, b), value in pairs.items():
            matrix[tokens.index(a), tokens.index(b)] = matrix[tokens.index(b), tokens.index(a)] = value
        own = bundled_vectors() if vectors is None else vectors
        return cls(tokens, matrix, vectors=own, threshold=threshold, hard=hard)

    def __call__(self, a: str, b: str) -> float:
        return float(self.over([b]).rows([a])[0, 0])

    def __repr__(self) -> str:
        return f"WordSimilarity({len(self.words)} tokens by table, vectors={self.vectors}, threshold={self.threshold})"

    def __deepcopy__(self, memo: dict[int, Any]) -> WordSimilarity:
        return self  # immutable, and large: a cloned estimator shares it

    def over(self, vocabulary: Sequence[str]) -> VocabularySimilarity:
        """Prepare similarities to all tokens of a vocabulary."""
        return VocabularySimilarity(self, vocabulary)

    @cached_property
    def curve(self) -> NDArray[np.float32]:
        """``k_w`` of the cosines −1, −1 + 1/GRID, …, 1."""
        cosines = np.arange(-GRID, GRID + 1) / GRID
        if self.hard:
            return (cosines > self.threshold).astype(np.float32)
        ramp = np.maximum(0.0, 1.0 - (1.0 - cosines) / (1.0 - self.threshold))
        return (np.exp(cosines - 1.0) * ramp).astype(np.float32)

    def numbers(self, tokens: Iterable[str]) -> NDArray[np.int32]:
        """Rows of the table of similarities; −1 for tokens that are not in it."""
        return np.array([self._numbers.get(token, -1) for token in tokens], np.int32)

    def encode(self, tokens: Sequence[str]) -> tuple[NDArray[np.floating[Any]], NDArray[np.float64]]:
        """Vectors of whole numbers of tokens and one over their lengths (0 for tokens without a vector)."""
        if self.vectors is None:
            return np.zeros((len(tokens), 0), np.float32), np.zeros(len(tokens))
        codes = np.zeros((len(tokens), self.vectors.dimensions), self.vectors.codes.dtype)
        words = [number for number, token in enumerate(tokens) if not is_symbol(token)]  # a symbol has no vector, nor parts
        codes[words] = self.vectors.encode([tokens[number].rpartition(PAIRED)[2] for number in words])
        squares = (codes.astype(np.int64) ** 2).sum(axis=1)
        inverse_norms = np.divide(1.0, np.sqrt(squares), out=np.zeros(len(tokens)), where=squares > 0)
        # whole numbers in floating point: their products and sums are exact below 2**24 and 2**53
        largest = codes.shape[1] * int(np.iinfo(codes.dtype).min) ** 2
        return codes.astype(np.float32 if largest < 1 << 24 else np.float64), inverse_norms


class VocabularySimilarity:
    """Similarities to the tokens of one vocabulary, computed for the tokens that are asked for."""

    def __init__(self, similarity: WordSimilarity, vocabulary: Sequence[str]) -> None:
        self.similarity = similarity
        self.vocabulary = tuple(vocabulary)
        self.positions = {token: position for position, token in enumerate(self.vocabulary)}
        self.table_numbers = similarity.numbers(self.vocabulary)
        self.codes, self.inverse_norms = similarity.encode(self.vocabulary)
        self.edges = _edges(self.vocabulary)

    def rows(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """Similarities of ``tokens`` (rows) to the vocabulary (columns)."""
        similarity = self.similarity
        codes, inverse_norms = similarity.encode(tokens)
        result = _similar(
            codes, inverse_norms, similarity.numbers(tokens), self.codes, self.inverse_norms, self.table_numbers,
            similarity.matrix, similarity.curve,
        )  # fmt: skip
        if self.edges.any():
            result[_edges(tokens)[:, None] != self.edges] = 0.0
        for row, token in enumerate(tokens):
            if token in self.positions:
                result[row, self.positions[token]] = 1.0
        return result

    def within(
        self, tokens: NDArray[np.int32], offsets: NDArray[np.int64], first: int = 0, last: int | None = None
    ) -> NDArray[np.float32]:
        """For each sequence ``tokens[offsets[u]:offsets[u + 1]]`` the similarities of all pairs of its tokens, row by row.

        ``first`` and ``last`` ask only for the rows of some tokens of each sequence, as far as it has so many.
        """
        lengths = np.diff(offsets)
        last = int(lengths.max(initial=0)) if last is None else last
        result = np.empty(int((np.maximum(np.minimum(lengths, last) - first, 0) * lengths).sum()), np.float32)
        _similarities_within(
            tokens,
            offsets,
            first,
            last,
            self.codes,
            self.inverse_norms,
            self.table_numbers,
            self.similarity.matrix,
            self.similarity.curve,
            result,
        )
        if self.edges.any():
            equal = [np.equal.outer(own[first:last], own).ravel() for own in np.split(self.edges[tokens], offsets[1:-1])]
            result *= np.concatenate(equal)
        return result


def _edges(tokens: Iterable[str]) -> NDArray[np.object_]:
    """The edge that each token pairs with its word; empty for tokens that are no pair."""
    return np.array([token.rpartition(PAIRED)[0] for token in tokens], object)


@compiled(in_any_order=True)
def _inner_product(a, b):  # type: ignore[no-untyped-def]
    total = a.dtype.type(0)
    for d in range(a.size):
        total += a[d] * b[d]
    return total


def _similar(  # type: ignore[no-untyped-def]
    codes, inverse_norms, numbers, other_codes, other_inverse_norms, other_numbers, matrix, curve
) -> NDArray[np.float32]:
    """Similarities of tokens (rows) to others (columns), all of which are taken for different ones."""
    scales = inverse_norms[:, None] * other_inverse_norms
    positions = np.floor((codes @ other_codes.T).astype(np.float64) * scales * GRID + (GRID + 0.5)).astype(np.int64)
    similar = np.where(scales > 0, curve[np.clip(positions, 0, 2 * GRID)], np.float32(0))
    rows, columns = np.flatnonzero(numbers >= 0), np.flatnonzero(other_numbers >= 0)
    similar[np.ix_(rows, columns)] = matrix[np.ix_(numbers[rows], other_numbers[columns])]
    return similar


def _within_in_numpy(  # type: ignore[no-untyped-def]
    tokens, offsets, first, last, codes, inverse_norms, numbers, matrix, curve, result
) -> None:
    similar = _similar(codes, inverse_norms, numbers, codes, inverse_norms, numbers, matrix, curve)
    np.fill_diagonal(similar, 1)
    position = 0
    for start, stop in pairwise(offsets.tolist()):
        own = tokens[start:stop]
        block = similar[np.ix_(own[first:last], own)]
        result[position : position + block.size] = block.ravel()
        position += block.size


@compiled(
    seconds=lambda tokens, offsets, first, last, codes, *_: 1e-3 + 4e-8 * len(codes) ** 2 + 1e-5 * len(offsets),
    plain=_within_in_numpy,
)
def _similarities_within(  # type: ignore[no-untyped-def]
    tokens, offsets, first, last, codes, inverse_norms, numbers, matrix, curve, result
):
    position = 0
    for sequence in range(offsets.size - 1):
        start, stop = offsets[sequence], offsets[sequence + 1]
        length = stop - start
        last_row = min(last, length)
        for i in range(first, last_row):
            a = tokens[start + i]
            row = position + (i - first) * length
            for j in range(length):
                if i < j < last_row:
                    continue  # row j brings it
                b = tokens[start + j]
                value = np.float32(0)
                if a == b:
                    value = np.float32(1)
                elif numbers[a] >= 0 and numbers[b] >= 0:
                    value = matrix[numbers[a], numbers[b]]
                elif inverse_norms[a] > 0 and inverse_norms[b] > 0:
                    cosine = np.float64(_inner_product(codes[a], codes[b])) * (inverse_norms[a] * inverse_norms[b])
                    value = curve[min(max(int(np.floor(cosine * GRID + (GRID + 0.5))), 0), 2 * GRID)]
                result[row + j] = value
                if first <= j < i:
                    result[position + (j - first) * length + i] = value
        position += max(0, last_row - first) * length
