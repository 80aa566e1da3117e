"""Rivals without hashcodes on the summed kernel of the same views: linear on Nyström's features, support vector machine."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.evaluation.bench import Bench, Features
from relhash.evaluation.systems.preset import DecisionJob, identity_of
from relhash.evaluation.systems.summed_kernel import KernelMachine, Nystroem, fitted_kernels, summed_kernel
from relhash.evaluation.systems.system import Job, LabelCounts, Outcome, System, labelled_rows
from relhash.features.codes import make_kernels
from relhash.kernels import WordVectors
from relhash.learning.folds import document_folds
from relhash.learning.threshold import choose_threshold
from relhash.models.interaction_presets import for_interactions
from relhash.models.presets import Preset
from relhash.structures import StructureSet

_SCALE = 10.0
"""Nyström's rows are unit vectors: without it the regularisation that suits rows of hundreds of ones is far too strong."""


@dataclass(frozen=True, eq=False)
class KernelSystem(System):
    """A system of which the preset says views, kernel, classifier and threshold; it has no feature parts."""

    name: str
    preset: Preset
    deterministic: bool = False

    @property
    def summary(self) -> str:
        return self.preset.summary

    @property
    def paper_f1(self) -> Mapping[str, float]:
        return {}

    @property
    def identity(self) -> str:
        return identity_of(self, self.preset)

    def for_interactions(self) -> Self:
        return replace(self, preset=replace(self.preset, views=for_interactions(self.preset).views))

    @abstractmethod
    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> Job: ...


class NystroemSystem(KernelSystem):
    """The preset's classifier on Nyström's features of the summed kernel."""

    @property
    def has_codes(self) -> bool:
        return True

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


class KernelMachineSystem(KernelSystem):
    """A support vector machine on the summed kernel, supervised throughout; of the preset's head only the threshold counts."""

    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> KernelJob:
        X = bench.dataset.structures(self.preset.views)[np.concatenate([bench.task.train, bench.task.test])]
        return KernelJob(self.preset, X, bench.y, bench.documents, bench.vectors, draw, label_counts)


@dataclass(frozen=True, eq=False)
class KernelJob:
    """Kernel values with labelled candidates are kept for larger draws.

    ``structures`` are the training candidates followed by the test candidates.
    """

    preset: Preset
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
            outcomes.append((scores, labels, time.perf_counter() - start))
        return outcomes

    def _decide(self, square: Any, across: Any, y: NDArray[np.bool_], documents: NDArray[Any]) -> Any:
        out_of_fold = np.full(y.size, y.mean())
        for rows, held_out in document_folds(y, documents, 3):
            machine = KernelMachine().fit(square[np.ix_(rows, rows)], y[rows])
            out_of_fold[held_out] = machine.scores(square[np.ix_(held_out, rows)])
        scores = KernelMachine().fit(square, y).scores(across)
        return scores, choose_threshold(self.preset.decision.threshold, y, out_of_fold, target=scores).labels(scores)
