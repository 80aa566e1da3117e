"""Descriptors: a row of plain facts about a candidate, none of which needs a label.

Counts come as ``log(1 + count)``, facts as 0 or 1. Without a parse all columns about the path are 0, without tags those that
count verbs and nouns, so a row always exists. What the columns say is in :mod:`relhash.candidates.description`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import description as facts
from relhash.candidates.candidate import Candidate
from relhash.candidates.scene import Scene, Stage, scenes
from relhash.candidates.view import Collector, CompactTable, View

DESCRIPTORS = "descriptors"
"""Name of the view."""

COLUMNS: tuple[str, ...] = (
    *facts.WORD_COLUMNS, *facts.NAME_COLUMNS, *facts.COMPANY_COLUMNS, *facts.PATH_COLUMNS, *facts.TRIGGER_COLUMNS,
)  # fmt: skip
"""Names of the columns, in order."""
_BLOCK = 4096
"""Rows that are converted at a time."""


def is_fact(column: str) -> bool:
    """Whether a column holds only 0 and 1.

    >>> is_fact("adjacent"), is_fact("log_words_between")
    (True, False)
    """
    return not (column.startswith(("log_", "share_")) or column.endswith("_closeness") or column in _MEASURED)


_MEASURED = frozenset({"comma_between", "name_likeness", "name_shared_start"})


def descriptors(candidates: Iterable[Candidate]) -> NDArray[np.float32]:
    """The descriptors of ``candidates``, one row each; :data:`COLUMNS` names the columns.

    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> row = descriptors([Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))])[0]
    >>> [name for name, value in zip(COLUMNS, row) if value == 1]
    ['starts_sentence', 'binding_between']
    """
    rows = [described(scene) for scene in scenes(candidates)]
    return np.array(rows, np.float32).reshape(len(rows), len(COLUMNS))


class Describer:
    """Makes the rows of the candidates of one sentence, and keeps what they share.

    No column depends on roles or on the type of a trigger, so candidates of the same words share their row.
    """

    def __init__(self, stage: Stage) -> None:
        self._triggers = facts.TriggerFacts(stage)
        self._words = facts.WordFacts(stage, self._triggers)
        self._company = facts.CompanyFacts(stage)
        self._path = facts.PathFacts(stage, self._triggers, self._words)
        self._rows: dict[tuple[object, ...], list[float]] = {}

    def __call__(self, scene: Scene) -> list[float]:
        place = tuple([mention.spans if mention.is_trigger else mention.id for mention in scene.candidate.mentions])
        row = self._rows.get(place)
        if row is None:
            on_path, path_columns = self._path(scene)
            row = self._rows[place] = [
                *self._words(scene),
                *facts.name_facts(scene),
                *self._company(scene),
                *path_columns,
                *self._triggers(scene, on_path),
            ]
        return row


def described(scene: Scene) -> list[float]:
    """The row of one candidate."""
    return scene.stage.once(Describer)(scene)


@dataclass(frozen=True)
class DescriptorView(View):
    """The dense view of descriptors. Without a parse it has fewer facts to tell, but a row all the same."""

    name: str = DESCRIPTORS
    needs_parse: bool = False
    is_dense: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        return COLUMNS

    def collector(self) -> Collector:
        return _Table()


class _Table:
    """Descriptors, facts in a byte each; whole blocks of rows are converted at a time."""

    def __init__(self) -> None:
        self.is_fact = np.array([is_fact(name) for name in COLUMNS])
        self.pending, self.facts, self.numbers = array("f"), array("B"), array("f")

    def add(self, scene: Scene) -> None:
        self.pending.extend(described(scene))
        if len(self.pending) >= _BLOCK * len(COLUMNS):
            self._convert()

    def _convert(self) -> None:
        block = np.array(self.pending, np.float32).reshape(-1, len(COLUMNS))
        self.facts.frombytes(block[:, self.is_fact].astype(np.uint8).tobytes())
        self.numbers.frombytes(block[:, ~self.is_fact].tobytes())
        self.pending = array("f")

    def build(self) -> CompactTable:
        self._convert()
        width = int(self.is_fact.sum())
        facts = np.array(self.facts, np.uint8) if not self.facts else np.frombuffer(self.facts, np.uint8)
        numbers = np.array(self.numbers, np.float32) if not self.numbers else np.frombuffer(self.numbers, np.float32)
        return CompactTable(self.is_fact, facts.reshape(-1, width), numbers.reshape(-1, len(COLUMNS) - width))
