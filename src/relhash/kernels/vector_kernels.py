"""Kernels of plain vectors: ``laplace``, ``rbf``, ``cosine``, ``linear``, or any function of two tables.

Matrix products give results that change with their shape, so inner products and distances are summed here column by column in
compiled loops, for a block of points at a time: a similarity is the same number in any batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.compilation import compiled
from relhash.errors import ModelFileError, ParameterError
from relhash.kernels.bound import BoundKernel, Kernel, Parameters
from relhash.kernels.threads import over_ranges
from relhash.kernels.word_vectors import WordVectors

METRICS = ("laplace", "rbf", "cosine", "linear")
LANES = 16
SAMPLE = 1000
"""Rows that the median distance is taken over: every n-th, so that it does not depend on chance."""


class VectorKernel(Parameters, Kernel):
    """Similarity of vectors.

    Parameters
    ----------
    metric
        ``"laplace"``: ``exp(−γ Σ|x − y|)``, ``"rbf"``: ``exp(−γ Σ(x − y)²)``, ``"cosine"``, ``"linear"`` (not normalised), or a
        function of two tables that returns their similarities; it is called with one point at a time, so that a result cannot
        depend on the other points.
    gamma
        γ; ``None`` to have :meth:`fit` choose one over the median distance between points.
    scaling
        ``"standard"`` to divide each column by its standard deviation in the data given to :meth:`fit` (columns that do not
        vary there are left as they are), or ``None``.

    Attributes
    ----------
    gamma_, scale_
        What :meth:`fit` has fixed.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 4.0]])
    >>> VectorKernel("laplace", gamma=0.5).gram(X, X[:1]).round(3)
    array([[1.   ],
           [0.607],
           [0.03 ]], dtype=float32)
    >>> VectorKernel("rbf").fit(X).gamma_
    0.0555...
    """

    kind: ClassVar[str] = "vector"

    def __init__(
        self,
        metric: str | Callable[[NDArray[Any], NDArray[Any]], ArrayLike] = "rbf",
        gamma: float | None = None,
        scaling: str | None = None,
    ) -> None:
        self.metric = metric
        self.gamma = gamma
        self.scaling = scaling

    @property
    def needs_fit(self) -> bool:  # type: ignore[override]
        """Whether something is left for :meth:`fit` to fix."""
        is_open = self.scaling is not None or (self.gamma is None and self.metric in ("laplace", "rbf"))
        return is_open and not hasattr(self, "gamma_")

    def fit(self, X: ArrayLike, y: Any = None) -> VectorKernel:
        """Fix γ and the scales of the columns from ``X``; nothing of it is kept."""
        self._check()
        X = _table(X)
        spread, largest = X.std(axis=0, dtype=np.float64), np.abs(X).max(axis=0, initial=0.0)
        varies = spread > 1e-12 * largest
        self.scale_ = np.where(varies, spread, 1.0) if self.scaling == "standard" else np.ones(spread.size)
        sample = X[:: max(-(-len(X) // SAMPLE), 1)]
        self.gamma_ = self._median_gamma(sample / self.scale_) if self.gamma is None else float(self.gamma)
        return self

    def _median_gamma(self, sample: NDArray[np.float64]) -> float:
        if self.metric not in ("laplace", "rbf") or len(sample) < 2:
            return 1.0
        from scipy.spatial.distance import pdist

        distances = pdist(sample, "cityblock" if self.metric == "laplace" else "sqeuclidean")
        positive = distances[distances > 0]
        return 1.0 / float(np.median(positive)) if positive.size else 1.0

    def bind(self, X: ArrayLike, *, n_jobs: int | None = None) -> BoundVectors:
        """Prepare ``X`` for comparisons with many sets of references."""
        self._check()
        return BoundVectors(self, _table(X), n_jobs)

    def _check(self) -> None:
        if not callable(self.metric) and self.metric not in METRICS:
            raise ParameterError(f"VectorKernel: metric must be one of {', '.join(METRICS)} or a function, not {self.metric!r}")
        if self.gamma is not None and not self.gamma > 0:
            raise ParameterError(f"VectorKernel: gamma must be positive, not {self.gamma}")
        if self.scaling not in (None, "standard"):
            raise ParameterError(f"VectorKernel: scaling must be 'standard' or None, not {self.scaling!r}")

    def fixed(self) -> tuple[float, NDArray[np.float64] | None]:
        """γ and scales in use; an error if they are still open."""
        if hasattr(self, "gamma_"):
            return self.gamma_, self.scale_
        if self.needs_fit:
            raise ParameterError("VectorKernel: gamma or scaling is chosen from data; call fit(X) first, or give gamma")
        return (1.0 if self.gamma is None else float(self.gamma)), None

    def check_storable(self) -> None:
        if callable(self.metric):
            raise ParameterError(
                "kernel: a model with a function as its kernel could not be saved; name a metric "
                f"({', '.join(METRICS)}), or write and register a kernel (relhash.kernels.Kernel says how)"
            )

    @property
    def notes(self) -> dict[str, Any]:
        self.check_storable()
        return {"metric": self.metric, "gamma": self.fixed()[0]}

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        scale = self.fixed()[1]
        return {} if scale is None else {"scale": scale}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any], vectors: WordVectors | None) -> Self:
        kernel = cls(notes["metric"], gamma=float(notes["gamma"]))
        kernel._check()
        if "scale" in arrays:
            scale = np.asarray(arrays["scale"], np.float64)
            if scale.ndim != 1 or not np.isfinite(scale).all() or not (scale > 0).all():
                raise ModelFileError("the scales of columns are not positive numbers")
            kernel.gamma_, kernel.scale_ = float(notes["gamma"]), scale
        return kernel


class BoundVectors(BoundKernel):
    """The distinct rows of a table, ready for the compiled loops."""

    def __init__(self, kernel: VectorKernel, X: NDArray[np.float64], n_jobs: int | None = None) -> None:
        self._points, inverse = np.unique(X, axis=0, return_inverse=True)
        self.rows: NDArray[np.int32] = inverse.reshape(-1).astype(np.int32)
        self._metric = kernel.metric
        self._gamma, self._scale = kernel.fixed()
        self.n_jobs = n_jobs
        if self._scale is not None and self._scale.size != X.shape[1]:
            raise ParameterError(f"VectorKernel: fitted to {self._scale.size} columns, given {X.shape[1]}")

    @property
    def n_unique(self) -> int:
        return len(self._points)

    def unique(self, ids: ArrayLike) -> NDArray[np.float64]:
        return self._points[np.asarray(ids, np.int64)]

    def similarities(self, references: ArrayLike) -> NDArray[np.float32]:
        references = _table(references)
        if references.shape[1] != self._points.shape[1]:
            raise ParameterError(f"VectorKernel: points have {self._points.shape[1]} columns, references {references.shape[1]}")
        if callable(self._metric):
            metric = self._metric
            found = [np.asarray(metric(point[None], references), np.float32).reshape(-1) for point in self._points]
            return np.array(found, np.float32).reshape(self.n_unique, len(references))
        padded = np.empty((len(self._blocks) * LANES, len(references)), np.float32)
        scaled = self.scaled(references)
        arguments = (self._blocks, scaled, METRICS.index(self._metric), self._gamma, padded)
        over_ranges(lambda first, last: _similarities(first, last, *arguments), np.ones(len(self._blocks), int), self.n_jobs)
        return padded[: self.n_unique]

    def nearest(self, references: ArrayLike) -> NDArray[np.uint8]:
        return super().nearest(_table(references))

    def scaled(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Columns on their scales; rows of length 1 for cosines."""
        scaled = table if self._scale is None else table / self._scale
        return _unit_rows(np.ascontiguousarray(scaled)) if self._metric == "cosine" else np.ascontiguousarray(scaled)

    @cached_property
    def _blocks(self) -> NDArray[np.float64]:
        """Points side by side: ``[block][column][lane]``, the last block filled up with zeros."""
        n_blocks = -(-self.n_unique // LANES)
        padded = np.zeros((n_blocks * LANES, self._points.shape[1]))
        padded[: self.n_unique] = self.scaled(self._points)
        return np.ascontiguousarray(padded.reshape(n_blocks, LANES, -1).transpose(0, 2, 1))


def _similarities_in_numpy(first, last, blocks, references, metric, gamma, result):  # type: ignore[no-untyped-def]
    for block in range(first, last):
        sums = np.zeros((len(references), LANES))
        for value, lanes in zip(references.T[:, :, None], blocks[block], strict=True):
            apart = lanes * value if metric > 1 else lanes - value
            sums += np.abs(apart) if metric == 0 else apart * apart if metric == 1 else apart
        similar = sums if metric > 1 else np.reshape([math.exp(-gamma * own) for own in sums.ravel().tolist()], sums.shape)
        result[block * LANES : (block + 1) * LANES] = similar.T


def _seconds(first, last, blocks, references, *_):  # type: ignore[no-untyped-def]
    return (last - first) * (references.shape[1] * 6e-6 + references.size * 4e-8 + 2e-6 * len(references))


@compiled(seconds=_seconds, plain=_similarities_in_numpy)
def _similarities(first, last, blocks, references, metric, gamma, result):  # type: ignore[no-untyped-def]
    sums = np.empty(LANES)
    for block in range(first, last):
        for reference in range(references.shape[0]):
            for lane in range(LANES):
                sums[lane] = 0
            for column in range(references.shape[1]):
                value, lanes = references[reference, column], blocks[block, column]
                if metric == 0:
                    for lane in range(LANES):
                        sums[lane] += abs(lanes[lane] - value)
                elif metric == 1:
                    for lane in range(LANES):
                        sums[lane] += (lanes[lane] - value) ** 2
                else:
                    for lane in range(LANES):
                        sums[lane] += lanes[lane] * value
            for lane in range(LANES):
                similarity = math.exp(-gamma * sums[lane]) if metric <= 1 else sums[lane]
                result[block * LANES + lane, reference] = similarity


@compiled(seconds=lambda table: 3e-7 * table.size)
def _unit_rows(table):  # type: ignore[no-untyped-def]
    """Rows divided by their length, summed in order; rows of zeros stay."""
    result = np.zeros_like(table)
    for row in range(table.shape[0]):
        square = 0.0
        for value in table[row]:
            square += value * value
        if square > 0:
            for column in range(table.shape[1]):
                result[row, column] = table[row, column] / np.sqrt(square)
    return result


def _table(X: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(X, np.float64)
    if table.ndim != 2:
        raise ParameterError(f"VectorKernel: a table is expected, not an array of shape {table.shape}")
    if not np.isfinite(table).all():
        raise ParameterError("VectorKernel: NaN or infinity in the data")
    return table
