"""A baseline in a cell of a table: fitted on the training candidates, judged on the test candidates, its threshold honest."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from relhash.baselines import BASELINES, BaselineEntry
from relhash.blas import one_blas_thread
from relhash.corpus import Document
from relhash.corpus.answers import without_answers
from relhash.errors import ParameterError
from relhash.evaluation.bench import Bench
from relhash.evaluation.systems.system import LabelCounts, Outcome, System, labelled_rows
from relhash.learning.threshold import choose_threshold
from relhash.structures import Candidate


@dataclass(frozen=True, eq=False)
class BaselineSystem(System):
    """A baseline of the literature; it makes its own features of any candidates."""

    name: str
    deterministic: bool
    uses_baselines = True

    @classmethod
    def called(cls, name: str) -> BaselineSystem:
        """The baseline of this name in :data:`relhash.baselines.BASELINES`."""
        return cls(name, BASELINES[name].deterministic)

    @property
    def entry(self) -> BaselineEntry:
        return BASELINES[self.name]

    @property
    def summary(self) -> str:
        return self.entry.summary

    @property
    def paper_f1(self) -> Mapping[str, float]:
        return self.entry.paper_f1

    @property
    def identity(self) -> str:
        return f"{self.name} {self.entry.revision}"

    @property
    def needs(self) -> str:
        return self.entry.needs

    def for_interactions(self) -> BaselineSystem:
        return self

    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> BaselineJob:
        train, test = bench.candidates()
        return BaselineJob(self.name, train, bench.y, without_gold(test), bench.seed, draw, label_counts)


@dataclass(frozen=True, eq=False)
class BaselineJob:
    """Fit a baseline on some labels, for each number of labels asked for.

    ``test`` must hold nothing that tells its labels (see :func:`without_gold`): a transductive baseline is given all of it.
    """

    name: str
    train: Sequence[Candidate]
    y: NDArray[np.bool_]
    test: Sequence[Candidate]
    seed: int
    draw: int
    label_counts: LabelCounts

    def run(self, n_jobs: int | None = 1) -> list[Outcome]:
        entry = BASELINES[self.name]
        with _one_thread(entry):
            return [self._outcome(entry, n_labels, n_jobs) for n_labels in self.label_counts]

    def _outcome(self, entry: BaselineEntry, n_labels: int | None, n_jobs: int | None) -> Outcome:
        start = time.perf_counter()
        rows = labelled_rows(self.y, n_labels, self.draw)
        estimator = entry.made(self.seed if n_labels is None else self.draw, n_jobs)
        estimator.fit([self.train[row] for row in rows], self.y[rows], target=self.test if entry.transductive else None)
        scores = np.asarray(estimator.predict_proba(self.test)[:, 1], np.float64)
        if scores.shape != (len(self.test),) or not np.isfinite(scores).all():
            raise ParameterError(f"{entry.name}: not every candidate has got a finite score (seed {self.seed})")
        threshold = choose_threshold(
            "fraction", estimator.held_out_labels_, estimator.held_out_scores_, target=scores
        )  # as every other row: the share of candidates that is best on the training side
        return scores, threshold.labels(scores), time.perf_counter() - start


def without_gold(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with all that tells their labels taken out, of themselves and of their documents.

    >>> from relhash.corpus import Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> known = Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"), ("binds",))
    >>> without_gold([known])
    [Candidate(d: e1='Ras', e2='Raf'; no relation)]
    """
    blind: dict[int, Document] = {}
    for candidate in candidates:
        document = candidate.document
        if id(document) not in blind:
            blind[id(document)] = without_answers(document)
    return [replace(candidate, document=blind[id(candidate.document)], relations=()) for candidate in candidates]


@contextmanager
def _one_thread(entry: BaselineEntry) -> Iterator[None]:
    """One thread for what a baseline computes with, so that as many cells as there are cores run side by side."""
    with one_blas_thread():
        if entry.needs not in ("neural", "contextual") or not entry.is_installed:
            yield
            return
        from relhash.baselines.training import one_thread

        with one_thread():
            yield
