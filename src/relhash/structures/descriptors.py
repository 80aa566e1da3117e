"""Descriptors: a row of plain facts about a candidate, none of which needs a label.

Counts come as ``log(1 + count)``, facts as 0 or 1. Without a parse all columns about the path are 0, without tags those that
count verbs and nouns, so a row always exists. What the columns say is in :mod:`relhash.structures.description`, a file for
each kind of fact.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from relhash.structures.candidates import Candidate
from relhash.structures.description import company, names, path, triggers, words
from relhash.structures.scene import Scene, Stage, scenes

__all__ = ["COLUMNS", "Describer", "descriptors", "is_fact"]

COLUMNS: tuple[str, ...] = (*words.COLUMNS, *names.COLUMNS, *company.COLUMNS, *path.COLUMNS, *triggers.COLUMNS)
"""Names of the columns, in order."""


def is_fact(column: str) -> bool:
    """Whether a column holds only 0 and 1.

    >>> is_fact("adjacent"), is_fact("log_words_between")
    (True, False)
    """
    return not (column.startswith(("log_", "share_")) or column.endswith("_closeness") or column in _MEASURED)


_MEASURED = frozenset({"comma_between", "name_likeness", "name_shared_start"})


def descriptors(candidates: Iterable[Candidate]) -> NDArray[np.float32]:
    """The descriptors of ``candidates``, a row each; :data:`COLUMNS` names the columns.

    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> row = descriptors([Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))])[0]
    >>> [name for name, value in zip(COLUMNS, row) if value == 1]
    ['starts_sentence', 'binding_between']
    """
    describe = Describer()
    rows = [describe(scene) for scene in scenes(candidates)]
    return np.array(rows, np.float32).reshape(len(rows), len(COLUMNS))


class Describer:
    """Makes the row of one scene after the other; keeps what the candidates of a sentence share."""

    def __init__(self) -> None:
        self._stage: Stage | None = None

    def __call__(self, scene: Scene) -> list[float]:
        if scene.stage is not self._stage:
            self._prepare(scene.stage)
        on_path, path_columns = self._path(scene)
        return [
            *self._words(scene),
            *self._names(scene),
            *self._company(scene),
            *path_columns,
            *self._triggers(scene, on_path),
        ]

    def _prepare(self, stage: Stage) -> None:
        self._stage = stage
        self._triggers = triggers.TriggerFacts(stage)
        self._words = words.WordFacts(stage, self._triggers)
        self._names = names.NameFacts(stage)
        self._company = company.CompanyFacts(stage)
        self._path = path.PathFacts(stage, self._triggers, self._words)
