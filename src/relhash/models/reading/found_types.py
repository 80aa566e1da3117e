"""Types for the entities of a sheet that names none: what the tagger calls them where it finds them in the sheet's sentences.

Without types a model would pair everything that a pipeline finds later, diseases with chemicals too. A mention of the sheet
that overlaps a tagged entity gets its type. One that the tagger does not find, or calls something that hardly anything else in
its column is (a slip), gets the type that most of its column has. A column in which nothing is found stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from relhash.corpus import Document, Mention
from relhash.corpus.tables.reader import UNTYPED
from relhash.structures.candidate import shared_characters
from relhash.structures.symbols import entity_class

SLIP = 0.15
"""Share of a column's recognised mentions below which a type counts as an error of the tagger. Of the gold proteins in 60
documents of AIMed it recognises 1,074 of 1,140 and calls 13 something else; a column that mixes types has more of either."""


@dataclass(frozen=True)
class FoundTypes:
    """How many mentions got which type, and how many of them by themselves rather than by their column."""

    types: Counter[str]
    recognised: int
    untyped: int
    """Mentions that had no type before."""

    @property
    def note(self) -> str:
        """One line for the person who made the sheet."""
        if not self.types:
            return (
                f"the {self.untyped:,} entities of the sheet have no types, and the tagger knows none of them: the model will "
                "take entities of any type (name the types: columns e1_type and e2_type, or headings such as gene1)"
            )
        found = ", ".join(f"{count:,} {name}" for name, count in self.types.most_common())
        return (
            f"the sheet names no entity types; found by the tagger: {found} ({self.recognised:,} of {self.untyped:,} mentions "
            "recognised, the others go with their column)"
        )


def has_untyped(documents: Iterable[Document]) -> bool:
    """Whether a sheet is among the documents whose entities have no type."""
    return any(_is_untyped_sheet(document) for document in documents)


def with_found_types(
    documents: Sequence[Document], tagged: Callable[[Iterable[Document]], Iterator[Document]]
) -> tuple[list[Document], FoundTypes]:
    """The documents with types for untyped entities, and what was found; ``tagged`` finds entities in bare text."""
    sheets = [document for document in documents if _is_untyped_sheet(document)]
    bare = (Document(document.id, document.text, passages=document.passages) for document in sheets)
    own: dict[tuple[int, str], str] = {}
    columns: dict[tuple[int, str], int] = {}
    for number, (sheet, found) in enumerate(zip(sheets, tagged(bare), strict=True)):
        for column, ids in enumerate(zip(*((pair.first, pair.second) for pair in sheet.candidates or ()))):
            for identifier in ids:
                columns.setdefault((number, identifier), column)
        for mention in sheet.mentions:
            kind = _type_at(mention, found.mentions) if mention.type == UNTYPED else ""
            if kind:
                own[number, mention.id] = kind
    most = _by_column(own, columns)
    counted: Counter[str] = Counter()
    untyped = 0
    typed: dict[int, Document] = {}
    for number, sheet in enumerate(sheets):
        mentions = []
        for mention in sheet.mentions:
            if mention.type == UNTYPED:
                untyped += 1
                votes, usual = most[columns.get((number, mention.id), 0)]
                kind = own.get((number, mention.id), "")
                if not kind or votes[kind] < SLIP * votes.total():
                    kind = usual
                if kind:
                    counted[kind] += 1
                    mention = replace(mention, type=kind)
            mentions.append(mention)
        typed[id(sheet)] = replace(sheet, mentions=tuple(mentions))
    return [typed.get(id(document), document) for document in documents], FoundTypes(counted, len(own), untyped)


def _is_untyped_sheet(document: Document) -> bool:
    return bool(document.candidates) and any(mention.type == UNTYPED for mention in document.mentions)


def _by_column(own: dict[tuple[int, str], str], columns: dict[tuple[int, str], int]) -> list[tuple[Counter[str], str]]:
    """Votes and the most common type of both columns."""
    votes: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for key, kind in own.items():
        votes[columns.get(key, 0)][kind] += 1
    return [(counted, counted.most_common(1)[0][0] if counted else "") for counted in votes]


def _type_at(mention: Mention, tagged: Sequence[Mention]) -> str:
    """The type of the tagged entity that shares most characters with the mention; none if none does."""
    best = max(tagged, key=partial(shared_characters, mention), default=None)
    return entity_class(best.type) if best is not None and shared_characters(mention, best) else ""
