"""Random maximum margin (RMM): the bit is the side of the widest margin between the two sides of the references.

A support vector machine on α points is tiny, and all splits of the same references share one Gram matrix. If every reference
is a support vector, its solution is linear in the labels: one inverse of the bordered Gram serves all splits (94–99.9 % of
them). For the rest, :func:`margin_solutions` finds the support vectors with an active set, exactly.

A point without similarity to any reference gets 0, as in :mod:`relhash.hashing.nearest`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clustering
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.kernels.bound import BoundKernel, Kernel
from relhash.kernels.compilation import compiled

__all__ = ["MarginFamily", "MarginFunction", "margin_solutions", "regularised"]

SAME = 1 - 1e-5  # normalised similarity from which two references are one point for the kernel


class MarginFunction(HashFunction):
    """``bit = [Σ_r coefficient_r · K(S, r) + intercept > 0]``."""

    def __init__(
        self,
        references: Any,
        split: NDArray[np.uint8],
        kernel: Kernel,
        view: str = "",
        *,
        coefficients: NDArray[np.float64],
        intercept: float,
    ) -> None:
        super().__init__(references, split, kernel, view)
        self.coefficients = np.ascontiguousarray(coefficients, np.float64)
        self.intercept = float(intercept)

    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return _decide(bound.similarities(self.references), self.coefficients, self.intercept)

    @property
    def parameters(self) -> NDArray[np.float64]:
        return np.append(self.coefficients, self.intercept)


class MarginResponses(Responses):
    """Similarities of all structures to the references, and the references' own Gram matrix."""

    def __init__(self, ids: NDArray[np.int64], similarities: NDArray[np.float32], ridge: float) -> None:
        self.ids, self.similarities = ids, similarities
        self.gram = regularised(similarities[ids], ridge)

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        coefficients, intercepts = margin_solutions(self.gram, np.ascontiguousarray(splits))
        return _count_decisions(
            self.similarities, coefficients, intercepts, rows, clustering.cells, weights, clustering.n_clusters
        )

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        coefficients, intercepts = margin_solutions(self.gram, np.ascontiguousarray(split[None]))
        return _decide(self.similarities, coefficients[0], intercepts[0])


class MarginFamily(HashFamily):
    """RMM with ``ridge`` added to the diagonal of the references' Gram matrix.

    The ridge is the slack of a squared-hinge SVM. It keeps the solution finite when references are nearly the same, and when a
    thresholded kernel is not exactly positive definite.
    """

    name = "margin"

    def __init__(self, ridge: float = 1e-3) -> None:
        self.ridge = ridge

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        similarities = bound.similarities(bound.unique(ids))
        distinct = _distinct(similarities[ids])
        return MarginResponses(ids[distinct], np.ascontiguousarray(similarities[:, distinct]), self.ridge)

    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        assert isinstance(responses, MarginResponses)
        coefficients, intercepts = margin_solutions(responses.gram, np.ascontiguousarray(split[None]))
        return MarginFunction(references, split, kernel, view, coefficients=coefficients[0], intercept=float(intercepts[0]))

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[np.float64]
    ) -> HashFunction:
        return MarginFunction(references, split, kernel, view, coefficients=parameters[:-1], intercept=float(parameters[-1]))

    @property
    def settings(self) -> Mapping[str, float]:
        return {"ridge": self.ridge}


def regularised(gram: NDArray[Any], ridge: float) -> NDArray[np.float64]:
    """``gram`` made symmetric and positive definite: shifted by its negative eigenvalue, if any, and by ``ridge``."""
    symmetric = (gram.astype(np.float64) + gram.T) / 2
    lowest = float(np.linalg.eigvalsh(symmetric)[0]) if symmetric.size else 0.0
    return np.asarray(symmetric + (ridge + max(0.0, -lowest)) * np.eye(len(symmetric)))


def _distinct(gram: NDArray[np.float32]) -> NDArray[np.int64]:
    """References that are not a copy, for the kernel, of an earlier one."""
    norms = np.sqrt(np.maximum(gram.diagonal(), 1e-30))
    cosines = gram / norms[:, None] / norms
    kept: list[int] = []
    for i in range(len(gram)):
        if not kept or cosines[i, kept].max() < SAME:
            kept.append(i)
    return np.array(kept, np.int64)


@compiled
def margin_solutions(
    gram: NDArray[np.float64], splits: NDArray[np.uint8]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # pragma: no cover - compiled
    """Hard-margin support vector machines on the references, one for each split.

    Parameters
    ----------
    gram
        ``(α, α)``, positive definite (see :func:`regularised`).
    splits
        ``(splits, α)`` of 0 and 1.

    Returns
    -------
    Signed coefficients ``(splits, α)`` and intercepts ``(splits,)``; a split with a single side has coefficients 0 and that
    side's sign.
    """
    n_splits, n = splits.shape
    coefficients = np.zeros((n_splits, n))
    intercepts = np.zeros(n_splits)
    # [[K, 1], [1', 0]] [β; b] = [y; 0] solved for every y at once: β = (K⁻¹ − u u'/t) y, b = u'y / t with u = K⁻¹1, t = 1'u
    inverse = np.linalg.inv(gram)
    u = inverse.sum(axis=1)
    t = u.sum()
    for s in range(n_splits):
        y = 2.0 * splits[s] - 1.0
        if np.all(splits[s] == splits[s, 0]):
            intercepts[s] = y[0]
            continue
        intercept = (u * y).sum() / t
        beta = np.zeros(n)
        all_support = True
        for i in range(n):
            value = -u[i] * intercept
            for j in range(n):
                value += inverse[i, j] * y[j]
            beta[i] = value
            if value * y[i] < -1e-12:
                all_support = False
        if not all_support:
            beta, intercept = _active_set(gram, y)
        coefficients[s] = beta
        intercepts[s] = intercept
    return coefficients, intercepts


@compiled
def _active_set(
    gram: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:  # pragma: no cover - compiled
    """Lawson and Hanson's scheme on the dual: add the worst violator, step towards the solution of the enlarged set, drop
    whatever becomes negative on the way. The dual objective rises with every step, so no set comes back and the loop ends.
    """
    n = len(y)
    support = np.zeros(n, np.bool_)
    support[np.argmax(y)] = True
    support[np.argmin(y)] = True
    beta, intercept = _solve_on(gram, y, support)
    for _ in range(100 * n):
        worst = -1
        violation = 1e-9
        for j in range(n):
            if not support[j]:
                decision = intercept
                for i in range(n):
                    decision += gram[j, i] * beta[i]
                if 1.0 - y[j] * decision > violation:
                    violation = 1.0 - y[j] * decision
                    worst = j
        if worst < 0:
            break
        support[worst] = True
        while True:
            solution, intercept = _solve_on(gram, y, support)
            step = 1.0
            for i in range(n):
                if support[i] and solution[i] * y[i] < 0.0:
                    step = min(step, beta[i] / (beta[i] - solution[i]))
            if step >= 1.0:
                beta = solution
                break
            for i in range(n):
                if support[i]:
                    beta[i] += step * (solution[i] - beta[i])
                    if solution[i] * y[i] < 0.0 and beta[i] * y[i] <= 1e-14:
                        beta[i] = 0.0
                        support[i] = False
    return beta, intercept


@compiled
def _solve_on(
    gram: NDArray[np.float64], y: NDArray[np.float64], support: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], float]:  # pragma: no cover - compiled
    """Coefficients and intercept when exactly the points of ``support`` lie on the margin."""
    members = np.flatnonzero(support)
    m = len(members)
    system = np.zeros((m + 1, m + 1))
    right = np.zeros(m + 1)
    for a in range(m):
        for b in range(m):
            system[a, b] = gram[members[a], members[b]]
        system[a, m] = 1.0
        system[m, a] = 1.0
        right[a] = y[members[a]]
    solved = np.linalg.solve(system, right)
    beta = np.zeros(len(y))
    for a in range(m):
        beta[members[a]] = solved[a]
    return beta, solved[m]


@compiled
def _decide(
    similarities: NDArray[np.float32], coefficients: NDArray[np.float64], intercept: float
) -> NDArray[np.uint8]:  # pragma: no cover - compiled
    """Added up in a fixed order, a point at a time: a matrix product may round differently for another number of points."""
    n_points, n_references = similarities.shape
    bits = np.zeros(n_points, np.uint8)
    for i in range(n_points):
        decision = intercept
        near = False
        for r in range(n_references):
            near = near or similarities[i, r] != 0
            decision += similarities[i, r] * coefficients[r]
        bits[i] = near and decision > 0
    return bits


@compiled
def _count_decisions(
    similarities: NDArray[np.float32],
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    rows: NDArray[np.int32],
    cells: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_clusters: int,
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    n_splits, n_references = coefficients.shape
    n_points, n_kinds = weights.shape
    ones = np.zeros((n_clusters, n_kinds, n_splits), np.int64)
    by_reference = coefficients.T.copy()  # splits side by side, so that the inner loops run over them
    decisions = np.empty(n_splits)
    for i in range(n_points):
        row = rows[i]
        near = False
        decisions[:] = intercepts
        for r in range(n_references):
            similarity = np.float64(similarities[row, r])
            near = near or similarity != 0
            for s in range(n_splits):
                decisions[s] += similarity * by_reference[r, s]
        if near:
            for kind in range(n_kinds):
                weight = weights[i, kind]
                if weight:
                    line = ones[cells[i], kind]
                    for s in range(n_splits):
                        if decisions[s] > 0:
                            line[s] += weight
    return ones.transpose(2, 0, 1).copy()
