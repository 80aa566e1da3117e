"""A kernel that a reader checks at a glance: similarity of points in the plane, straight from the definition."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.kernels import BoundKernel, Kernel


class PlainKernel(Kernel):
    """``exp(−γ·distance²)``, cut to exactly 0 beyond ``reach``; equal points are stored once."""

    def __init__(self, gamma: float = 0.5, reach: float = np.inf) -> None:
        self.gamma, self.reach = gamma, reach

    def bind(self, X: Any, *, n_jobs: int | None = None) -> PlainBound:
        return PlainBound(self, np.asarray(X, np.float64))


class PlainBound(BoundKernel):
    def __init__(self, kernel: PlainKernel, X: NDArray[np.float64]) -> None:
        self.kernel = kernel
        self.points, rows = np.unique(X, axis=0, return_inverse=True)
        self.rows = rows.reshape(-1).astype(np.int32)

    @property
    def n_unique(self) -> int:
        return len(self.points)

    def unique(self, ids: Any) -> NDArray[np.float64]:
        return self.points[np.asarray(ids)]

    def similarities(self, references: NDArray[np.float64]) -> NDArray[np.float32]:
        squares = ((self.points[:, None, :] - references[None, :, :]) ** 2).sum(axis=-1)
        return np.where(squares <= self.kernel.reach**2, np.exp(-self.kernel.gamma * squares), 0.0).astype(np.float32)
