"""Spreadsheets (CSV, TSV, .xlsx): how a person brings fifty labels, or texts. See ``docs/formats/table.md``.

A row of a labelled sheet has a text, two entities in it, and a label. The entities are marked in the text
(``[E1]TNF[/E1] binds [E2]p53[/E2]``, or ``<e1>…</e1>``), or given by offset columns (``e1_start``, ``e1_end``, …), or as
strings that occur in the text (of a name that occurs several times, the place next to the other is taken, with a remark). A
table without entities and labels (``pmid,title,abstract``) is text, a document per row.

Rows with the same id belong to one document, its texts on lines of their own; without an id column, rows with the same text do.
Every row of a sheet is a candidate pair. One without a label is *unlabelled* (:mod:`relhash.corpus.document`), not negative.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from relhash.corpus.document import (
    UNLABELLED,
    Argument,
    CandidatePair,
    Document,
    Mention,
    Passage,
    Relation,
    Span,
    document_of_parts,
    spanned_text,
)
from relhash.corpus.remarks import OnError, Remarks, errors_at, occurrences, placed, without_broken
from relhash.corpus.source import content_name
from relhash.corpus.tables.columns import UNUSED, Row, SheetTable, read_columns, unused
from relhash.corpus.tables.labels import ColumnOfLabels, is_yes_or_no, meaning_of_label
from relhash.errors import CorpusError, RelHashNote
from relhash.files import STANDARD_STREAM


def _text_documents(
    rows: Sequence[Row | CorpusError], columns: frozenset[str], name: str, path: Path, on_error: OnError
) -> Iterator[Document]:
    """The documents of a table of texts. Rows with the same id are one document, their texts on lines of their own."""
    texts: dict[str, dict[tuple[str, str], None]] = {}

    def add(row: Row | CorpusError) -> None:
        if isinstance(row, CorpusError):
            raise row
        parts = [(kind, row[kind].replace("\r\n", "\n").strip()) for kind in ("title", "abstract", "text")]
        if not any(text for _, text in parts):
            raise CorpusError("the row has no text", path, row.where, remedy="fill it in or remove the row")
        key = (row["id"].strip() if "id" in columns else "") or f"{name}:{row.line}"
        texts.setdefault(key, {}).update((part, None) for part in parts if part[1])

    for _ in without_broken(rows, add, on_error):
        pass
    for identifier, parts in texts.items():
        made = document_of_parts(identifier, parts)
        is_one_text = [passage.type for passage in made.passages] == ["text"]
        yield (replace(made, passages=()) if is_one_text else made).check(str(path))


Place = tuple[Span, ...]

OFFSET_COLUMNS = ("e1start", "e1end", "e2start", "e2end")
_MARK = re.compile(r"\[(/?)E([12])\]|<(/?)e([12])>", re.IGNORECASE)
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d.*|\d{1,2}[-./ ]+(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*|"
    r"(?:mar|sep|dec|oct)\w*[- ]\d{1,2}",
    re.IGNORECASE,
)


_BEL = re.compile(r"\A\w+\((?:\w+\()?[A-Za-z]\w*:\"?([^\"(),]++).*\)\Z", re.DOTALL)
"""A term of BEL with the name in it: ``act(p(HGNC:TNF))``."""


def text_of(row: Row) -> str:
    """The row's text, the one with marks if there are two; of a table with titles and abstracts, both."""
    if has_marks(row["marked"]):
        return row["marked"]
    if row["text"].strip():
        return row["text"]
    return "\n".join(row[part] for part in ("title", "abstract") if row[part].strip())


def has_marks(text: str) -> bool:
    return bool(_MARK.search(text))


def locate(row: Row, table: SheetTable, path: Path, remarks: Remarks) -> tuple[str, tuple[Place, Place]]:
    """The row's text without marks, and where its two entities stand in it."""
    text = text_of(row)
    if not text.strip():
        remedy = "write the text into every row (a cell merged over several rows fills only the first)"
        raise CorpusError("the row has no text", remedy=remedy)
    if has_marks(text):
        text, first, second = unmarked(text.replace("\r\n", "\n"))
    elif any(row[column].strip() for column in OFFSET_COLUMNS):  # only offsets can depend on line ends inside a cell
        first = _by_offsets(row, 1, text, path, remarks)
        second = _by_offsets(row, 2, text, path, remarks, taken=first)
    elif {"e1", "e2"} <= table.columns:
        text = text.replace("\r\n", "\n")
        first, second = _by_strings(text, row, path, remarks)
    else:
        remedy = "mark them, [E1]TNF[/E1] binds [E2]p53[/E2], or add the columns entity1 and entity2"
        if table.unclear:
            remedy = f"which two of {', '.join(map(repr, table.unclear))} are meant? call them entity1 and entity2"
        columns = ", ".join(map(repr, table.headings[:12]))
        raise CorpusError(f"the two entities are not given (columns found: {columns})", remedy=remedy)
    return text, (first, second)


def unmarked(marked: str) -> tuple[str, Place, Place]:
    """Take the marks out; an entity marked in several pieces is discontinuous."""
    pieces: list[str] = []
    spans: dict[str, list[Span]] = {"1": [], "2": []}
    opened: dict[str, int] = {}
    position = length = 0
    for mark in _MARK.finditer(marked):
        pieces.append(marked[position : mark.start()])
        length += len(pieces[-1])
        position = mark.end()
        closes, number = (mark[1] or mark[3]) == "/", mark[2] or mark[4]
        if closes is not (number in opened):
            raise CorpusError(f"the mark {mark[0]} has no partner", remedy="write [E1]…[/E1] and [E2]…[/E2]")
        if not closes:
            opened[number] = length
        elif opened[number] < length:
            spans[number].append((opened.pop(number), length))
        else:
            raise CorpusError(f"nothing stands between the marks of entity {number}")
    if opened:
        raise CorpusError(f"the mark of entity {min(opened)} is not closed", remedy="write [E1]…[/E1] and [E2]…[/E2]")
    for number, found in spans.items():
        if not found:
            raise CorpusError(f"entity {number} is not marked", remedy="write [E1]…[/E1] and [E2]…[/E2]")
    return "".join(pieces) + marked[position:], tuple(spans["1"]), tuple(spans["2"])


def _by_offsets(row: Row, number: int, text: str, path: Path, remarks: Remarks, taken: Place | None = None) -> Place:
    wanted = row[f"e{number}"].strip()
    starts, ends = (_whole_numbers(row[f"e{number}{part}"], f"e{number}_{part}") for part in ("start", "end"))
    if len(starts) != len(ends):
        raise CorpusError(f"entity {number} has {len(starts)} starts but {len(ends)} ends")
    spans = tuple(zip(starts, ends))
    return placed(wanted, text, spans, remarks, path, row.where, taken=() if taken is None else {taken})


def _whole_numbers(cell: str, heading: str) -> list[int]:
    parts = [part.strip() for part in cell.split(";")]
    if not all(re.fullmatch(r"\d{1,9}(\.0+)?", part, re.ASCII) for part in parts):
        raise CorpusError(f"{heading} must be a whole number, not {cell!r}")
    return [int(part.partition(".")[0]) for part in parts]


def _by_strings(text: str, row: Row, path: Path, remarks: Remarks) -> tuple[Place, Place]:
    names = tuple(_BEL.sub(r"\1", row[column].strip()) for column in ("e1", "e2"))
    found: list[list[Span]] = []
    for number, name in enumerate(names, 1):
        if not name:
            raise CorpusError(f"the row has no entity {number}")
        places = occurrences(name, text) or _spelled_otherwise(name, text)
        found.append(places)
        if not places:
            problem, remedy = (
                f"entity {number}, {name!r}, stands nowhere in the text",
                "mark it there: [E1]…[/E1], or give offsets",
            )
            if _DATE.fullmatch(name):
                problem += ": Excel has turned a name such as SEPT2 into a date"
                remedy = "format the column as text and write the name again"
            raise CorpusError(problem, remedy=remedy)
    pairs = [(one, other) for one in found[0] for other in found[1]]
    apart = [(one, other) for one, other in pairs if one[1] <= other[0] or other[1] <= one[0]] or pairs
    if len(apart) > 1 + (found[0] == found[1]):  # a pair of two mentions of one name is met twice
        remarks.add("names that stand in their text several times, read where both are nearest", path, row.where)
    first, second = min(apart, key=lambda pair: (max(pair)[0] - min(pair)[1], pair))
    return (first,), (second,)


def _spelled_otherwise(name: str, text: str) -> list[Span]:
    """Where a name stands in other case, or with other hyphens and blanks: ``AP1`` in *AP-1*."""
    loose = r"[\s-]*".join(map(re.escape, re.findall(r"[^\W\d]+|\d+|[^\w\s-]", name)))
    return [match.span() for match in re.finditer(rf"(?<!\w){loose}(?!\w)", text, re.IGNORECASE)] if loose else []


_SHOWN = {UNUSED: "not used", "e1": "entity 1", "e2": "entity 2"}
UNTYPED = "entity"
"""Type of an entity of which the table tells none."""


def read_table(
    path: Path, *, on_error: OnError = None, remarks: Remarks | None = None, encoding: str | None = None
) -> Iterator[Document]:
    """Documents of a table with a header row; in lenient mode a broken row is left out.

    Of an Excel workbook the first sheet is read whose header is understood. The ``encoding`` of CSV and TSV is guessed by
    default, with a note if it is not UTF-8.
    """
    name = "stdin" if path == STANDARD_STREAM else Path(content_name(path)).stem
    yield from table_documents(read_columns(path, encoding), name, path, on_error, remarks or Remarks())


def table_documents(table: SheetTable, name: str, path: Path, on_error: OnError, remarks: Remarks) -> Iterator[Document]:
    """The documents of a table whose header is understood; ``name`` is that of rows without an id."""
    rows = list(table.rows)
    if not rows:
        raise CorpusError("a header but no rows", path)
    if _is_text(table, rows):
        if len(named := _columns_of_names(table, rows)) > 1:
            listed = ", ".join(map(repr, named))
            warnings.warn(
                f"{path}: read as text; {listed} seem to hold names: call them entity1, entity2", RelHashNote, stacklevel=2
            )
        yield from _text_documents(rows, table.columns, name, path, on_error)
        return
    yield from _sheet_documents(table, rows, name, path, on_error, remarks)


def _is_text(table: SheetTable, rows: Sequence[Row | CorpusError]) -> bool:
    """Whether nothing in the table tells of pairs: no labels, no entities, no marks."""
    tells = {"label", "relation", "e1", "e2", *OFFSET_COLUMNS} & table.columns
    return not tells and not any(isinstance(row, Row) and has_marks(text_of(row)) for row in rows)


def _columns_of_names(table: SheetTable, rows: Sequence[Row | CorpusError]) -> list[str]:
    """Headings that are not understood, over cells whose words stand in the text of their row."""
    good = [row for row in rows if isinstance(row, Row)]
    free = [heading for heading, name in table.meanings if name == UNUSED]
    return [
        one for one in free if good and all(len(cell := row[unused(one)].strip()) > 0 and cell in text_of(row) for row in good)
    ]


def _sheet_documents(
    table: SheetTable, rows: Sequence[Row | CorpusError], name: str, path: Path, on_error: OnError, remarks: Remarks
) -> Iterator[Document]:
    rows, notes = _with_labels(table, rows)
    labels = ColumnOfLabels(row["label"] for row in rows if isinstance(row, Row))
    for note in (*notes, *labels.notes):
        warnings.warn(f"{path}: {note}", RelHashNote, stacklevel=2)
    drafts: dict[str, _Draft] = {}

    def add(row: Row | CorpusError) -> None:
        if isinstance(row, CorpusError):
            raise row
        with errors_at(path, row.where):
            text, spans = locate(row, table, path, remarks)
            key = row["id"].strip() if "id" in table.columns else text
            if not key:
                raise CorpusError("the row has no id", remedy="fill the id column or remove it")
            identifier = key if "id" in table.columns else f"{name}:{row.line}"
            drafts.setdefault(key, _Draft(identifier, table.types)).add(row, text, spans, labels)

    for _ in without_broken(rows, add, on_error):
        pass
    for draft in drafts.values():
        yield draft.document().check(str(path))


def _with_labels(table: SheetTable, rows: Sequence[Row | CorpusError]) -> tuple[Sequence[Row | CorpusError], list[str]]:
    """The rows with their labels, and what to say of them.

    Where no heading is known to mean a label, the one column of yes and no that is not used otherwise is taken for it; its
    heading (``inhibits?``) is the name of the relation.
    """
    good = [row for row in rows if isinstance(row, Row)]
    if "label" in table.columns:
        if good and not any(row["label"].strip() for row in good):
            heading = next(heading for heading, name in table.meanings if name == "label")
            return rows, [f"no labels found in the column {heading!r}: all {len(good):,} rows count as unlabelled"]
        return rows, []
    free = [heading for heading, name in table.meanings if name == UNUSED]
    answers = [heading for heading in free if _holds_answers(good, heading)]
    if len(answers) != 1:
        made = "; ".join(f"{heading!r} is {_SHOWN.get(name, name)}" for heading, name in table.meanings)
        return rows, [f"no labels found in the columns ({made}); if there are some, call theirs 'label'"] * bool(free)
    name = answers[0].rstrip("? ")
    labelled = [
        replace(row, cells={**row.cells, "label": row[unused(answers[0])], "relation": row["relation"] or name})
        if isinstance(row, Row)
        else row
        for row in rows
    ]
    return labelled, [f"the column {answers[0]!r} holds yes and no, and is read as the label of the relation {name!r}"]


def _holds_answers(rows: Sequence[Row], heading: str) -> bool:
    given = [cell for row in rows if (cell := row[unused(heading)].strip())]
    return bool(given) and all(map(is_yes_or_no, given))


@dataclass(slots=True)
class _Draft:
    """A document that grows row by row."""

    id: str
    types: dict[int, str]
    """Of the two entities, as far as the headings tell."""
    starts: dict[str, int] = field(default_factory=dict)
    """Each text of the document and where it begins in it."""
    mentions: dict[object, Mention] = field(default_factory=dict)
    """By name and text, if the table gives names, else by place and type."""
    named: dict[str, str] = field(default_factory=dict)
    """The text in which a name stood first."""
    pairs: dict[frozenset[str], CandidatePair] = field(default_factory=dict)
    answers: dict[frozenset[str], tuple[str, int]] = field(default_factory=dict)
    relations: dict[tuple[str, tuple[Argument, ...]], Relation] = field(default_factory=dict)
    length: int = 0

    def add(self, row: Row, text: str, spans: tuple[Place, Place], labels: ColumnOfLabels) -> None:
        answer, relation = labels.meaning(row["label"])
        if answer == "yes" and row["relation"].strip():  # a column of its own tells which relation
            relation = meaning_of_label(row["relation"])[1] or relation
        first, second = (self._mention(row, number, text, spans[number - 1]) for number in (1, 2))
        ends = frozenset((first.id, second.id))
        earlier, line = self.answers.get(ends, (answer, row.line))
        if {earlier, answer} == {"yes", "no"}:
            raise CorpusError(f"this pair has another label in line {line}", remedy="decide for one of the two")
        if answer != "open" or ends not in self.answers:
            self.answers[ends] = (answer, row.line)
        self.pairs.setdefault(ends, CandidatePair(f"P{len(self.pairs) + 1}", first.id, second.id))
        if answer == "yes":
            arguments = (Argument(row["e1role"].strip() or "e1", first.id), Argument(row["e2role"].strip() or "e2", second.id))
            name = f"R{len(self.relations) + 1}"
            self.relations.setdefault((relation, arguments), Relation(name, relation, arguments))

    def _mention(self, row: Row, number: int, text: str, spans: Place) -> Mention:
        if text not in self.starts:
            self.starts[text] = self.length + bool(self.starts)
            self.length = self.starts[text] + len(text)
        shift = self.starts[text]
        shifted = tuple((start + shift, end + shift) for start, end in spans)
        kind = row[f"e{number}type"].strip() or self.types.get(number) or UNTYPED
        name = row[f"e{number}mention"].strip()
        ids = tuple(identifier.strip() for identifier in row[f"e{number}ids"].split(";") if identifier.strip())
        number_of_it = len(self.mentions) + 1
        # a pair of two sentences comes with the text of both, in which its mentions stand a second time
        is_second = bool(name) and self.named.setdefault(name, text) != text
        called = f"{name}/{number_of_it}" if is_second else name or f"T{number_of_it}"
        made = Mention(called, kind, shifted, spanned_text(text, spans), ids)
        mention = self.mentions.setdefault((name, text) if name else (shifted, kind), made)
        if (mention.spans, mention.type) != (shifted, kind):
            raise CorpusError(f"the mention {name!r} stood elsewhere in an earlier row")
        return mention

    def document(self) -> Document:
        unlabelled = [pair.id for ends, pair in self.pairs.items() if self.answers[ends][0] == "open"]
        several = len(self.starts) > 1
        return Document(
            id=self.id,
            text="\n".join(self.starts),
            mentions=tuple(self.mentions.values()),
            relations=tuple(self.relations.values()),
            candidates=tuple(self.pairs.values()),
            passages=tuple(Passage("text", start, start + len(text)) for text, start in self.starts.items() if several),
            metadata={UNLABELLED: " ".join(unlabelled)} if unlabelled else {},
        )
