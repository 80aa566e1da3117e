"""From candidates to arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.language.encoder import SentenceEncoder
from relhash.structures.candidates import Candidate
from relhash.structures.compact_table import CompactTable
from relhash.structures.contextual import CONTEXTUAL, STRETCHES, contextual_vector
from relhash.structures.descriptors import COLUMNS, Describer, is_fact
from relhash.structures.paths import PathSet, PathSetBuilder
from relhash.structures.scene import Scene, scenes
from relhash.structures.structure_set import StructureSet
from relhash.structures.views import View, view

__all__ = ["DEFAULT_VIEWS", "DESCRIPTORS", "build_structures"]

DEFAULT_VIEWS = ("path+edges", "between", "descriptors")
DESCRIPTORS = "descriptors"
"""Name of the dense view."""
_BLOCK = 4096
"""Rows of descriptors that are converted at a time."""


def build_structures(
    candidates: Iterable[Candidate], views: Sequence[str] = DEFAULT_VIEWS, *, lemmas: bool = False
) -> StructureSet:
    """Structures of ``candidates``, one row each, in the views named.

    Candidates are taken one at a time, so they may come from a generator over a corpus of any size; those of a sentence should
    follow each other, as :func:`relhash.structures.candidates` yields them.

    Parameters
    ----------
    views
        Names of views (see :mod:`relhash.structures.views`); ``"descriptors"`` is a dense one
        (see :mod:`relhash.structures.descriptors`), ``"contextual"`` another, for which an encoder must be installed
        (see :mod:`relhash.structures.contextual`).
    lemmas
        Label words by their lemma where the source gives one.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> candidate = Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))
    >>> structures = build_structures([candidate], ["between", "descriptors"])
    >>> structures["between"][0], structures["descriptors"].shape[1] == len(structures.columns["descriptors"])
    (['<E1>', 'binds', '<E2>'], True)
    """
    names = [views] if isinstance(views, str) else list(views)
    if not names:
        raise ParameterError("views: name at least one")
    if len(set(names)) < len(names):
        raise ParameterError(f"views: {', '.join(names)} names one twice")
    collectors = [_collector(name) for name in names]
    for scene in scenes(candidates, lemmas=lemmas):
        for collector in collectors:
            collector.add(scene)
    return StructureSet(
        {name: collector.build() for name, collector in zip(names, collectors, strict=True)},
        columns={DESCRIPTORS: COLUMNS} if DESCRIPTORS in names else None,
    )


def _collector(name: str) -> _Table | _Vectors | _Sequences:
    if name == DESCRIPTORS:
        return _Table()
    return _Vectors() if name == CONTEXTUAL else _Sequences(view(name))


class _Sequences:
    def __init__(self, of: View) -> None:
        self.sequence = of.sequence
        self.builder = PathSetBuilder()

    def add(self, scene: Scene) -> None:
        self.builder.append(self.sequence(scene))

    def build(self) -> PathSet:
        return self.builder.build()


class _Table:
    """Descriptors, facts in a byte each; whole blocks of rows are converted at a time."""

    def __init__(self) -> None:
        self.describe = Describer()
        self.is_fact = np.array([is_fact(name) for name in COLUMNS])
        self.pending, self.facts, self.numbers = array("f"), array("B"), array("f")

    def add(self, scene: Scene) -> None:
        self.pending.extend(self.describe(scene))
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


class _Vectors:
    """What a sentence encoder says; half precision holds all of it that matters and half of the memory."""

    def __init__(self) -> None:
        self.encoder = SentenceEncoder()
        self.rows: list[NDArray[np.float16]] = []

    def add(self, scene: Scene) -> None:
        self.rows.append(contextual_vector(scene, self.encoder).astype(np.float16))

    def build(self) -> NDArray[Any]:
        width = len(STRETCHES) * self.encoder.width
        return np.array(self.rows, np.float32).reshape(len(self.rows), width)
