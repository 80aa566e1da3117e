"""Vectors of unknown words from their parts: ``dephosphorylates`` lies near ``dephosphorylation``.

A word's vector is taken to be the sum of the vectors of its parts (letter n-grams, with ``<`` and ``>`` for its beginning and
end), which are fitted to the words whose vectors are known, by ridge regression (a "bag of subwords", Zhao et al., EMNLP 2018).
It works for vectors of any origin and needs no hashing of n-grams.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.codec import pack_strings, unpack_strings
from relhash.errors import ModelFileError, ParameterError


class SubwordVectors:
    """Vectors of parts of words.

    Parameters
    ----------
    parts
        Letter n-grams of words in angle brackets, such as ``<de``, ``phos`` or ``tion>``.
    vectors
        One row per part, such that a word's vector is the mean over its parts.
    n_min, n_max
        Lengths of the n-grams.

    Examples
    --------
    >>> subwords = SubwordVectors(["<un", "do>"], [[0.0, 1.0], [1.0, 0.0]], n_min=3, n_max=3)
    >>> subwords.vector("undo")
    array([0.5, 0.5], dtype=float32)
    """

    def __init__(self, parts: Iterable[str], vectors: ArrayLike, *, n_min: int = 3, n_max: int = 6) -> None:
        self.parts: tuple[str, ...] = tuple(parts)
        self.vectors: NDArray[np.float32] = np.ascontiguousarray(vectors, dtype=np.float32)
        self.n_min, self.n_max = n_min, n_max
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.parts):
            raise ParameterError(f"SubwordVectors: {len(self.parts)} parts but vectors of shape {self.vectors.shape}")
        self._rows = {part: row for row, part in enumerate(self.parts)}

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    def vector(self, word: str) -> NDArray[np.float32] | None:
        """Mean of the vectors of the parts of ``word`` that are known; ``None`` if there are none."""
        rows = [self._rows[part] for part in parts_of(word, self.n_min, self.n_max) if part in self._rows]
        if not rows:
            return None
        return (self.vectors[rows].astype(np.float64).sum(axis=0) / len(rows)).astype(np.float32)

    @classmethod
    def fit(
        cls,
        words: Sequence[str],
        vectors: ArrayLike,
        *,
        weights: ArrayLike | None = None,
        n_min: int = 3,
        n_max: int = 6,
        min_words: int = 4,
        max_parts: int = 30_000,
        ridge: float = 1.0,
        iterations: int = 60,
    ) -> SubwordVectors:
        """Fit parts to the unit vectors of known words.

        Parameters
        ----------
        words, vectors
            What is known.
        weights
            Importance of each word (default: all equal).
        min_words, max_parts
            A part is used if it occurs in ``min_words`` words; the most frequent ``max_parts`` are kept.
        ridge
            Strength of the penalty on the parts' vectors.
        iterations
            Steps of the conjugate-gradient solver.
        """
        from scipy import sparse

        targets = np.asarray(vectors, np.float64)
        norms = np.linalg.norm(targets, axis=1, keepdims=True)
        targets = targets / np.where(norms > 0, norms, 1.0)
        bags = [parts_of(word, n_min, n_max) for word in words]
        counts = Counter(part for bag in bags for part in set(bag))
        frequent = [(part, count) for part, count in counts.items() if count >= min_words]
        parts = [part for part, _ in sorted(frequent, key=lambda item: (-item[1], item[0]))[:max_parts]]
        numbers = {part: number for number, part in enumerate(parts)}
        known = [[numbers[part] for part in bag if part in numbers] for bag in bags]
        lengths = np.array([len(bag) for bag in known])
        importance = np.ones(len(words)) if weights is None else np.asarray(weights, np.float64)
        share = np.sqrt(importance) / np.maximum(lengths, 1)
        design = sparse.csr_matrix(
            (
                np.repeat(share, lengths),
                np.concatenate([*known, []]).astype(np.int64),
                np.concatenate([[0], np.cumsum(lengths)]),
            ),
            shape=(len(words), len(parts)),
        )
        fitted = _ridge_regression(design, np.sqrt(importance)[:, None] * targets, ridge, iterations)
        return cls(parts, fitted, n_min=n_min, n_max=n_max)

    def to_arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Plain arrays, for ``numpy.savez``; vectors in 8 bits per number."""
        largest = np.abs(self.vectors).max(axis=1, initial=0.0)
        scales = np.where(largest > 0, largest, 1.0).astype(np.float32) / np.float32(127)
        return {
            f"{prefix}parts": pack_strings(self.parts),
            f"{prefix}vectors": np.rint(self.vectors / scales[:, None]).astype(np.int8),
            f"{prefix}scale": scales,
            f"{prefix}lengths": np.array([self.n_min, self.n_max]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> SubwordVectors:
        missing = [name for name in ("parts", "vectors", "scale", "lengths") if f"{prefix}{name}" not in arrays]
        if missing:
            raise ModelFileError(f"stored parts of words lack {', '.join(missing)}")
        n_min, n_max = arrays[f"{prefix}lengths"].tolist()
        vectors = arrays[f"{prefix}vectors"].astype(np.float32) * arrays[f"{prefix}scale"][:, None]
        return cls(unpack_strings(arrays[f"{prefix}parts"]), vectors, n_min=n_min, n_max=n_max)


def parts_of(word: str, n_min: int, n_max: int) -> list[str]:
    """Letter n-grams of a word in lower case, its ends marked.

    >>> parts_of("Rad", 3, 4)
    ['<ra', 'rad', 'ad>', '<rad', 'rad>']
    """
    marked = f"<{word.lower()}>"
    return [marked[i : i + n] for n in range(n_min, n_max + 1) for i in range(len(marked) - n + 1)]


def _ridge_regression(design: Any, targets: NDArray[np.float64], ridge: float, iterations: int) -> NDArray[np.float64]:
    """Minimise ``|design @ B - targets|² + ridge·scale·|B|²`` for all columns at once, by conjugate gradients."""
    penalty = ridge * design.multiply(design).sum() / design.shape[1]
    solution = np.zeros((design.shape[1], targets.shape[1]))
    residual = design.T @ targets
    direction = residual.copy()
    size = (residual**2).sum(axis=0)
    for _ in range(iterations):
        image = design.T @ (design @ direction) + penalty * direction
        step = size / np.maximum((direction * image).sum(axis=0), 1e-300)
        solution += step * direction
        residual -= step * image
        previous, size = size, (residual**2).sum(axis=0)
        direction = residual + (size / np.maximum(previous, 1e-300)) * direction
    return solution
