"""A training and a test set on which systems run, with features shared between them.

A :class:`Bench` holds a task and a seed. Codes and other feature parts are computed once on it and shared by all systems that
ask for the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.bench.datasets.dataset import Dataset
from relhash.bench.protocols import Task
from relhash.candidates import Candidate, StructureSet
from relhash.errors import ParameterError
from relhash.kernels import WordVectors
from relhash.learn.classifier import Choice
from relhash.learn.codes import blocks, stack
from relhash.learn.decision import DecisionSettings
from relhash.model.fitting import fit_features
from relhash.model.recipe import Recipe

if TYPE_CHECKING:
    from relhash.bench.systems.prior_votes import PriorVotes
    from relhash.bench.systems.system import Outcome, System


@dataclass(frozen=True, eq=False)
class Features:
    """Features of the training and of the test candidates, the columns of each part, and the seconds it took to make them."""

    train: Any
    test: Any
    columns: dict[str, slice]
    seconds: float
    choice: tuple[DecisionSettings, Choice] | None = None
    """What was chosen on them while hash functions were compared, and of what."""


class Bench:
    """A training and a test set on which systems are run one after the other, with one seed.

    Parameters
    ----------
    seedless
        Features of the same task that no seed changes (all but codes and drawn references), which benches with other seeds
        share.
    """

    def __init__(
        self,
        dataset: Dataset,
        task: Task,
        seed: int,
        *,
        n_jobs: int | None = None,
        vectors: WordVectors | None = None,
        seedless: dict[str, Features] | None = None,
    ) -> None:
        self.dataset, self.task, self.seed, self.n_jobs, self.vectors = dataset, task, seed, n_jobs, vectors
        self._cache: dict[str, Features] = {}
        self._seedless: dict[str, Features] = {} if seedless is None else seedless

    @property
    def y(self) -> NDArray[np.bool_]:
        """Labels of the training candidates."""
        return self.dataset.y[self.task.train]

    @property
    def documents(self) -> NDArray[Any]:
        """The document of each training candidate."""
        return self.dataset.documents[self.task.train]

    @property
    def prior(self) -> PriorVotes:
        """What the prior of the protocol says of every candidate."""
        if self.dataset.prior is None:
            raise ParameterError("systems: this protocol has no prior")
        return self.dataset.prior

    def candidates(self) -> tuple[list[Candidate], list[Candidate]]:
        """The training and the test candidates."""
        train, test = ([self.dataset.candidates[row] for row in rows] for rows in (self.task.train, self.task.test))
        return train, test

    def structures(self, views: Sequence[str]) -> tuple[StructureSet, StructureSet]:
        """The training and the test candidates in these views."""
        X = self.dataset.structures(views)
        return X[self.task.train], X[self.task.test]

    def run(self, system: System, n_labels: int | None = None, draw: int = 0) -> Outcome:
        """Train a system on the training set (or on ``n_labels`` of it) and label the test set."""
        return system.work(self, draw)(n_labels, self.n_jobs)

    def cached(self, key: str, make: Callable[[], Features]) -> Features:
        """What ``make`` gives, made once for this task and seed."""
        return _cached(self._cache, key, make)

    def features(self, preset: Recipe) -> Features:
        """Features of the training and the test set, part by part from the cache."""
        parts = _split_parts(preset)
        whole = "+".join(_key(part) for part in parts)
        return self.cached(whole, partial(self._stacked, parts)) if len(parts) > 1 else self._part(parts[0])

    def _stacked(self, parts: Sequence[Recipe]) -> Features:
        tables = [self._part(part) for part in parts]
        widths = {name: own.stop - own.start for table in tables for name, own in table.columns.items()}
        return Features(
            stack([table.train for table in tables]),
            stack([table.test for table in tables]),
            blocks(widths),
            sum(table.seconds for table in tables),
        )

    def _part(self, part: Recipe) -> Features:
        return _cached(self._cache if part.has_codes else self._seedless, _key(part), partial(self._fit_part, part))

    def _fit_part(self, part: Recipe) -> Features:
        start = time.perf_counter()
        train, test = self.structures(part.all_views)
        made = fit_features(
            part,
            train,
            test if part.use_target else None,
            self.y,
            self.documents,
            vectors=self.vectors,
            random_state=self.seed,
            n_jobs=self.n_jobs,
        )
        test_rows = made.features.transform(test) if made.target_rows is None else made.target_rows
        choice = None if made.choice is None else (part.decision, made.choice)
        return Features(made.rows, test_rows, made.features.columns, time.perf_counter() - start, choice)


def _cached(cache: dict[str, Features], key: str, make: Callable[[], Features]) -> Features:
    if key not in cache:
        cache[key] = make()
    return cache[key]


def _key(part: Recipe) -> str:
    """What the features of a part depend on."""
    code = [part.views, part.learner, part.learner_choices, part.kernel] if part.has_codes else []
    return repr([part.parts, code, part.use_target])


def _split_parts(preset: Recipe) -> list[Recipe]:
    """A preset for each feature part, so that parts are cached by themselves."""
    codes = tuple(part for part in preset.parts if part.code_output)
    split = [replace(preset, parts=codes)] if codes else []
    return split + [replace(preset, parts=(part,)) for part in preset.parts if not part.code_output]
