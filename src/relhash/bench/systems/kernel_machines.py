"""Rivals without hashcodes on the summed kernel of several views: linear on Nyström's features, support vector machine.

They get the same views, words and target text as the hashcodes, so that a difference is due to the method.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.bench.bench import Bench, Features
from relhash.bench.systems.system import DecisionJob, LabelCounts, Outcome, PresetSystem, labelled_rows
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


class Nystroem:
    """Coordinates in kernel space spanned by references drawn from both texts."""

    def __init__(self, kernels: Mapping[str, Any], n_references: int = 400, random_state: int = 0, n_jobs: int | None = None):
        self.kernels, self.n_references, self.random_state, self.n_jobs = kernels, n_references, random_state, n_jobs

    def fit(self, X: StructureSet) -> Self:
        """``X`` holds the candidates from which references are drawn."""
        rng = np.random.default_rng(self.random_state)
        self.kernels_ = fitted_kernels(self.kernels, X)
        self.references_ = X[np.sort(rng.choice(len(X), min(self.n_references, len(X)), replace=False))]
        gram = summed_kernel(self.kernels_, self.references_, self.references_, self.n_jobs)
        # equal references and a word kernel that is not quite definite give values near 0
        self.map_: Floats = inverse_root(gram, 1e-6)
        return self

    def transform(self, X: StructureSet) -> Floats:
        return summed_kernel(self.kernels_, X, self.references_, self.n_jobs).astype(np.float64) @ self.map_


class KernelMachine:
    """Support vector machine on a precomputed kernel; a classifier whose features are kernel values to the labelled candidates.

    ``fit(K, y)`` takes the square kernel of the labelled candidates, ``scores(K)`` the kernel of others with them.
    """

    kind: ClassVar[str] = "kernel-machine"

    def __init__(self, C: float = 1.0) -> None:
        self.C = C

    def fit(self, K: NDArray[Any], y: ArrayLike) -> Self:
        from sklearn.svm import SVC

        self._machine = SVC(C=self.C, kernel="precomputed", class_weight="balanced", cache_size=500)
        self._machine.fit(np.asarray(K, np.float64), both_classes(y))
        return self

    def scores(self, K: NDArray[Any]) -> Floats:
        """The decision value, squeezed into the unit interval so that it reads like the other scores."""
        from scipy.special import expit

        squeezed: Floats = expit(2 * self._machine.decision_function(np.asarray(K, np.float64)))
        return squeezed


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

    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> DecisionJob:
        preset = self.preset
        features = bench.cached(f"nystroem {preset.views} {preset.kernel}", partial(self._features, bench))
        return DecisionJob.on(bench, preset.decision, features, label_counts, draw)

    def _features(self, bench: Bench) -> Features:
        start = time.perf_counter()
        X, task = bench.dataset.structures(self.preset.views), bench.task
        kernels = make_kernels(self.preset.views, self.preset.kernel, bench.vectors)
        map_ = Nystroem(kernels, random_state=bench.seed, n_jobs=bench.n_jobs).fit(X[np.concatenate([task.train, task.test])])
        train, test = (sparse.csr_matrix(_SCALE * map_.transform(X[rows])) for rows in (task.train, task.test))
        return Features(train, test, {}, time.perf_counter() - start)


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelMachineSystem(PresetSystem):
    """A support vector machine on the summed kernel, supervised throughout; of the preset's head only the threshold counts."""

    def for_interactions(self) -> Self:
        return replace(self, preset=_on_roles(self.preset))

    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> KernelJob:
        X = bench.dataset.structures(self.preset.views)[np.concatenate([bench.task.train, bench.task.test])]
        return KernelJob(self.preset, X, bench.y, bench.documents, bench.vectors, draw, label_counts)


@dataclass(frozen=True, eq=False)
class KernelJob:
    """Kernel values with labelled candidates are kept for larger draws.

    ``structures`` are the training candidates followed by the test candidates.
    """

    preset: Recipe
    structures: StructureSet
    y: NDArray[np.bool_]
    documents: NDArray[Any]
    vectors: WordVectors | None
    draw: int
    label_counts: LabelCounts

    def run(self, n_jobs: int | None = 1) -> list[Outcome]:
        X, y = self.structures, self.y
        kernels = fitted_kernels(make_kernels(self.preset.views, self.preset.kernel, self.vectors), X)
        known, values = np.empty(0, np.int64), np.empty((len(X), 0), np.float32)
        outcomes = []
        for n_labels in self.label_counts:
            start = time.perf_counter()
            labelled = labelled_rows(y, n_labels, self.draw)
            new = np.setdiff1d(labelled, known)
            if new.size:
                more = summed_kernel(kernels, X, X[new], n_jobs)
                known, values = np.concatenate([known, new]), np.hstack([values, more])
            order = np.argsort(known)
            columns = values[:, order[np.searchsorted(known, labelled, sorter=order)]]
            scores, labels = self._decide(columns[labelled], columns[y.size :], y[labelled], self.documents[labelled])
            outcomes.append(Outcome(scores, labels, time.perf_counter() - start))
        return outcomes

    def _decide(self, square: Any, across: Any, y: NDArray[np.bool_], documents: NDArray[Any]) -> Any:
        out_of_fold = np.full(y.size, y.mean())
        for rows, held_out in document_folds(y, documents, 3):
            machine = KernelMachine().fit(square[np.ix_(rows, rows)], y[rows])
            out_of_fold[held_out] = machine.scores(square[np.ix_(held_out, rows)])
        scores = KernelMachine().fit(square, y).scores(across)
        return scores, choose_threshold(self.preset.decision.threshold, y, out_of_fold, target=scores).labels(scores)
