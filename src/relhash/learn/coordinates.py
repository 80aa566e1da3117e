"""Where a candidate lies in the space of the kernel, seen from the references of the hash functions.

A bit keeps on which side of its references a candidate falls, an α-way code which of them is nearest; how near it is, both
forget. The similarities to all references of a view say it: they give the candidate's projection onto the space that the
references span (Nyström's map). The principal components of these projections, over the candidates of both texts and without a
look at labels, are few enough for trees to cut at and smooth enough for a linear model with a handful of labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.blas import one_blas_thread
from relhash.candidates.structure_set import StructureSet
from relhash.errors import ModelFileError
from relhash.hashing.functions import HashFunction
from relhash.hashing.storage import gather_references
from relhash.hashing.table import data_of_view
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Rows, Text

if TYPE_CHECKING:
    from relhash.learn.codes import Code

MOST_ROWS = 8000
"""Candidates that the components are found from; more change nothing but the time."""
AT_ONCE = 50_000
"""Candidates that are compared with all references at a time: what bounds the memory."""
SMALLEST_EIGENVALUE = 1e-4
"""Beside the largest one; below, equal references and rounding are magnified."""

Floats = NDArray[np.float64]
_Compared = tuple[NDArray[np.float32], NDArray[np.int32]]
"""Similarities of distinct structures and references, and which structure each candidate has."""


@dataclass(frozen=True)
class _References:
    """The distinct references of one view under one kernel."""

    view: str
    kernel: Any
    references: Any
    n: int

    def similarities(self, X: StructureSet, n_jobs: int | None) -> _Compared:
        """Similarities of the distinct structures of ``X`` and the references, and which of them each candidate is."""
        bound = self.kernel.bind(data_of_view(X, self.view), n_jobs=n_jobs)
        return bound.similarities(self.references), bound.rows

    def whitening(self) -> Floats:
        """The map from similarities to coordinates: the inverse root of the references' own similarities."""
        return inverse_root(self.kernel.bind(self.references).similarities(self.references), SMALLEST_EIGENVALUE)


def inverse_root(gram: NDArray[Any], smallest: float) -> Floats:
    """Nyström's map: ``similarities @ inverse_root(gram)`` are coordinates in the space that the references of ``gram`` span.

    Directions whose eigenvalue is below ``smallest`` times the largest are left out.

    >>> np.abs(inverse_root(np.array([[4.0, 0], [0, 1e-9]]), 1e-6)).tolist()
    [[0.5], [0.0]]
    """
    values, vectors = np.linalg.eigh((gram.astype(np.float64) + gram.T.astype(np.float64)) / 2)
    kept = values > smallest * max(values[-1], 0.0)
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))


class CoordinatesPart(FeaturePart):
    """Principal components of the candidates in the space that the references of the hash functions span.

    Parameters
    ----------
    n_components
        How many components to keep (fewer when the references span less).
    """

    name: ClassVar[str] = "coordinates"
    code_output: ClassVar[str | None] = "functions"
    offset_: NDArray[np.float32]
    projection_: list[NDArray[np.float32]]

    def __init__(self, n_components: int = 120) -> None:
        self.n_components = n_components

    def fit(self, text: Text, target: Text | None = None) -> CoordinatesPart:
        """Find the components from the candidates of both texts."""
        self.fit_transform(text, target)
        return self

    def fit_transform(self, text: Text, target: Text | None = None) -> Rows:
        """Compare the candidates of both texts with the references once, unless they are too many to keep all similarities."""
        learner = text.code.learner
        self._n_jobs = learner.n_jobs
        self._references = references_of(learner.functions_)
        structures = [one.structures for one in (text, target) if one is not None]
        n = sum(map(len, structures))
        chosen = np.sort(np.random.default_rng(learner.random_state).choice(n, min(n, MOST_ROWS), replace=False))
        is_small = n <= AT_ONCE
        if not is_small:
            structures, chosen = _selected(structures, chosen), np.arange(chosen.size)
        points = StructureSet.concatenate(structures)
        compared = [own.similarities(points, self._n_jobs) for own in self._references]
        with one_blas_thread():  # the last digits of a product depend on the number of threads
            maps = [own.whitening() for own in self._references]
            placed = np.hstack([_of_rows(*both, chosen, own) for both, own in zip(compared, maps, strict=True)])
            mean = placed.mean(axis=0)
            values, vectors = np.linalg.eigh((placed - mean).T @ (placed - mean))
            components = vectors[:, np.argsort(-values, kind="stable")[: min(self.n_components, *placed.shape)]]
            # a component is as good as its mirror image: take the one that does not depend on the library
            components *= np.sign(components[np.abs(components).argmax(axis=0), np.arange(components.shape[1])])
            stops = np.cumsum([own.shape[1] for own in maps])[:-1]
            # single precision is what a model file holds: from the first use on, so that a stored model gives the same digits
            self.projection_ = [
                (own @ part).astype(np.float32) for own, part in zip(maps, np.split(components, stops), strict=True)
            ]
            self.offset_ = (mean @ components).astype(np.float32)
        if not is_small:
            return self.transform(text), None if target is None else self.transform(target)
        rows = self._placed(compared, n)
        return sparse.csr_matrix(rows[: len(text)]), None if target is None else sparse.csr_matrix(rows[len(text) :])

    def transform(self, text: Text) -> sparse.csr_matrix:
        X = text.structures
        blocks = []
        for start in range(0, len(X), AT_ONCE):
            some = X[start : start + AT_ONCE]
            blocks.append(self._placed([own.similarities(some, self._n_jobs) for own in self._references], len(some)))
        return sparse.csr_matrix(np.concatenate(blocks) if blocks else np.empty((0, self.offset_.size), np.float32))

    def _placed(self, compared: Sequence[_Compared], n: int) -> NDArray[np.float32]:
        """The coordinates of ``n`` candidates; each row depends on its own candidate alone, to the last digit."""
        total = np.tile(-self.offset_.astype(np.float64), (n, 1))
        for (similarities, rows), projection in zip(compared, self.projection_, strict=True):
            # a sparse product adds up one row at a time; the digits of a dense one depend on how many rows there are
            total += (sparse.csr_matrix(similarities, dtype=np.float64) @ projection.astype(np.float64))[rows]
        return total.astype(np.float32)  # more digits than the projections have mean nothing

    @property
    def columns(self) -> list[str]:
        return [f"coordinate {number}" for number in range(len(self.offset_))]

    def attach(self, code: Code | None) -> None:
        if code is None:
            raise ModelFileError("coordinates: there are no hash functions whose references they are seen from")
        self._references, self._n_jobs = references_of(code.learner.functions_), code.learner.n_jobs
        shapes = [(own.n, self.offset_.size) for own in self._references]
        if self.offset_.ndim != 1 or [own.shape for own in self.projection_] != shapes:
            raise ModelFileError("coordinates: their projections do not fit the references of the hash functions")
        if not all(np.isfinite(own).all() for own in (self.offset_, *self.projection_)):
            raise ModelFileError("coordinates: a projection holds something that is not a number")


def _selected(texts: Sequence[StructureSet], chosen: NDArray[np.int64]) -> list[StructureSet]:
    """Of each text the candidates that were chosen, by numbers in order that run through all of them."""
    stops = np.cumsum([len(text) for text in texts])
    by_text = np.split(chosen, np.searchsorted(chosen, stops[:-1]))
    return [text[own - (stop - len(text))] for text, own, stop in zip(texts, by_text, stops, strict=True)]


def _of_rows(
    similarities: NDArray[np.float32], rows: NDArray[np.int32], chosen: NDArray[np.int64], whitening: Floats
) -> Floats:
    """Where the chosen candidates lie in the space of the references of one view."""
    used, own = np.unique(rows[chosen], return_inverse=True)
    return np.asarray((similarities[used] @ whitening)[own])


def references_of(functions: Sequence[HashFunction]) -> list[_References]:
    """The distinct references of all functions, by view and kernel, in the order in which these first come."""
    gathered = []
    for view, kernel in dict.fromkeys((function.view, function.kernel) for function in functions):
        own = [function for function in functions if function.view == view and function.kernel is kernel]
        bound = kernel.bind(gather_references(own)[view])
        gathered.append(_References(view, kernel, bound.unique(np.arange(bound.n_unique)), bound.n_unique))
    return gathered


FEATURE_PARTS.register(CoordinatesPart.name, CoordinatesPart)
