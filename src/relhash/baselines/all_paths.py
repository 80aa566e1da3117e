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
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit

from relhash.baselines.contract import Baseline, checked_labels, documents_of
from relhash.baselines.folds import best_held_out
from relhash.baselines.graph_features import AllPathsGraphs, unit_rows
from relhash.structures.candidates import Candidate

__all__ = ["AllPathsGraphKernel", "least_squares"]

Floats = NDArray[np.float64]


class AllPathsGraphKernel(Baseline):
    """Regularised least squares on the normalised all-paths graph kernel.

    Parameters
    ----------
    penalties
        Values of λ to choose from.
    n_folds
        Folds of documents for that choice and for the held-out scores.
    random_state
        Draws the folds.
    n_jobs
        Accepted for the contract; one core is used.

    Attributes
    ----------
    penalty_
        The λ chosen.
    """

    def __init__(
        self,
        penalties: Sequence[float] = (0.1, 0.3, 1.0, 3.0),
        n_folds: int = 3,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.penalties = penalties
        self.n_folds = n_folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        self.graphs_ = AllPathsGraphs()
        X = unit_rows(self.graphs_.fit_transform(candidates))

        def scores_of(penalty: float, train: NDArray[np.int64], test: NDArray[np.int64]) -> Floats:
            return _scores(X[test], *least_squares(X[train], labels[train], penalty))

        chosen = best_held_out(
            tuple(self.penalties), scores_of, labels, documents_of(candidates), n_folds=self.n_folds,
            random_state=self.random_state,
        )  # fmt: skip
        self.penalty_ = chosen.setting
        self.held_out_scores_, self.held_out_labels_ = chosen.scores, labels
        self.weights_, self.intercept_ = least_squares(X, labels, self.penalty_)
        self.classes_ = np.array([False, True])
        return self

    def predict_proba(self, candidates: Sequence[Candidate]) -> Floats:
        positive = _scores(unit_rows(self.graphs_.transform(candidates)), self.weights_, self.intercept_)
        return np.column_stack([1 - positive, positive])


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


def _scores(X: sparse.csr_matrix, weights: Floats, intercept: float) -> Floats:
    squeezed: Floats = expit(2 * (np.asarray(X @ weights, np.float64) + intercept))
    return squeezed
