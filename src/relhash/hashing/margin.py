"""Random maximum margin (RMM): the bit is the side of the widest margin between the two sides of the references.

The hyperplane of maximum margin separates its few references, and most of the text may well lie on one side of it: of random
references, four bits in five leave less than 5 % of the candidates on a side. The balanced form keeps the direction and puts
the cut where it halves the candidates of both texts that the function was learned on; new text never moves it. A point without
similarity to any reference gets 0, as in :mod:`relhash.hashing.nearest`, and does not count for the median.

A support vector machine on α points is tiny, and all splits of the same points share one Gram matrix. If every point is a
support vector, the solution is linear in the sides: one inverse of the bordered Gram matrix serves all splits (94–99.9 % of
them). For the rest an active set finds the support vectors, exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled
from relhash.errors import ModelFileError, ParameterError
from relhash.hashing.algorithm import require
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.hashing.information import Clustering
from relhash.hashing.nearest import count_bits
from relhash.kernels.bound import BoundKernel, Kernel

DECIMALS = 8
"""Solutions are rounded to so many: what is left of an inverse beyond them depends on the processor's linear algebra.

Many points lie exactly on a boundary (as similar to one side as to the other). An intercept of 2e-16 in the place of 0 would
put all of them on one side, and one bit that differs makes Algorithm 1 take another way.
"""


def regularised(gram: NDArray[Any], ridge: float) -> NDArray[np.float64]:
    """``gram`` made symmetric and positive definite: shifted by its negative eigenvalue, if any, and by ``ridge``."""
    symmetric = (gram.astype(np.float64) + gram.T) / 2
    lowest = float(np.linalg.eigvalsh(symmetric)[0]) if symmetric.size else 0.0
    return np.asarray(symmetric + (ridge + max(0.0, -lowest)) * np.eye(len(symmetric)))


def margin_solutions(gram: NDArray[np.float64], splits: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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

    >>> coefficients, intercepts = margin_solutions(np.eye(2), np.array([[0, 1]], np.uint8))
    >>> coefficients.tolist(), intercepts.tolist()
    ([[-1.0, 1.0]], [0.0])
    """
    y = 2.0 * splits - 1.0
    # [[K, 1], [1', 0]] [β; b] = [y; 0] for every y at once: β = K⁻¹(y − b), b = u'y / 1'u with u = K⁻¹1
    inverse = np.linalg.inv(gram)
    u = inverse.sum(axis=1)
    intercepts = np.asarray(y @ u / u.sum())
    coefficients = np.asarray((y - intercepts[:, None]) @ inverse)
    one_sided = np.abs(y.sum(axis=1)) == y.shape[1]
    coefficients[one_sided], intercepts[one_sided] = 0.0, y[one_sided, 0]
    for s in np.flatnonzero((coefficients * y).min(axis=1) < -1e-12):
        intercepts[s] = _active_set(gram, y[s], coefficients[s])
    return np.round(coefficients, DECIMALS) + 0.0, np.round(intercepts, DECIMALS) + 0.0  # + 0.0: no negative zeros


@compiled
def _active_set(
    gram: NDArray[np.float64], y: NDArray[np.float64], beta: NDArray[np.float64]
) -> float:  # pragma: no cover - compiled
    """Fill ``beta`` with the coefficients for the sides ``y`` (−1 and 1), return the intercept.

    Lawson and Hanson's scheme on the dual: add the worst violator, step towards the solution of the enlarged set, drop
    whatever becomes negative on the way. The dual objective rises with every step, so no set comes back and the loop ends.
    """
    n = len(y)
    support = np.zeros(n, np.bool_)
    support[np.argmax(y)] = True
    support[np.argmin(y)] = True
    system = np.empty((n + 1, n + 2))
    solution = np.empty(n)
    intercept = _solve_on(gram, y, support, system, beta)
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
            intercept = _solve_on(gram, y, support, system, solution)
            step = 1.0
            blocking = -1
            for i in range(n):
                if support[i] and solution[i] * y[i] < 0.0 and beta[i] / (beta[i] - solution[i]) < step:
                    step = beta[i] / (beta[i] - solution[i])
                    blocking = i
            for i in range(n):
                beta[i] += step * (solution[i] - beta[i])
            if blocking < 0:
                break
            beta[blocking] = 0.0
            support[blocking] = False
    return intercept


@compiled
def _solve_on(
    gram: NDArray[np.float64],
    y: NDArray[np.float64],
    support: NDArray[np.bool_],
    system: NDArray[np.float64],
    beta: NDArray[np.float64],
) -> float:  # pragma: no cover - compiled
    """Coefficients (into ``beta``) and intercept when exactly the points of ``support`` lie on the margin.

    Gaussian elimination with pivoting in ``system``: at this size it is faster than a call of LAPACK.
    """
    n = len(y)
    m = 0
    for i in range(n):
        if support[i]:
            k = 0
            for j in range(n):
                if support[j]:
                    system[m, k] = gram[i, j]
                    k += 1
            m += 1
    row = 0
    for i in range(n):
        if support[i]:
            system[row, m], system[m, row], system[row, m + 1] = 1.0, 1.0, y[i]
            row += 1
    system[m, m], system[m, m + 1] = 0.0, 0.0
    for column in range(m + 1):
        pivot = column
        for row in range(column + 1, m + 1):
            if abs(system[row, column]) > abs(system[pivot, column]):
                pivot = row
        for k in range(column, m + 2):
            system[column, k], system[pivot, k] = system[pivot, k], system[column, k]
        for row in range(column + 1, m + 1):
            factor = system[row, column] / system[column, column]
            for k in range(column, m + 2):
                system[row, k] -= factor * system[column, k]
    for column in range(m, -1, -1):
        value = system[column, m + 1]
        for k in range(column + 1, m + 1):
            value -= system[column, k] * system[k, m + 1]
        system[column, m + 1] = value / system[column, column]
    row = 0
    for i in range(n):
        beta[i] = 0.0
        if support[i]:
            beta[i] = system[row, m + 1]
            row += 1
    return system[m, m + 1]


SAME = 1 - 1e-5  # normalised similarity from which two references are one point for the kernel


class MarginFunction(HashFunction):
    """``bit = [intercept + Σ_r coefficient_r · K(S, r) > cut]``: plain with the cut 0, balanced with no intercept."""

    def __init__(
        self,
        references: Any,
        split: NDArray[np.uint8],
        kernel: Kernel,
        view: str = "",
        *,
        coefficients: NDArray[np.float64],
        intercept: float = 0.0,
        cut: float = 0.0,
    ) -> None:
        super().__init__(references, split, kernel, view)
        self.coefficients = np.ascontiguousarray(coefficients, np.float64)
        self.intercept, self.cut = float(intercept), float(cut)

    def bits(self, bound: BoundKernel) -> NDArray[np.uint8]:
        return above(*project(bound.similarities(self.references), self.coefficients, self.intercept), self.cut)

    @property
    def parameters(self) -> NDArray[Any]:
        return np.append(self.coefficients, self.intercept + self.cut)  # one of them is 0


class MarginResponses(Responses):
    """Similarities of all structures to the references, and the references' own Gram matrix (:func:`regularised`)."""

    def __init__(self, ids: NDArray[np.int64], similarities: NDArray[np.float32], ridge: float) -> None:
        self.ids, self.similarities = ids, similarities
        self.gram = regularised(similarities[ids], ridge)

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        coefficients, intercepts = margin_solutions(self.gram, splits)
        ones = np.zeros((*clustering.totals.shape, len(splits)), np.int64)
        by_reference = np.ascontiguousarray(coefficients.T)
        _count_decisions(self.similarities, by_reference, intercepts, rows, clustering.cells, weights, ones)
        return np.ascontiguousarray(ones.transpose(2, 0, 1))

    def solution(self, split: NDArray[np.uint8]) -> dict[str, Any]:
        """Coefficients and intercept of the function with this split."""
        coefficients, intercepts = margin_solutions(self.gram, split[None])
        return {"coefficients": coefficients[0], "intercept": float(intercepts[0])}

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        solved = self.solution(split)
        return above(*project(self.similarities, solved["coefficients"], solved["intercept"]), 0.0)


class BalancedMarginResponses(MarginResponses):
    """The same; each split is one direction, and one median of what lies along it."""

    def __init__(
        self, ids: NDArray[np.int64], similarities: NDArray[np.float32], ridge: float, n_candidates: NDArray[np.int64]
    ) -> None:
        super().__init__(ids, similarities, ridge)
        self.n_candidates = n_candidates

    def ones(
        self, splits: NDArray[np.uint8], clustering: Clustering, rows: NDArray[np.int32], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        ones = np.zeros((len(splits), *clustering.totals.shape), np.int64)
        for number, coefficients in enumerate(margin_directions(self.gram, splits)):
            count_bits(self._halves(coefficients)[0], rows, clustering.cells, weights, ones[number])
        return ones

    def solution(self, split: NDArray[np.uint8]) -> dict[str, Any]:
        """Coefficients and cut of the function with this split."""
        coefficients = margin_directions(self.gram, split[None])[0]
        return {"coefficients": coefficients, "cut": self._halves(coefficients)[1]}

    def bits(self, split: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return self._halves(margin_directions(self.gram, split[None])[0])[0]

    def _halves(self, coefficients: NDArray[np.float64]) -> tuple[NDArray[np.uint8], float]:
        projections, near = project(self.similarities, coefficients, 0.0)
        cut = median_cut(projections[near], self.n_candidates[near])
        return above(projections, near, cut), cut


class MarginFamily(HashFamily):
    """RMM with ``ridge`` added to the diagonal of the references' Gram matrix.

    The ridge is the slack of a squared-hinge SVM. It keeps the solution finite when references are nearly the same, and when a
    thresholded kernel is not exactly positive definite.
    """

    name = "margin"
    stored: ClassVar[str] = "intercept"
    """What is stored behind the coefficients of a function."""

    def __init__(self, ridge: float = 1e-3) -> None:
        require(ridge > 0, "ridge", ridge, "positive")
        self.ridge = float(ridge)

    @classmethod
    def of_learner(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(parameters["ridge"])

    def respond(self, bound: BoundKernel, ids: NDArray[np.int64]) -> Responses:
        similarities = bound.similarities(bound.unique(ids))
        distinct = distinct_references(similarities[ids])
        return self._responses(bound, ids[distinct], np.ascontiguousarray(similarities[:, distinct]))

    def _responses(self, bound: BoundKernel, ids: NDArray[np.int64], similarities: NDArray[np.float32]) -> MarginResponses:
        return MarginResponses(ids, similarities, self.ridge)

    def function(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, responses: Responses
    ) -> HashFunction:
        assert isinstance(responses, MarginResponses)
        return MarginFunction(references, split, kernel, view, **responses.solution(split))

    def restore(
        self, references: Any, split: NDArray[np.uint8], kernel: Kernel, view: str, parameters: NDArray[Any]
    ) -> HashFunction:
        if parameters.size != split.size + 1 or not np.isfinite(parameters).all():
            raise ModelFileError("a function has another number of coefficients than references, or one that is no number")
        last = {self.stored: float(parameters[-1])}
        return MarginFunction(references, split, kernel, view, coefficients=parameters[:-1], **last)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"ridge": self.ridge}


class BalancedMarginFamily(MarginFamily):
    """RMM cut at the median of both texts."""

    name = "balanced-margin"
    stored = "cut"

    def _responses(self, bound: BoundKernel, ids: NDArray[np.int64], similarities: NDArray[np.float32]) -> MarginResponses:
        n_candidates = np.bincount(bound.rows, minlength=bound.n_unique)
        return BalancedMarginResponses(ids, similarities, self.ridge, n_candidates)


def margin_directions(gram: NDArray[np.float64], splits: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Coefficients of the widest margins; where all references lie on one side, how similar a point is to all of them."""
    coefficients, _ = margin_solutions(gram, splits)
    one_sided = (splits == splits[:, :1]).all(axis=1)
    coefficients[one_sided] = 2.0 * splits[one_sided] - 1.0
    return coefficients


def distinct_references(gram: NDArray[np.float32]) -> NDArray[np.int64]:
    """References that are not a copy, for the kernel, of an earlier one."""
    if not np.isfinite(gram).all():
        raise ParameterError("the kernel has values that are too large or no numbers; scale the data, or take another kernel")
    norms = np.sqrt(np.maximum(gram.diagonal(), 1e-30))
    cosines = gram / norms[:, None] / norms
    kept: list[int] = []
    for i in range(len(gram)):
        if not kept or cosines[i, kept].max() < SAME:
            kept.append(i)
    return np.array(kept, np.int64)


def median_cut(values: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """The number that halves ``values``, each of which occurs ``counts`` times, as evenly as equal values allow.

    It lies in the middle of a gap between two values that occur, so that no bit hangs on the last digit of a similarity. Of two
    gaps that are equally good the lower one is taken. Where all values are the same, nothing lies above the cut.

    >>> median_cut(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 1, 1, 1]))
    2.5
    >>> median_cut(np.array([1.0, 2.0, 3.0]), np.array([1, 5, 2]))  # 1 | 7, or 6 | 2
    2.5
    """
    n_values = int(counts.sum())
    if n_values == 0:
        return 0.0
    middle = float(np.partition(np.repeat(values, counts), n_values // 2)[n_values // 2])
    below, beyond = values < middle, values > middle
    n_below, n_up_to = int(counts[below].sum()), n_values - int(counts[beyond].sum())
    gaps: list[tuple[int, float, float]] = []  # how uneven the halves are, and the values around the cut
    if n_below:
        gaps.append((abs(n_values - 2 * n_below), float(values[below & (counts > 0)].max()), middle))
    if n_up_to < n_values:
        gaps.append((abs(n_values - 2 * n_up_to), middle, float(values[beyond & (counts > 0)].min())))
    if not gaps:
        return middle
    _, low, high = min(gaps)
    cut = low + (high - low) / 2
    return cut if cut < high else low  # neighbours among the floating-point numbers have nothing between them


def above(projections: NDArray[np.float64], near: NDArray[np.bool_], cut: float) -> NDArray[np.uint8]:
    return (near & (projections > cut)).astype(np.uint8)


@compiled
def project(
    similarities: NDArray[np.float32], coefficients: NDArray[np.float64], intercept: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:  # pragma: no cover - compiled
    """Where each point lies along the direction, and whether it resembles any reference.

    Added up in a fixed order, a point at a time: a matrix product may round differently for another number of points.
    """
    n_points, n_references = similarities.shape
    projections = np.full(n_points, intercept)
    near = np.zeros(n_points, np.bool_)
    for i in range(n_points):
        for r in range(n_references):
            near[i] = near[i] or similarities[i, r] != 0
            projections[i] += similarities[i, r] * coefficients[r]
    return projections, near


@compiled
def _count_decisions(
    similarities: NDArray[np.float32],
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    rows: NDArray[np.int32],
    cells: NDArray[np.int32],
    weights: NDArray[np.int64],
    ones: NDArray[np.int64],
) -> None:  # pragma: no cover - compiled
    """Splits lie side by side in ``coefficients`` (references × splits) and ``ones``: the inner loops run over them."""
    n_references, n_splits = coefficients.shape
    n_points, n_kinds = weights.shape
    decisions = np.empty(n_splits)
    for i in range(n_points):
        row = rows[i]
        near = False
        decisions[:] = intercepts
        for r in range(n_references):
            similarity = np.float64(similarities[row, r])
            near = near or similarity != 0
            for s in range(n_splits):
                decisions[s] += similarity * coefficients[r, s]
        if near:
            for kind in range(n_kinds):
                weight = weights[i, kind]
                if weight:
                    for s in range(n_splits):
                        if decisions[s] > 0:
                            ones[cells[i], kind, s] += weight
