"""What a view is: a name, what it needs, and how it turns one scene after the other into rows.

A view of sequences is a function from a :class:`~relhash.candidates.scene.Scene` to tokens (:class:`SequenceView`), a dense one
a function to numbers with names (:class:`TableView`). A view that needs more, such as a model that is loaded when it is first
used, is a :class:`View` of its own with its own :class:`Collector`. Registered in :data:`relhash.candidates.views.VIEWS`,
it can be named wherever our own can.

The walk along a dependency path, which views, roles and evidence all take, is here too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import Candidate
from relhash.candidates.graph import Connection, DependencyPath
from relhash.candidates.paths import PathSet, PathSetBuilder
from relhash.candidates.scene import Scene, scenes
from relhash.candidates.symbols import DISCONNECTED, SHARED_TOKEN


class CompactTable:
    """The same numbers as a ``float32`` table, kept apart by kind of column: facts, 0 or 1, take a byte instead of four.

    Parameters
    ----------
    is_fact
        For each column whether it holds only 0 and 1.
    facts, numbers
        The columns of either kind, in their order.

    Examples
    --------
    >>> table = CompactTable(np.array([True, False]), np.array([[1], [0]], np.uint8), np.array([[0.5], [2]], np.float32))
    >>> table.dense().tolist(), table[[1]].dense().tolist()
    ([[1.0, 0.5], [0.0, 2.0]], [[0.0, 2.0]])
    """

    __slots__ = ("facts", "is_fact", "numbers")

    def __init__(self, is_fact: NDArray[np.bool_], facts: NDArray[np.uint8], numbers: NDArray[np.float32]) -> None:
        self.is_fact, self.facts, self.numbers = is_fact, facts, numbers

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.facts), self.is_fact.size

    def __getitem__(self, index: Any) -> CompactTable:
        return CompactTable(self.is_fact, self.facts[index], self.numbers[index])

    def dense(self) -> NDArray[np.float32]:
        """The table itself, newly made."""
        table = np.empty(self.shape, np.float32)
        table[:, self.is_fact] = self.facts
        table[:, ~self.is_fact] = self.numbers
        return table

    @classmethod
    def concatenate(cls, tables: Sequence[Self]) -> Self:
        """The rows of tables with the same columns, one after the other."""
        return cls(
            tables[0].is_fact,
            np.concatenate([table.facts for table in tables]),
            np.concatenate([table.numbers for table in tables]),
        )


class Collector(Protocol):
    """Takes the scenes of one set of structures, one at a time."""

    def add(self, scene: Scene) -> None:
        """One row more."""

    def build(self) -> PathSet | CompactTable | NDArray[Any]:
        """All rows."""


class View(ABC):
    """How candidates look from one side. It holds nothing of what it has seen, so threads may share it."""

    name: str
    needs_parse: bool
    """Whether it walks dependencies, so that text without a parse is refused."""
    is_dense: ClassVar[bool]
    """Whether its rows are numbers instead of sequences of tokens."""

    @property
    def columns(self) -> tuple[str, ...] | None:
        """Names of the columns of a dense view, if they have any."""
        return None

    @abstractmethod
    def collector(self) -> Collector:
        """What gathers the rows of one set of candidates."""


@dataclass(frozen=True)
class SequenceView(View):
    """A named function from a scene to a sequence of tokens.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> ends = SequenceView("ends", lambda scene: [scene.candidate.mentions[0].text[-1], scene.candidate.mentions[1].text[-1]])
    >>> ends(Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2")))
    ['s', 'f']
    """

    name: str
    sequence: Callable[[Scene], list[str]]
    """The function on a prepared scene; calling the view prepares one for a single candidate."""
    needs_parse: bool = False
    is_dense: ClassVar[bool] = False

    def __call__(self, candidate: Candidate | Scene) -> list[str]:
        (scene,) = scenes([candidate])
        return self.sequence(scene)

    def collector(self) -> Collector:
        return _Sequences(self.sequence)


@dataclass(frozen=True)
class TableView(View):
    """A named function from a scene to a row of numbers.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention
    >>> from relhash.candidates import build_structures
    >>> from relhash.candidates.views import VIEWS
    >>> VIEWS.register("starts", TableView("starts", lambda scene: [m.start for m in scene.candidate.mentions], ("1st", "2nd")))
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> pair = Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))
    >>> build_structures([pair], ["starts"])["starts"].tolist()
    [[0.0, 10.0]]
    """

    name: str
    row: Callable[[Scene], Sequence[float]]
    column_names: tuple[str, ...]
    needs_parse: bool = False
    is_dense: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        return self.column_names

    def collector(self) -> Collector:
        return _Rows(self.row, len(self.column_names))


class _Sequences:
    def __init__(self, sequence: Callable[[Scene], list[str]]) -> None:
        self.sequence = sequence
        self.builder = PathSetBuilder()

    def add(self, scene: Scene) -> None:
        self.builder.append(self.sequence(scene))

    def build(self) -> PathSet:
        return self.builder.build()


class _Rows:
    def __init__(self, row: Callable[[Scene], Sequence[float]], width: int) -> None:
        self.row, self.width = row, width
        self.rows: list[Sequence[float]] = []

    def add(self, scene: Scene) -> None:
        self.rows.append(self.row(scene))

    def build(self) -> NDArray[np.float32]:
        return np.array(self.rows, np.float32).reshape(len(self.rows), self.width)


_FLAGS = {Connection.SHARED_TOKEN: SHARED_TOKEN, Connection.DISCONNECTED: DISCONNECTED}


class Stop(NamedTuple):
    """A token that a path leads to.

    ``edge`` is the symbol of the dependency walked to it (see :mod:`relhash.candidates.symbols`); ``inside`` says that this
    step stays inside a name of several words, which shows once.
    """

    edge: str
    token: int
    inside: bool


def walk(scene: Scene, path: DependencyPath) -> list[Stop]:
    """The stops after the start of a path, the other end the last of them; none where there is no path."""
    tokens = path.tokens
    last = len(tokens) - 1
    return [  # both ends show as what they are, the participants
        Stop(edge, tokens[position], 1 < position < last and scene.in_one_mention(tokens[position - 1], tokens[position]))
        for position, edge in enumerate(path.edges, 1)
    ]


def tokens_on(scene: Scene, path: DependencyPath) -> list[str]:
    """What shows between the two ends of a path; where there is none, the flag that says why."""
    if path.connection is not Connection.PATH:
        return [_FLAGS[path.connection]]
    return [scene.shown_as(stop.token) for stop in walk(scene, path) if not stop.inside][:-1]


def tokens_and_edges_on(scene: Scene, path: DependencyPath) -> list[str]:
    """The same with the dependencies walked: edge, word, edge, …, edge."""
    if path.connection is not Connection.PATH:
        return [_FLAGS[path.connection]]
    sequence: list[str] = []
    for stop in walk(scene, path):
        if not stop.inside:
            sequence += (stop.edge, scene.shown_as(stop.token))
    return sequence[:-1]
