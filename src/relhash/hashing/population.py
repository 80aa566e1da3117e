"""What Algorithm 1 asks of the candidates that it learns from, wherever they are.

The learner never looks at a candidate. It asks how many candidates of each kind lie in each cluster, and how many of them would
get a 1 from a split of some references; it accepts a split, and draws references out of a cluster. All answers are counts or
a handful of numbers, so that candidates may lie in the memory of one process (:mod:`relhash.hashing.in_memory`) or in parts on
many machines (:mod:`relhash.scale`). Counts are integers: added up in any order and over any parts they give the same bits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.hashing.clusters import Clusters
from relhash.hashing.functions import HashFamily, HashFunction
from relhash.kernels.bound import Kernel


class Evaluation(ABC):
    """References of one function, compared with every candidate: the counts that any split of them would give.

    Attributes
    ----------
    view, number
        The view that is compared, and the number of the kernel among those offered for it.
    clusters
        The clusters in which candidates are counted.
    n_references
        How many references there are; a family may have dropped some.
    fits
        Whether something is fitted for each split: then a search asks for many splits at once, and not for many in all.
    table
        ``(references, clusters, kinds)``: the counts from which all splits follow
        (:mod:`relhash.hashing.count_table`), if the family has such a table.
    """

    view: str
    number: int
    clusters: Clusters
    n_references: int
    fits: bool
    table: NDArray[np.int64] | None

    @abstractmethod
    def ones(self, splits: NDArray[np.uint8]) -> NDArray[np.int64]:
        """``(splits, clusters, kinds)``: candidates that would get a 1."""

    def settled(self) -> Evaluation:
        """The evaluation of the function itself, where this one only stands for it while a split is chosen."""
        return self


class CountedBits(Protocol):
    """The bits of the functions so far, as far as they can be counted."""

    @property
    def n_functions(self) -> int: ...

    def clusters(self, chosen: NDArray[np.int64]) -> Clusters:
        """Cells in which the ``chosen`` functions agree; no function gives one cluster of everything.

        They are numbered by their first point, in the order of points that :class:`~relhash.hashing.points.Points` says.
        """

    def ones_of(self, functions: Sequence[int] | NDArray[np.int64], clusters: Clusters) -> NDArray[np.int64]:
        """``(functions, clusters, kinds)``: candidates whose bit is 1."""


class Population(ABC):
    """Candidates of both texts, with the bits of the functions that were accepted so far.

    Attributes
    ----------
    kernels
        The kernels offered for each view, with what they fixed from the data.
    family
        Whose functions are learned.
    n_candidates
        How many candidates there are.
    """

    kernels: Mapping[str, Sequence[Kernel]]
    family: HashFamily
    n_candidates: int

    @property
    @abstractmethod
    def n_functions(self) -> int:
        """Functions that were accepted and are still there."""

    @abstractmethod
    def clusters(self, chosen: NDArray[np.int64]) -> Clusters:
        """As :meth:`CountedBits.clusters`."""

    @abstractmethod
    def ones_of(self, functions: Sequence[int] | NDArray[np.int64], clusters: Clusters) -> NDArray[np.int64]:
        """As :meth:`CountedBits.ones_of`."""

    @abstractmethod
    def latent_clusters(self, n_factors: int, rng: np.random.Generator, *, anew: bool) -> Clusters:
        """Clusters by the latent factors of all bits (:mod:`relhash.hashing.correlation`).

        They are fitted ``anew``, or those of the last fit are taken.
        """

    @abstractmethod
    def everywhere(self, view: str) -> NDArray[np.int64] | int:
        """One place for each distinct structure of a view, in the order of structures; a number stands for its ``arange``."""

    @abstractmethod
    def members(self, view: str, clusters: Clusters, cluster: int) -> NDArray[np.int64]:
        """The same for the structures of one cluster. Places mean something to :meth:`evaluate` only."""

    @abstractmethod
    def evaluate(self, view: str, number: int, places: NDArray[np.int64], clusters: Clusters) -> Evaluation:
        """Compare every candidate with the structures at ``places``, by one of the kernels offered for the view."""

    @abstractmethod
    def accept(self, evaluation: Evaluation, split: NDArray[np.uint8]) -> HashFunction:
        """Add the bits of a split; the function that gives them."""

    @abstractmethod
    def add(self, function: HashFunction) -> None:
        """Add the bits of a function that was learned before, on the same candidates: where an interrupted fit goes on."""

    def recorded(self) -> Mapping[str, NDArray[Any]] | None:
        """What :meth:`recall` needs of the function that was accepted last; None where nothing can be kept."""
        return None

    def recall(self, recorded: Mapping[str, NDArray[Any]]) -> HashFunction:
        """Add a function as it was :meth:`recorded`, with its bits, on the same candidates; nothing is compared."""
        raise ParameterError("functions of this population cannot be recalled")

    @abstractmethod
    def keep(self, functions: Sequence[int]) -> None:
        """Forget the bits of all other functions."""
