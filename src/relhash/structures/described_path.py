"""The path in its context followed by what the descriptors say, as symbols: all that is known of a candidate in one sequence.

A fact that holds is a symbol, ``<adjacent>``; a number is a symbol with its level, ``<log_words_between=2>``. What does not
hold or is zero has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import expm1

from relhash.structures.descriptors import COLUMNS, Describer, is_fact
from relhash.structures.path_views import PATH_WITH_CONTEXT
from relhash.structures.paths import PathSet, PathSetBuilder
from relhash.structures.scene import Scene
from relhash.structures.view import Collector, SequenceView

PARTS = 4
"""Levels of a number between 0 and 1."""

_KINDS = tuple((column, is_fact(column), column.startswith("log_")) for column in COLUMNS)


def descriptor_symbols(row: Sequence[float]) -> Iterator[str]:
    """The symbols of one row of descriptors. Counts have levels of 1, 2–3, 4–7, 8–15, …

    >>> row = [0.0] * len(COLUMNS)
    >>> row[COLUMNS.index("adjacent")] = 1.0
    >>> row[COLUMNS.index("log_words_between")] = 1.79  # five words
    >>> list(descriptor_symbols(row))
    ['<log_words_between=3>', '<adjacent>']
    """
    for value, (column, is_a_fact, is_count) in zip(row, _KINDS, strict=True):
        if not value:
            continue
        if is_a_fact:
            yield f"<{column}>"
        elif level := round(expm1(value)).bit_length() if is_count else round(PARTS * value):
            yield f"<{column}={level}>"


def _described(scene: Scene) -> list[str]:
    return _sequence(scene, Describer())


def _sequence(scene: Scene, describe: Describer) -> list[str]:
    return [*PATH_WITH_CONTEXT.sequence(scene), *descriptor_symbols(describe(scene))]


@dataclass(frozen=True)
class _DescribedPathView(SequenceView):
    def collector(self) -> Collector:
        return _DescribedPaths()


class _DescribedPaths:
    """One describer for all scenes: it keeps what the candidates of a sentence share."""

    def __init__(self) -> None:
        self.describe, self.builder = Describer(), PathSetBuilder()

    def add(self, scene: Scene) -> None:
        self.builder.append(_sequence(scene, self.describe))

    def build(self) -> PathSet:
        return self.builder.build()


DESCRIBED_PATH = _DescribedPathView("path+context+descriptors", _described, needs_parse=True)
