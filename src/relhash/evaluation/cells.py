"""One cell of a table: one system on one training and one test set, with features shared between systems.

A :class:`Bench` holds a task and a seed. Codes and other feature parts are computed once on it and shared by all systems that
ask for the same.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.evaluation.dataset import Dataset
from relhash.evaluation.protocols import Task
from relhash.evaluation.rivals import KernelMachine, Nystroem, fitted_kernels, summed_kernel
from relhash.evaluation.systems import System
from relhash.kernels import WordVectors
from relhash.models.assembly import make_features, make_kernels
from relhash.models.features import blocks, stack
from relhash.models.head import Head
from relhash.models.labels import draw_labelled
from relhash.models.presets import Preset
from relhash.models.selection import document_folds
from relhash.models.threshold import choose_threshold

__all__ = ["Bench", "Outcome"]

Features = tuple[Any, Any, dict[str, slice]]
"""Features of the training and of the test candidates, and the columns of each part."""

Outcome = tuple[NDArray[np.float64], NDArray[np.bool_], float]
"""Scores and labels of the test candidates, and the seconds it took (shared work counts for the system that did it first)."""


class Bench:
    """A training and a test set on which systems are run one after the other, with one seed."""

    def __init__(
        self, dataset: Dataset, task: Task, seed: int, *, n_jobs: int | None = None, vectors: WordVectors | None = None
    ) -> None:
        self.dataset, self.task, self.seed, self.n_jobs, self.vectors = dataset, task, seed, n_jobs, vectors
        self._parts: dict[str, Features] = {}
        self._kernel: dict[str, NDArray[np.float32]] = {}

    def run(self, system: System, n_labels: int | None = None, draw: int = 0) -> Outcome:
        """Train a system on the training set (or on ``n_labels`` of it) and label the test set."""
        start = time.perf_counter()
        y = self.dataset.y[self.task.train]
        labelled = np.arange(y.size) if n_labels is None else draw_labelled(y, n_labels, draw)
        if system.rival == "kernel-machine":
            scores, labels = self._kernel_machine(system, labelled, y, draw)
        else:
            scores, labels = self._with_head(system, labelled, y, draw if n_labels is not None else self.seed)
        return scores, labels, time.perf_counter() - start

    def _with_head(self, system: System, labelled: NDArray[np.int64], y: NDArray[np.bool_], seed: int) -> Any:
        train, test, columns = self._features(system)
        documents = self.dataset.documents
        head = Head.fit(
            system.preset.head,
            train[labelled],
            y[labelled],
            documents[self.task.train][labelled],
            target=test if system.preset.use_target else None,
            target_documents=documents[self.task.test] if system.preset.use_target else None,
            blocks=columns,
            random_state=seed,
            n_jobs=self.n_jobs,
        )
        scores, _, labels = head.decide(test)
        return scores, labels

    def _features(self, system: System) -> Features:
        """Features of the training and the test set, part by part from the cache, and the columns of each part."""
        if system.rival == "nystroem":
            key = f"nystroem {system.preset.views} {system.preset.kernel}"
            return self._cached(key, lambda: self._nystroem(system.preset))
        parts = _split_parts(system.preset)
        tables = [self._cached(_key(part), partial(self._fit_part, part)) for part in parts]
        widths = {name: own.stop - own.start for _, _, columns in tables for name, own in columns.items()}
        return stack([train for train, _, _ in tables]), stack([test for _, test, _ in tables]), blocks(widths)

    def _fit_part(self, part: Preset) -> Features:
        X = self.dataset.structures(part.all_views)
        train, test = X[self.task.train], X[self.task.test]
        kernels = make_kernels(part, self.vectors) if part.has_codes else {}
        features = make_features(part, kernels, random_state=self.seed, n_jobs=self.n_jobs)
        features.fit(train, target=test if part.use_target else None, y=self.dataset.y[self.task.train])
        return features.transform(train), features.transform(test), features.blocks_

    def _nystroem(self, preset: Preset) -> Features:
        X = self.dataset.structures(preset.views)
        both = np.concatenate([self.task.train, self.task.test])
        features = Nystroem(make_kernels(preset, self.vectors), random_state=self.seed, n_jobs=self.n_jobs).fit(X[both])
        scale = 10.0  # unit vectors: without it the regularisation that suits rows of hundreds of ones is far too strong
        train, test = (sparse.csr_matrix(scale * features.transform(X[rows])) for rows in (self.task.train, self.task.test))
        return train, test, {}

    def _kernel_machine(self, system: System, labelled: NDArray[np.int64], y: NDArray[np.bool_], draw: int) -> Any:
        """A support vector machine on the summed kernel; draws with fewer labels are parts of those with more."""
        preset = system.preset
        X = self.dataset.structures(preset.views)
        if "kernels" not in self.__dict__:
            both = np.concatenate([self.task.train, self.task.test])
            self.kernels = fitted_kernels(make_kernels(preset, self.vectors), X[both])
        train = self.task.train
        columns = self._columns(X, labelled, draw)
        square, across = columns[labelled], columns[train.size :]
        documents = self.dataset.documents[train][labelled]
        out_of_fold = np.full(labelled.size, y[labelled].mean())
        for rows, held_out in document_folds(y[labelled], documents, 3):
            machine = KernelMachine().fit(square[np.ix_(rows, rows)], y[labelled][rows])
            out_of_fold[held_out] = machine.scores(square[np.ix_(held_out, rows)])
        scores = KernelMachine().fit(square, y[labelled]).scores(across)
        threshold = choose_threshold(preset.head.threshold, y[labelled], out_of_fold, adaptation=scores)
        return scores, threshold.labels(scores)

    def _columns(self, X: Any, labelled: NDArray[np.int64], draw: int) -> NDArray[np.float32]:
        """Kernel of all training and test candidates with the labelled ones, kept from smaller draws of the same seed."""
        both = np.concatenate([self.task.train, self.task.test])
        known = self._kernel.get(f"{draw} rows", np.empty(0, np.int64))
        values = self._kernel.get(f"{draw} values", np.empty((both.size, 0), np.float32))
        new = np.setdiff1d(labelled, known)
        if new.size:
            more = summed_kernel(self.kernels, X[both], X[self.task.train[new]], self.n_jobs)
            known, values = np.concatenate([known, new]), np.hstack([values, more])
            self._kernel = {f"{draw} rows": known, f"{draw} values": values}
        order = np.argsort(known)
        return values[:, order[np.searchsorted(known, labelled, sorter=order)]]

    def _cached(self, key: str, make: Callable[[], Features]) -> Features:
        if key not in self._parts:
            self._parts[key] = make()
        return self._parts[key]


def _key(part: Preset) -> str:
    """What the features of a part depend on."""
    if part.has_codes:
        return json.dumps([part.parts, part.views, part.learner, part.kernel, part.use_target], default=str)
    return json.dumps([part.parts, part.ngram_views, part.ngram_sizes, part.use_target], default=str)


def _split_parts(preset: Preset) -> list[Preset]:
    """A preset for each feature part, so that parts are cached by themselves."""
    codes = [part for part in preset.parts if part in ("bits", "nearest")]
    split = [replace(preset, parts=tuple(codes))] if codes else []
    return split + [replace(preset, parts=(part,)) for part in preset.parts if part not in codes]
