"""The similarity of sequences of tokens as an object: its parameters, normalisation, sets prepared for many comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.blas import one_blas_thread
from relhash.candidates import PathSet
from relhash.codec import pack_strings, unpack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.kernels.bound import BoundKernel, Kernel, Parameters, check_reference_count
from relhash.kernels.subsequence import Batches, ReferenceTable, ReferenceTables, nearest_references, path_kernel, self_kernels
from relhash.kernels.word_vectors import WordVectors
from relhash.kernels.words import WordSimilarity

LONGEST = 8
MOST_TABLE = 1 << 22
"""Similarities of words and positions of references that are in one table."""
_ONE_VIEW = {"views": None, "combine": "sum"}
"""In model files: a kernel could once combine several views."""


class PathKernel(Parameters, Kernel):
    """Gap-weighted soft subsequences shared by two sequences of tokens.

    ``K(s, t) = Σ_l w_l Σ λ^gaps Π k_w`` over pairs of subsequences of length l = 1 … ``max_length`` (Garg et al. 2019, after
    Mooney and Bunescu 2005), divided by ``√(K(s, s) K(t, t))``. A sequence without tokens has similarity 0 to all others and to
    itself: the diagonal of a normalised Gram matrix is 1 except there.

    Parameters
    ----------
    similarity
        Similarity of two tokens; ``None`` for the word vectors that ship with RelHash.
    max_length
        Longest subsequence p, from 1 to 8.
    gap_decay
        λ in (0, 1]: what one skipped token costs.
    weights
        Weight of each subsequence length; ``None`` for all 1.
    normalize
        Whether :meth:`gram` and :meth:`diagonal` divide by the lengths in kernel space.

    Examples
    --------
    >>> kernel = PathKernel(WordSimilarity(), max_length=2, gap_decay=0.5)
    >>> X = PathSet.from_sequences([["<P>", "binds", "<P>"], ["<P>", "strongly", "binds", "<P>"], []])
    >>> kernel.gram(X, X).round(2)
    array([[1. , 0.8, 0. ],
           [0.8, 1. , 0. ],
           [0. , 0. , 0. ]], dtype=float32)
    """

    kind: ClassVar[str] = "path"

    def __init__(
        self,
        similarity: WordSimilarity | None = None,
        max_length: int = 4,
        gap_decay: float = 0.8,
        weights: ArrayLike | None = None,
        normalize: bool = True,
    ) -> None:
        self.similarity = similarity
        self.max_length = max_length
        self.gap_decay = gap_decay
        self.weights = weights
        self.normalize = normalize

    @one_blas_thread()
    def gram(self, X: PathSet, references: PathSet, *, n_jobs: int | None = None) -> NDArray[np.float32]:
        """Kernel of the candidates of ``X`` (rows) and of ``references`` (columns)."""
        bound = self.bind(X, n_jobs=n_jobs)
        return (bound.similarities(references) if self.normalize else bound.kernel(references))[bound.rows]

    def diagonal(self, X: PathSet) -> NDArray[np.float32]:
        """Kernel of each candidate with itself; if normalised, 1, or 0 for empty sequences."""
        bound = self.bind(X)
        return (bound.self_similarities if self.normalize else bound.self_kernels)[bound.rows]

    def bind(self, X: PathSet, *, n_jobs: int | None = None) -> BoundPaths:
        """Prepare ``X`` for comparisons with many sets of references, on ``n_jobs`` threads."""
        self._check()
        if not isinstance(X, PathSet):
            raise ParameterError(f"PathKernel: sequences (a PathSet) are expected, not {type(X).__name__}")
        return BoundPaths(self, X, n_jobs)

    @property
    def word_vectors(self) -> WordVectors | None:
        return self._similarity.vectors

    @property
    def notes(self) -> dict[str, Any]:
        return {
            "max_length": int(self.max_length),
            "gap_decay": float(self.gap_decay),
            "weights": None if self.weights is None else [float(weight) for weight in np.asarray(self.weights)],
            "normalize": bool(self.normalize),
            **_ONE_VIEW,
            "threshold": self._similarity.threshold,
            "has_vectors": self._similarity.vectors is not None,
            **({"hard": True} if self._similarity.hard else {}),
        }

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"labels": pack_strings(self._similarity.words), "matrix": self._similarity.matrix}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any], vectors: WordVectors | None) -> Self:
        similarity = WordSimilarity(
            unpack_strings(arrays["labels"]),
            arrays["matrix"],
            vectors=vectors if notes["has_vectors"] else None,
            threshold=float(notes["threshold"]),
            hard=bool(notes.get("hard", False)),
        )
        if notes.get("views") is not None:
            raise ModelFileError("a kernel of this model combines several views, which is no longer read; fit the model again")
        apart = {"threshold", "has_vectors", "hard", *_ONE_VIEW}
        own = {name: value for name, value in notes.items() if name not in apart}
        kernel = cls(similarity, **own)
        kernel._check()
        return kernel

    @property
    def _similarity(self) -> WordSimilarity:
        return self.similarity if self.similarity is not None else WordSimilarity.from_vectors()

    def _check(self) -> None:
        if not np.issubdtype(type(self.max_length), np.integer) or not 1 <= self.max_length <= LONGEST:
            raise ParameterError(f"PathKernel: max_length must be a whole number from 1 to {LONGEST}, not {self.max_length}")
        if not 0 < self.gap_decay <= 1:
            raise ParameterError(f"PathKernel: gap_decay must be in (0, 1], not {self.gap_decay}")
        if self.weights is not None:
            weights = np.asarray(self.weights, np.float64)
            if weights.shape != (self.max_length,) or not (weights >= 0).all() or not weights.any():
                raise ParameterError(f"PathKernel: weights must be {self.max_length} numbers, none negative and not all zero")
        if self.similarity is not None and not isinstance(self.similarity, WordSimilarity):
            raise ParameterError(f"PathKernel: similarity must be a WordSimilarity, not {type(self.similarity).__name__}")


class BoundPaths(BoundKernel):
    """The distinct sequences of a :class:`~relhash.candidates.PathSet`, ready for the compiled kernel."""

    def __init__(self, kernel: PathKernel, X: PathSet, n_jobs: int | None = None) -> None:
        compact = X.compact()
        self.rows: NDArray[np.int32] = compact.rows
        self._points = PathSet(compact.vocabulary, compact.tokens, compact.offsets, np.arange(compact.n_unique))
        self.similarity = kernel._similarity
        self._tables = ReferenceTables(self.similarity.over(compact.vocabulary))
        self._batches = Batches.of(self._points)
        self._decay = float(kernel.gap_decay)
        self._weights = np.ascontiguousarray(
            np.ones(kernel.max_length) if kernel.weights is None else kernel.weights, np.float32
        )
        self.n_jobs = n_jobs

    @property
    def n_unique(self) -> int:
        return len(self._points)

    def unique(self, ids: ArrayLike) -> PathSet:
        return self._points[np.asarray(ids, np.int64)]

    def kernel(self, references: PathSet) -> NDArray[np.float32]:
        """``K``, not normalised, of distinct sequences (rows) and references (columns)."""
        return path_kernel(
            self._batches,
            self._tables(references),
            decay=self._decay,
            weights=self._weights,
            n_sequences=self.n_unique,
            n_jobs=self.n_jobs,
        )

    def similarities(self, references: PathSet) -> NDArray[np.float32]:
        kernel = self.kernel(references)
        # in double precision, so that a sequence and its like come out as exactly 1
        kernel *= _inverse_roots(self.self_kernels)[:, None] * _inverse_roots(self._self_kernels_of(references))
        return kernel

    def nearest(self, references: PathSet) -> NDArray[np.uint8]:
        return self._nearest([references])[0]

    def nearest_of_sets(self, sets: Sequence[PathSet]) -> NDArray[np.uint8]:
        # many sets at a time, as far as their table is small: for a single query that is fifteen times as fast
        positions = sum(int(one.lengths.max(initial=0)) * len(one) for one in sets) + 1
        at_a_time = max(1, MOST_TABLE * len(sets) // (positions * (len(self._points.vocabulary) + 1)))
        return np.concatenate([self._nearest(sets[start : start + at_a_time]) for start in range(0, len(sets), at_a_time)])

    def _nearest(self, sets: Sequence[PathSet]) -> NDArray[np.uint8]:
        for one in sets:
            check_reference_count(one)
        together = sets[0] if len(sets) == 1 else PathSet.concatenate(sets)
        table, scales = self._tables(together), _inverse_roots(self._self_kernels_of(together))
        ends = np.cumsum([len(one) for one in sets])
        return np.stack(
            [
                nearest_references(
                    self._batches,
                    ReferenceTable(table.similarities, table.starts[end - len(one) : end], table.lengths[end - len(one) : end]),
                    scales[end - len(one) : end],
                    decay=self._decay,
                    weights=self._weights,
                    n_sequences=self.n_unique,
                    n_jobs=self.n_jobs,
                )
                for one, end in zip(sets, ends.tolist(), strict=True)
            ]
        )

    @cached_property
    def self_kernels(self) -> NDArray[np.float32]:
        """``K(s, s)`` of each distinct sequence."""
        return self._self_kernels_of(self._points)

    @property
    def self_similarities(self) -> NDArray[np.float32]:
        """1 for each distinct sequence, 0 for an empty one."""
        return (self.self_kernels > 0).astype(np.float32)

    def _self_kernels_of(self, paths: PathSet) -> NDArray[np.float32]:
        if paths is not self._points and paths.tokens is self._points.tokens:  # made by unique(): already known
            return self.self_kernels[paths.rows]
        # beside the set: the references of a model are compared with again and again
        known = vars(paths).setdefault("_self_kernels", {})
        key = self.similarity, self._decay, self._weights.tobytes()
        if key not in known:
            known[key] = self._computed_self_kernels(paths)
        return known[key]

    def _computed_self_kernels(self, paths: PathSet) -> NDArray[np.float32]:
        compact = paths.compact()
        vocabulary = self._tables.similarity
        if compact.vocabulary != vocabulary.vocabulary:
            vocabulary = self.similarity.over(compact.vocabulary)

        def within(sequences: NDArray[np.int64], first: int, last: int) -> NDArray[np.float32]:
            starts, lengths = compact.offsets[sequences], compact.unique_lengths[sequences]
            tokens = np.concatenate(
                [compact.tokens[s : s + n] for s, n in zip(starts, lengths, strict=True)] or [compact.tokens]
            )
            return vocabulary.within(tokens, np.concatenate([[0], np.cumsum(lengths)]), first, last)

        result = self_kernels(Batches.of(compact), compact.unique_lengths, within, decay=self._decay, weights=self._weights)
        return result[compact.rows]


def _inverse_roots(self_kernels: NDArray[np.float32]) -> NDArray[np.float64]:
    """``1 / √K``, 0 where a sequence is empty."""
    roots = np.sqrt(self_kernels.astype(np.float64))
    return np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
