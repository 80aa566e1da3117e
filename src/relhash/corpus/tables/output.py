"""Writing the relations of a corpus as a table: one row per relation, or per candidate pair where the corpus lists them.

What is written can be read again (:mod:`relhash.corpus.tables.reader`): the text cell is the sentence that holds both mentions
(the whole document where sentences are not known), and the offsets count in that cell.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from relhash.corpus.document import UNLABELLED, Argument, Document, Mention, Relation, spanned_text
from relhash.corpus.remarks import refusal
from relhash.corpus.source import content_name, writing
from relhash.corpus.tables.labels import meaning_of_label
from relhash.corpus.tables.sheets import guarded, unguarded, write_workbook
from relhash.errors import CorpusError

_ENTITY_COLUMNS = ("entity{n}", "e{n}_type", "e{n}_ids", "e{n}_start", "e{n}_end", "e{n}_role", "e{n}_mention")
_HEADER = ["document", "text", *(column.format(n=n) for n in (1, 2) for column in _ENTITY_COLUMNS), "label"]


def write_table(documents: Iterable[Document], path: Path) -> None:
    """An Excel workbook if the name ends in ``.xlsx``, a comma-separated table if in ``.csv``, else a tab-separated one.

    Documents without relations and candidate pairs leave no trace in it. Relations that do not join two mentions (interactions)
    are refused.
    """
    rows = (row for document in documents for row in _rows(document, path))
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        write_workbook(itertools.chain([_HEADER], (list(map(_for_workbook, row)) for row in rows)), path)
        return
    delimiter = "," if content_name(path).lower().endswith(".csv") else "\t"
    with writing(path) as handle:
        table = csv.writer(handle, delimiter=delimiter, lineterminator="\n")
        table.writerow(_HEADER)
        table.writerows([guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)


def _for_workbook(cell: str | int) -> str | int:
    """A workbook marks text as text; only an apostrophe that reading would take for a guard needs one more."""
    return f"'{cell}" if isinstance(cell, str) and unguarded(cell) != cell else cell


def _rows(document: Document, path: Path) -> Iterator[list[str | int]]:
    unlabelled = set(document.metadata.get(UNLABELLED, "").split())
    waiting: dict[frozenset[str], list[Relation]] = {}
    for relation in document.relations:
        if (
            relation.trigger is not None
            or len(relation.arguments) != 2
            or not all(target in document.mention_by_id for target in relation.targets)
        ):
            raise refusal(
                "a table", "interactions and relations that do not join two mentions", path, f"{document.id} {relation.id}"
            )
        if _meaning(relation.type) != ("yes", relation.type):
            raise refusal(
                "a table",
                f"a relation called {relation.type!r}: as a label it means something else",
                path,
                f"{document.id} {relation.id}",
            )
        waiting.setdefault(frozenset(relation.targets), []).append(relation)
    for pair in document.candidates or ():
        relations = waiting.pop(frozenset((pair.first, pair.second)), [])
        for relation in relations:
            yield _row(document, relation.arguments, relation.type)
        if not relations:
            ends = (Argument("e1", pair.first), Argument("e2", pair.second))
            yield _row(document, ends, "" if pair.id in unlabelled else "0")
    for relations in waiting.values():
        for relation in relations:
            yield _row(document, relation.arguments, relation.type)


def _meaning(label: str) -> tuple[str, str] | None:
    """What the label would mean on reading it again; ``None`` if it would be refused."""
    try:
        return meaning_of_label(label)
    except CorpusError:
        return None


def _row(document: Document, ends: tuple[Argument, ...], label: str) -> list[str | int]:
    mentions = [document.mention_by_id[argument.target] for argument in ends]
    start, end = _surroundings(document, mentions)
    row: list[str | int] = [document.id, document.text[start:end]]
    for argument, mention in zip(ends, mentions):
        row += [
            spanned_text(document.text, mention.spans),
            mention.type,
            ";".join(mention.ids),
            ";".join(str(begin - start) for begin, _ in mention.spans),
            ";".join(str(finish - start) for _, finish in mention.spans),
            argument.role,
            mention.id,
        ]
    return [*row, label]


def _surroundings(document: Document, mentions: list[Mention]) -> tuple[int, int]:
    first, last = min(mention.start for mention in mentions), max(mention.end for mention in mentions)
    stretches = document.sentences or document.passages
    around = [(part.start, part.end) for part in stretches if part.start <= first and last <= part.end]
    return min(around, key=lambda span: span[1] - span[0]) if around else (0, len(document.text))
