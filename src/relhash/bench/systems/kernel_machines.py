"""Rivals without hashcodes on the summed kernel of several views: linear on Nyström's features, support vector machine.

They get the same views, words and target text as the hashcodes, so that a difference is due to the method.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.bench.bench import Bench, Features
from relhash.bench.rivals.baseline import squeezed
from relhash.bench.systems.system import Outcome, PresetSystem, Work, decision_on, labelled_rows
from relhash.candidates import StructureSet
from relhash.kernels import WordVectors
from relhash.learn.classifier import both_classes, document_folds
from relhash.learn.codes import make_kernels
from relhash.learn.coordinates import inverse_root
from relhash.learn.threshold import choose_threshold
from relhash.model.recipe import Recipe, for_interactions

Floats = NDArray[np.float64]


def fitted_kernels(kernels: Mapping[str, Any], X: StructureSet) -> dict[str, Any]:
    """The kernels with what is chosen from data (scales, γ) fixed on ``X``."""
    return {view: copy(kernel).fit(X[view]) if kernel.needs_fit else kernel for view, kernel in kernels.items()}


def summed_kernel(
    kernels: Mapping[str, Any], X: StructureSet, references: StructureSet, n_jobs: int | None = None
) -> NDArray[np.float32]:
    """Mean over the views of the normalised kernels of ``X`` (rows) and ``references`` (columns)."""
    total = np.zeros((len(X), len(references)), np.float32)
    for view, kernel in kernels.items():
        total += kernel.gram(X[view], references[view], n_jobs=n_jobs)
    return total / np.float32(len(kernels))


def nystroem(kernels: Mapping[str, Any], X: StructureSet, references: StructureSet, n_jobs: int | None = None) -> Floats:
    """Coordinates of ``X`` in the kernel space that references span."""
    # equal references and a word kernel that is not quite definite give values near 0
    root = inverse_root(summed_kernel(kernels, references, references, n_jobs), 1e-6)
    return summed_kernel(kernels, X, references, n_jobs).astype(np.float64) @ root


_REFERENCES = 400
_SCALE = 10.0
"""Nyström's rows are unit vectors: without it the regularisation that suits rows of hundreds of ones is far too strong."""


def _on_roles(preset: Recipe) -> Recipe:
    """The preset with the views of candidates that have a trigger and roles."""
    return replace(preset, views=for_interactions(preset).views)


@dataclass(frozen=True, eq=False, kw_only=True)
class NystroemSystem(PresetSystem):
    """The preset's classifier on Nyström's features of the summed kernel; it has no feature parts."""

    @property
    def has_codes(self) -> bool:  # type: ignore[override]
        return True

    def for_interactions(self) -> Self:
        return replace(self, preset=_on_roles(self.preset))

    def work(self, bench: Bench, draw: int = 0) -> Work:
        key = f"nystroem {self.preset.views} {self.preset.kernel}"
        return decision_on(bench, self.preset.decision, bench.cached(key, partial(self._nystroem, bench)), draw)

    def _nystroem(self, bench: Bench) -> Features:
        """Coordinates by references drawn from both texts."""
        start, task = time.perf_counter(), bench.task
        X = bench.dataset.structures(self.preset.views)
        both = X[np.concatenate([task.train, task.test])]
        kernels = fitted_kernels(make_kernels(self.preset.views, self.preset.kernel, bench.vectors), both)
        drawn = np.random.default_rng(bench.seed).choice(len(both), min(_REFERENCES, len(both)), replace=False)
        references = both[np.sort(drawn)]
        train, test = (
            sparse.csr_matrix(_SCALE * nystroem(kernels, X[rows], references, bench.n_jobs)) for rows in (task.train, task.test)
        )
        return Features(train, test, {}, time.perf_counter() - start)


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelMachineSystem(PresetSystem):
    """A support vector machine on the summed kernel, supervised throughout; of the preset's head only the threshold counts."""

    def for_interactions(self) -> Self:
        return replace(self, preset=_on_roles(self.preset))

    def work(self, bench: Bench, draw: int = 0) -> Work:
        X = bench.dataset.structures(self.preset.views)[np.concatenate([bench.task.train, bench.task.test])]
        return _ByKernel(self.preset, X, bench.y, bench.documents, bench.vectors, draw)


class _ByKernel:
    """Kernel values with labelled candidates are kept for larger draws.

    ``structures`` are the training candidates followed by the test candidates.
    """

    def __init__(
        self,
        preset: Recipe,
        structures: StructureSet,
        y: NDArray[np.bool_],
        documents: NDArray[Any],
        vectors: WordVectors | None,
        draw: int,
    ) -> None:
        self.X, self.y, self.documents, self.draw = structures, y, documents, draw
        self.threshold = preset.decision.threshold
        self.kernels = fitted_kernels(make_kernels(preset.views, preset.kernel, vectors), structures)
        self.known, self.values = np.empty(0, np.int64), np.empty((len(structures), 0), np.float32)

    def __call__(self, n_labels: int | None, n_jobs: int | None = 1) -> Outcome:
        start, y = time.perf_counter(), self.y
        labelled = labelled_rows(y, n_labels, self.draw)
        new = np.setdiff1d(labelled, self.known)
        if new.size:
            more = summed_kernel(self.kernels, self.X, self.X[new], n_jobs)
            self.known, self.values = np.concatenate([self.known, new]), np.hstack([self.values, more])
        order = np.argsort(self.known)
        columns = self.values[:, order[np.searchsorted(self.known, labelled, sorter=order)]]
        square, own = columns[labelled], y[labelled]
        out_of_fold = np.full(own.size, own.mean())
        for rows, held_out in document_folds(own, self.documents[labelled], 3):
            out_of_fold[held_out] = machine_scores(square[np.ix_(rows, rows)], own[rows], square[np.ix_(held_out, rows)])
        scores = machine_scores(square, own, columns[y.size :])
        labels = choose_threshold(self.threshold, own, out_of_fold, target=scores).labels(scores)
        return Outcome(scores, labels, time.perf_counter() - start)


def machine_scores(square: Any, y: NDArray[np.bool_], across: Any) -> Floats:
    """What a support vector machine on the kernel of labelled candidates says of others, from their kernel with these."""
    from sklearn.svm import SVC

    machine = SVC(kernel="precomputed", class_weight="balanced", cache_size=500)
    machine.fit(np.asarray(square, np.float64), both_classes(y))
    return squeezed(machine.decision_function(np.asarray(across, np.float64)))
