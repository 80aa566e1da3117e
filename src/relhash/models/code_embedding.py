"""A few dozen numbers that say where an α-way code lies among all codes: its leading singular directions.

An α-way code has thousands of columns, of which each row fills one a hash function; a linear model reads that well, trees do
not. The singular directions of the codes of both texts, labels unseen, put candidates whose nearest references tend to go
together next to each other, and a tree can cut there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.errors import ModelFileError

__all__ = ["CodeEmbedding"]

MOST_ROWS = 8000
"""Codes that the directions are found from; more change nothing but the time."""


class CodeEmbedding:
    """Projection of one-hot α-way codes to ``n_components`` numbers.

    Parameters
    ----------
    n_components
        How many directions to keep (fewer when there are fewer codes or columns).
    random_state
        Seed of the randomised decomposition.

    Examples
    --------
    >>> codes = sparse.csr_matrix(np.eye(6)[[0, 1, 2, 0, 1, 2, 3, 4, 5]])
    >>> CodeEmbedding(3).fit(codes).transform(codes).shape
    (9, 3)
    """

    def __init__(self, n_components: int = 60, random_state: int = 0) -> None:
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, codes: sparse.csr_matrix) -> Self:
        from sklearn.utils.extmath import randomized_svd
        from threadpoolctl import threadpool_limits

        rng = np.random.default_rng(self.random_state)
        rows = sparse.csr_matrix(codes, dtype=np.float64)
        if rows.shape[0] > MOST_ROWS:
            rows = rows[np.sort(rng.choice(rows.shape[0], MOST_ROWS, replace=False))]
        kept = min(self.n_components, *rows.shape)
        with threadpool_limits(limits=1):  # the last digits of a product depend on the number of threads
            _, _, directions = randomized_svd(rows, kept, n_iter=4, random_state=self.random_state)
        # half precision is what a model file holds: from the first use on, so that a stored model gives the same digits
        self.directions_: NDArray[np.float16] = np.ascontiguousarray(directions.T, np.float16)
        return self

    def transform(self, codes: sparse.csr_matrix) -> NDArray[np.float64]:
        """One row a code; a sparse product adds up one row at a time, so a row depends on nothing else."""
        return np.asarray(sparse.csr_matrix(codes, dtype=np.float64) @ self.directions_.astype(np.float64))

    def names(self) -> list[str]:
        return [f"direction {number}" for number in range(self.directions_.shape[1])]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"directions": self.directions_}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], n_columns: int) -> Self:
        """``n_columns`` is the width of the codes it must fit."""
        directions = np.asarray(arrays.get("directions", np.empty(0)))
        if directions.ndim != 2 or directions.dtype != np.float16 or len(directions) != n_columns:
            raise ModelFileError("code embedding: its directions do not fit the hash functions")
        if not np.isfinite(directions).all():
            raise ModelFileError("code embedding: a direction is not a number")
        embedding = cls(directions.shape[1])
        embedding.directions_ = directions
        return embedding
