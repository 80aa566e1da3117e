"""The all-paths graph kernel with regularised least squares (Airola et al. 2008).

*All-paths graph kernel for protein-protein interaction extraction with evaluation of cross-corpus learning. BMC Bioinformatics
9 (S11), 2008.*

The kernel is that of :mod:`relhash.baselines.graph_features`, normalised; the learner is the regularised least squares of the
paper. As kernel values are inner products of sparse vectors, the dual system ``(K + λI) a = y`` is solved by conjugate
gradients without ever computing K. Departs: λ is chosen by average precision on folds of training documents instead of AUC; a
constant is added to the kernel in the place of a threshold of the learner's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg

from relhash.baselines.graph_features import AllPathsGraphs, unit_rows
from relhash.baselines.machines import VectorMachine, squeezed
from relhash.structures.candidate import Candidate

Floats = NDArray[np.float64]


class AllPathsGraphKernel(VectorMachine):
    """Regularised least squares on the normalised all-paths graph kernel.

    Parameters
    ----------
    penalties
        Values of λ to choose from.
    n_folds, random_state, n_jobs
        Of :class:`~relhash.baselines.machines.FoldedMachine`.
    """

    def __init__(
        self,
        penalties: Sequence[float] = (0.1, 0.3, 1.0, 3.0),
        n_folds: int = 3,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(n_folds, random_state, n_jobs)
        self.penalties = penalties

    def _settings(self) -> Sequence[float]:
        return self.penalties

    def _learned_rows(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        self.graphs_ = AllPathsGraphs()
        return unit_rows(self.graphs_.fit_transform(candidates))

    def _rows(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        return unit_rows(self.graphs_.transform(candidates))

    def _trained(self, setting: float, X: sparse.csr_matrix, y: NDArray[np.bool_]) -> tuple[Floats, float]:
        return least_squares(X, y, setting)

    def _scores(self, machine: tuple[Floats, float], X: sparse.csr_matrix) -> Floats:
        weights, intercept = machine
        return squeezed(np.asarray(X @ weights, np.float64) + intercept)


def least_squares(X: sparse.csr_matrix, y: NDArray[np.bool_], penalty: float) -> tuple[Floats, float]:
    """Weights and constant of the least-squares fit to labels of ±1 with the penalty ``λ (|w|² + b²)``.

    >>> X = sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0]])
    >>> weights, constant = least_squares(X, np.array([True, False]), 1.0)
    >>> weights.round(3).tolist(), round(constant, 3)
    ([0.5, -0.5], 0.0)
    """
    across = X.T.tocsr()

    def gram_times(a: Floats) -> Floats:
        product: Floats = X @ (across @ a) + a.sum() + penalty * a
        return product

    operator: Any = LinearOperator((len(y), len(y)), matvec=gram_times, dtype=np.float64)
    dual, _ = cg(operator, np.where(y, 1.0, -1.0), rtol=1e-4, maxiter=500)
    return np.asarray(across @ dual, np.float64), float(dual.sum())
