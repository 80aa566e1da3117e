"""The contract of a row in a table: a system knows its published figures and how to make its job.

A :class:`Job` is what is left of a system once its features are there: plain data that another process can work off. A kind of
system is a subclass of :class:`System`: :class:`~relhash.evaluation.systems.preset.PresetSystem` is what the product runs,
:mod:`~relhash.evaluation.systems.kernel_machines` and :mod:`~relhash.evaluation.systems.baseline` are what it is compared with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from relhash.learning.labels import draw_labelled

if TYPE_CHECKING:
    from relhash.evaluation.bench import Bench

LabelCounts = Sequence[int | None]
"""Numbers of labels to learn from; ``None`` stands for all of them."""

Outcome = tuple[NDArray[np.float64], NDArray[np.bool_], float]
"""Scores and labels of the test candidates, and the seconds it took, features included whoever computed them."""


class Job(Protocol):
    """Work that can be sent to another process."""

    def run(self, n_jobs: int | None = 1) -> list[Outcome]:
        """Learn and label the test candidates, once for each number of labels that was asked for."""
        ...


class System(ABC):
    """A row of a table.

    Attributes
    ----------
    name
        As it stands in tables and in ``--systems``. It means the same in every protocol: what differs is how the system looks
        at the candidates (:meth:`for_interactions`).
    deterministic
        Whether a seed changes nothing, so that one run is enough.
    """

    name: str
    deterministic: bool
    uses_prior: bool = False
    """Whether it needs the prior of the protocol (:mod:`relhash.evaluation.systems.prior_votes`)."""
    uses_baselines: bool = False
    """Whether its results depend on the room :mod:`relhash.baselines`."""
    needs_labels: bool = True
    """Whether labels make a difference; without, a curve over numbers of labels has one point, at 0."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """One line for people."""

    @property
    @abstractmethod
    def paper_f1(self) -> Mapping[str, float]:
        """F1 in the literature by direction: ``"A→B"``, ``"B→A"``, ``"train→devel13"`` (BioNLP), ``"subsets"`` (PubMed45)."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """What a finished cell of this system depends on."""

    @property
    def has_codes(self) -> bool:
        """Whether something in it is drawn by the seed of a bench, so that draws of labels on one bench share it."""
        return False

    @property
    def needs(self) -> str:
        """The extra that must be installed; ``""`` for none."""
        return ""

    @abstractmethod
    def for_interactions(self) -> System:
        """The system as it looks at candidates with a trigger and roles; an error where there is no such thing."""

    @abstractmethod
    def job(self, bench: Bench, label_counts: LabelCounts, draw: int = 0) -> Job:
        """What is left to do on the training and test set of ``bench``, with the labels of draw number ``draw``."""


def labelled_rows(y: NDArray[np.bool_], n_labels: int | None, draw: int) -> NDArray[np.int64]:
    """The training rows whose labels a job may look at: all of them, or a draw.

    >>> labelled_rows(np.array([True, False, True]), None, 0)
    array([0, 1, 2])
    """
    return np.arange(y.size) if n_labels is None else draw_labelled(y, n_labels, draw)
