"""Support vector machines on kernels of paths: shortest dependency paths (Tikk 2010), semantic paths (Garg 2016).

*Bunescu and Mooney 2005; Tikk et al. 2010, A comprehensive benchmark of kernel methods to extract protein-protein interactions
from literature; Garg et al. 2016, Extracting biomolecular interactions using semantic parsing of biomedical text.*

Both compare paths by shared subsequences with gaps, through the compiled kernel of :mod:`relhash.kernels`, and give the kernel
to a support vector machine with classes weighted inversely to their frequency. Candidates with the same path and label are one
point with a weight, which is exact and much smaller. The regularisation C is chosen by average precision on folds of training
documents. A training set of more than 10,000 candidates is thinned to that number for the machine (the rarer class stays as
far as it is half of them), while held-out scores are given to all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.bench.rivals.baseline import FoldedMachine, squeezed, thinned
from relhash.candidates import StructureSet, build_structures
from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.kernels import PathKernel, WordSimilarity

Floats = NDArray[np.float64]
ROLE_VIEWS = ("role(cause)", "role(theme)", "role(theme2)")


class PathKernelMachine(FoldedMachine):
    """Support vector machine on the mean of the normalised path kernels of some views.

    Attributes
    ----------
    views_
        What was compared: paths from the trigger to each role where the candidates have triggers, else paths between mentions.
    points_
        The distinct training candidates that support the machine.
    """

    strengths: ClassVar[Sequence[float]] = (0.1, 1.0, 10.0)
    max_points: ClassVar[int] = 10_000
    points_: StructureSet
    pair_views: ClassVar[tuple[str, ...]]
    """Views of candidates without a trigger."""

    @abstractmethod
    def _similarity(self) -> WordSimilarity:
        """How alike two labels of a path are."""

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        super().fit(candidates, y, target=target)
        self.points_ = self.points_[self.machine_.support]  # all that scores of others need
        self.machine_.support = np.arange(len(self.points_))
        return self

    def _learned(self, candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> Any:
        self.views_ = ROLE_VIEWS if TRIGGER in candidates[0].roles else self.pair_views
        X = build_structures(candidates, self.views_)
        shape_of, first = _distinct(X, self.views_)
        is_point = thinned(y, self.max_points, self.random_state)
        kept, columns = np.unique(shape_of[is_point], return_inverse=True)
        self.points_ = X[first[kept]]
        gram = self._gram(X[first])
        column_of = np.full(y.size, -1)
        column_of[is_point] = columns
        return gram, shape_of, gram[kept], column_of

    def _prepared(self, candidates: Sequence[Candidate]) -> tuple[Any, NDArray[np.int64]]:
        return self._gram(build_structures(candidates, self.views_)), np.arange(len(candidates))

    def _gram(self, X: StructureSet) -> NDArray[np.float32]:
        kernel = PathKernel(self._similarity(), max_length=4, gap_decay=0.8)
        total = np.zeros((len(X), len(self.points_)))
        for view in self.views_:
            total += kernel.gram(X[view], self.points_[view], n_jobs=self.n_jobs) * np.float64(1 / len(self.views_))  # type: ignore[arg-type]
        return total.astype(np.float32)

    def _trained(self, strength: float, X: Any, y: NDArray[np.bool_], rows: NDArray[np.int64]) -> _Machine:
        _, _, among_points, column_of = X
        own = rows[column_of[rows] >= 0]
        return _Machine(strength).fit(among_points, column_of[own], y[own])

    def _scores(self, machine: _Machine, X: Any, rows: NDArray[np.int64]) -> Floats:
        gram, shape_of, *_ = X
        return machine.scores(gram[np.ix_(shape_of[rows], machine.support)])


class ShortestPathKernel(PathKernelMachine):
    """Subsequences of the shortest dependency path and of the path with its neighbours, as labels that match or do not.

    Follows the path kernels of Bunescu and Mooney (2005) and kBSPS, among the best in Tikk et al. (2010): words and dependency
    labels along the shortest path, and a band of words that depend on it. Departs: subsequences with gaps instead of walks of
    fixed length, the band holds modifiers only (negation, auxiliaries, prepositions), C is chosen rather than scanned.
    """

    pair_views: ClassVar[tuple[str, ...]] = ("path+edges", "path+context")

    def _similarity(self) -> WordSimilarity:
        return WordSimilarity()


class SemanticPathKernel(PathKernelMachine):
    """Subsequences of paths in the meaning graph of a sentence, words compared by their vectors.

    Follows Garg et al. (2016): the kernel of paths from the interaction's trigger to its participants in an AMR graph, with
    word vectors. Where candidates carry dependency graphs, the same kernel runs on these. Departs: one parse instead of an
    ensemble over sentences, our word vectors.
    """

    pair_views: ClassVar[tuple[str, ...]] = ("path+edges",)

    def _similarity(self) -> WordSimilarity:
        return WordSimilarity.from_vectors()


class _Machine:
    """A support vector machine on a precomputed kernel of distinct shapes."""

    def __init__(self, C: float) -> None:
        self.C = C

    def fit(self, gram: NDArray[np.float32], shape_of: NDArray[np.int64], y: NDArray[np.bool_]) -> Self:
        """``gram`` is the kernel of all shapes; ``shape_of`` and ``y`` are the shape and label of each training candidate."""
        from sklearn.svm import SVC

        points, counts = np.unique(np.column_stack([shape_of, y]), axis=0, return_counts=True)
        shapes, labels = points[:, 0], points[:, 1].astype(bool)
        class_weight = np.where(labels, y.size / (2 * y.sum()), y.size / (2 * (~y).sum()))
        svc = SVC(C=self.C, kernel="precomputed", cache_size=500)
        square = gram[np.ix_(shapes, shapes)].astype(np.float64)
        square = (square + square.T) / 2  # the two triangles are summed in different orders
        svc.fit(square, labels, sample_weight=counts * class_weight)
        self.support: NDArray[np.int64] = shapes[svc.support_]
        self.weights: Floats = svc.dual_coef_[0]
        self.intercept = float(svc.intercept_[0])
        return self

    def scores(self, kernel: NDArray[Any]) -> Floats:
        """From the kernel with :attr:`support`, squeezed into the unit interval."""
        return squeezed(kernel @ self.weights + self.intercept)


def _distinct(X: StructureSet, views: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of each candidate's shape (its sequences in all views), and a candidate of each shape."""
    table = np.column_stack([np.asarray(X[view].rows, np.int64) for view in views])  # type: ignore[union-attr]
    _, first, number = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return number.ravel(), first
