"""Which pairs of mentions are candidates: by their types, directed or not, and how many of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from relhash.corpus.document import Mention
from relhash.errors import ParameterError
from relhash.structures.symbols import entity_class

__all__ = ["FIRST", "MAX_PAIRS", "SECOND", "CandidatePolicy", "parse_types"]

FIRST, SECOND = "e1", "e2"
MAX_PAIRS = 10_000
"""Pairs of a sentence; 141 entities have fewer, and the fullest sentence of the corpora that we know has 28."""


@dataclass(frozen=True, slots=True)
class CandidatePolicy:
    """Which pairs of mentions are candidates.

    Parameters
    ----------
    types
        Pairs of entity types that may relate, such as ``[("protein", "chemical")]``; ``None`` lets all relate. Names are
        compared without case, and all names of genes and their products are one (see
        :func:`~relhash.structures.symbols.entity_class`).
    directed
        Make two candidates of each pair, one a direction.
    self_pairs
        Also pair a mention with itself and with mentions that overlap it (never left out when the corpus lists them).
    unsplit
        What to do with a document that has no sentences and lists no pairs: ``"error"``, or take the whole ``"document"``
        as one sentence.
    max_pairs_per_sentence
        How many pairs a sentence may have. Of a longer list, such as a table that was taken for a sentence, the pairs with the
        fewest tokens between them stay, and a :class:`~relhash.errors.RelHashWarning` says so. Pairs that a corpus lists all
        stay.
    """

    types: Sequence[tuple[str, str]] | None = None
    directed: bool = False
    self_pairs: bool = False
    unsplit: Literal["error", "document"] = "error"
    max_pairs_per_sentence: int = MAX_PAIRS

    def __post_init__(self) -> None:
        if self.max_pairs_per_sentence < 1:
            raise ParameterError(f"max_pairs_per_sentence={self.max_pairs_per_sentence}: at least 1")
        if self.unsplit not in ("error", "document"):
            raise ParameterError(f"unsplit={self.unsplit!r}: choose 'error' or 'document'")
        if self.types is None:
            return
        pairs = []
        for pair in self.types:
            if isinstance(pair, str) or len(pair) != 2:
                raise ParameterError(f"types: {pair!r} is not a pair of entity types such as ('protein', 'chemical')")
            pairs.append((entity_class(pair[0]), entity_class(pair[1])))
        if not pairs:
            raise ParameterError("types: an empty list lets nothing relate; use None for all types")
        object.__setattr__(self, "types", tuple(pairs))

    def roles(self, first: Mention, second: Mention) -> Iterator[tuple[str, str]]:
        """The roles in which two mentions, in surface order, are candidates; nothing if their types may not relate."""
        forward, backward = self._allows(first, second), self._allows(second, first)
        if self.directed:
            if forward:
                yield FIRST, SECOND
            if backward and first is not second:
                yield SECOND, FIRST
        elif forward:
            yield FIRST, SECOND
        elif backward:
            yield SECOND, FIRST

    def _allows(self, source: Mention, target: Mention) -> bool:
        return self.types is None or (entity_class(source.type), entity_class(target.type)) in self.types


def parse_types(text: str) -> list[tuple[str, str]]:
    """Entity types as given on the command line.

    A list of names lets all of them relate with each other; ``a-b`` (or ``a:b``) names one kind of pair.

    >>> parse_types("protein-chemical")
    [('protein', 'chemical')]
    >>> parse_types("protein,chemical")
    [('protein', 'protein'), ('protein', 'chemical'), ('chemical', 'chemical')]
    """
    items = [item.strip() for item in text.split(",") if item.strip()]
    pairs: list[tuple[str, str]] = []
    names: list[str] = []
    for item in items:
        mark = next((mark for mark in ":–-" if mark in item), None)
        if mark is None:
            names.append(item)
            continue
        first, _, second = (part.strip() for part in item.partition(mark))
        if not first or not second:
            raise ParameterError(f"types: {item!r} lacks one side; write for instance protein-chemical")
        pairs.append((first, second))
    pairs += [(first, second) for i, first in enumerate(names) for second in names[i:]]
    if not pairs:
        raise ParameterError("types: name at least one entity type, for instance protein or protein-chemical")
    return pairs
