"""Cells of a table: systems on one training and one test set, with features shared between them.

A :class:`Bench` holds a task and a seed. Codes and other feature parts are computed once on it and shared by all systems that
ask for the same. What is left of a system, its classifier, is a :class:`Job` of plain arrays that another process can do.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.evaluation.baseline_job import BaselineJob, without_gold
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.protocols import Task
from relhash.evaluation.rivals import KernelMachine, Nystroem, fitted_kernels, summed_kernel
from relhash.evaluation.systems import System
from relhash.features.feature_map import CODE_PARTS, blocks, stack
from relhash.kernels import WordVectors
from relhash.learning.decision import Head, HeadSettings
from relhash.learning.folds import document_folds
from relhash.learning.labels import draw_labelled
from relhash.learning.threshold import choose_threshold
from relhash.models.assembly import make_kernels
from relhash.models.code_choice import fit_features
from relhash.models.presets import Preset
from relhash.structures import StructureSet

__all__ = ["Bench", "Job", "KernelJob", "Outcome"]

Outcome = tuple[NDArray[np.float64], NDArray[np.bool_], float]
"""Scores and labels of the test candidates, and the seconds it took, features included whoever computed them."""


@dataclass(frozen=True, eq=False)
class Job:
    """What is left of a system once its features are there: fit a head on some labels, for each number of labels asked for."""

    settings: HeadSettings
    features: _Features
    y: NDArray[np.bool_]
    documents: NDArray[Any]
    seed: int
    draw: int
    label_counts: Sequence[int | None]

    def run(self, n_jobs: int | None = 1) -> list[Outcome]:
        train, test = self.features.train, self.features.test
        outcomes = []
        for n_labels in self.label_counts:
            start = time.perf_counter()
            labelled = np.arange(self.y.size) if n_labels is None else draw_labelled(self.y, n_labels, self.draw)
            head = Head.fit(
                self.settings,
                train[labelled],
                self.y[labelled],
                self.documents[labelled],
                blocks=self.features.columns,
                target=test,
                random_state=self.seed if n_labels is None else self.draw,
                n_jobs=n_jobs,
            )
            scores, _, labels = head.decide(test)
            outcomes.append((scores, labels, self.features.seconds + time.perf_counter() - start))
        return outcomes


@dataclass(frozen=True, eq=False)
class KernelJob:
    """A support vector machine on the summed kernel; kernel values with labelled candidates are kept for larger draws.

    ``structures`` are the training candidates followed by the test candidates.
    """

    preset: Preset
    structures: StructureSet
    y: NDArray[np.bool_]
    documents: NDArray[Any]
    vectors: WordVectors | None
    draw: int
    label_counts: Sequence[int | None]

    def run(self, n_jobs: int | None = 1) -> list[Outcome]:
        X, y = self.structures, self.y
        kernels = fitted_kernels(make_kernels(self.preset, self.vectors), X)
        known, values = np.empty(0, np.int64), np.empty((len(X), 0), np.float32)
        outcomes = []
        for n_labels in self.label_counts:
            start = time.perf_counter()
            labelled = np.arange(y.size) if n_labels is None else draw_labelled(y, n_labels, self.draw)
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
        return scores, choose_threshold(self.preset.head.threshold, y, out_of_fold, adaptation=scores).labels(scores)


class Bench:
    """A training and a test set on which systems are run one after the other, with one seed.

    Parameters
    ----------
    seedless
        Features of the same task that no seed changes (all but codes and landmarks), for benches with other seeds to share.
    """

    def __init__(
        self,
        dataset: Dataset,
        task: Task,
        seed: int,
        *,
        n_jobs: int | None = None,
        vectors: WordVectors | None = None,
        seedless: dict[str, _Features] | None = None,
    ) -> None:
        self.dataset, self.task, self.seed, self.n_jobs, self.vectors = dataset, task, seed, n_jobs, vectors
        self._cache: dict[str, _Features] = {}
        self._seedless: dict[str, _Features] = {} if seedless is None else seedless

    def run(self, system: System, n_labels: int | None = None, draw: int = 0) -> Outcome:
        """Train a system on the training set (or on ``n_labels`` of it) and label the test set."""
        return self.job(system, [n_labels], draw).run(self.n_jobs)[0]

    def job(self, system: System, label_counts: Sequence[int | None], draw: int = 0) -> Job | KernelJob | BaselineJob:
        """The features of a system, computed now or before, and what is left to do; a baseline makes its own features."""
        train, test = self.task.train, self.task.test
        if system.baseline:
            own, other = ([self.dataset.candidates[row] for row in rows] for rows in (train, test))
            y = self.dataset.y[train]
            return BaselineJob(system.baseline, own, y, without_gold(other), self.seed, draw, label_counts)
        if system.rival == "kernel-machine":
            X = self.dataset.structures(system.preset.views)[np.concatenate([train, test])]
            y, documents = self.dataset.y[train], self.dataset.documents[train]
            return KernelJob(system.preset, X, y, documents, self.vectors, draw, label_counts)
        settings = system.preset.head
        if label_counts != [None]:
            settings = replace(settings, n_folds=min(settings.n_folds, 3))
        return Job(
            settings=settings,
            features=self._features(system),
            y=self.dataset.y[train],
            documents=self.dataset.documents[train],
            seed=self.seed,
            draw=draw,
            label_counts=label_counts,
        )

    def _features(self, system: System) -> _Features:
        """Features of the training and the test set, part by part from the cache."""
        preset = system.preset
        if system.rival == "nystroem":
            return _cached(self._cache, f"nystroem {preset.views} {preset.kernel}", partial(self._nystroem, preset))
        parts = _split_parts(preset)
        whole = "+".join(_key(part) for part in parts)
        return _cached(self._cache, whole, partial(self._stacked, parts)) if len(parts) > 1 else self._part(parts[0])

    def _stacked(self, parts: Sequence[Preset]) -> _Features:
        tables = [self._part(part) for part in parts]
        widths = {name: own.stop - own.start for table in tables for name, own in table.columns.items()}
        return _Features(
            stack([table.train for table in tables]),
            stack([table.test for table in tables]),
            blocks(widths),
            sum(table.seconds for table in tables),
        )

    def _part(self, part: Preset) -> _Features:
        return _cached(self._cache if part.has_codes else self._seedless, _key(part), partial(self._fit_part, part))

    def _fit_part(self, part: Preset) -> _Features:
        start = time.perf_counter()
        X = self.dataset.structures(part.all_views)
        train, test = X[self.task.train], X[self.task.test]
        _, features, rows, test_rows = fit_features(
            part,
            train,
            test if part.use_target else None,
            self.dataset.y[self.task.train],
            vectors=self.vectors,
            random_state=self.seed,
            n_jobs=self.n_jobs,
        )
        tables = rows, features.transform(test) if test_rows is None else test_rows
        return _Features(*tables, features.blocks_, time.perf_counter() - start)

    def _nystroem(self, preset: Preset) -> _Features:
        start = time.perf_counter()
        X = self.dataset.structures(preset.views)
        both = np.concatenate([self.task.train, self.task.test])
        features = Nystroem(make_kernels(preset, self.vectors), random_state=self.seed, n_jobs=self.n_jobs).fit(X[both])
        scale = 10.0  # unit vectors: without it the regularisation that suits rows of hundreds of ones is far too strong
        train, test = (sparse.csr_matrix(scale * features.transform(X[rows])) for rows in (self.task.train, self.task.test))
        return _Features(train, test, {}, time.perf_counter() - start)


@dataclass(frozen=True, eq=False)
class _Features:
    """Features of the training and of the test candidates, the columns of each part, and the seconds it took to make them."""

    train: Any
    test: Any
    columns: dict[str, slice]
    seconds: float


def _cached(cache: dict[str, _Features], key: str, make: Callable[[], _Features]) -> _Features:
    if key not in cache:
        cache[key] = make()
    return cache[key]


def _key(part: Preset) -> str:
    """What the features of a part depend on."""
    if part.has_codes:
        return json.dumps(
            [part.parts, part.views, part.learner, part.learner_choices, part.kernel, part.use_target], default=str
        )
    return json.dumps([part.parts, part.ngram_views, part.ngram_sizes, part.use_target], default=str)


def _split_parts(preset: Preset) -> list[Preset]:
    """A preset for each feature part, so that parts are cached by themselves."""
    codes = [part for part in preset.parts if part in CODE_PARTS]
    split = [replace(preset, parts=tuple(codes))] if codes else []
    return split + [replace(preset, parts=(part,)) for part in preset.parts if part not in codes]
