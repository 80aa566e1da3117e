"""CSV and TSV: how a person with a spreadsheet brings fifty labels. See ``docs/formats/table.md``.

A row has a text, two entities in it, and a label. The entities are marked in the text (``[E1]TNF[/E1] binds [E2]p53[/E2]``, or
``<e1>…</e1>``), or given by offset columns (``e1_start``, ``e1_end``, …), or as strings that occur in the text once.

Rows with the same id belong to one document, its texts on lines of their own; without an id column, rows with the same text do.
Every row is a candidate pair. A row without a label is *unlabelled* (see :mod:`relhash.corpus.labels`), not negative.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from relhash.corpus.document import Argument, CandidatePair, Document, Mention, Passage, Relation, Span
from relhash.corpus.labels import UNLABELLED
from relhash.corpus.skipping import OnError, without_broken
from relhash.corpus.source import STANDARD_STREAM, content_name
from relhash.corpus.standoff import spanned_text
from relhash.corpus.table_columns import Row, read_rows
from relhash.errors import CorpusError

__all__ = ["DEFAULT_RELATION", "meaning_of_label", "read_table"]

DEFAULT_RELATION = "interaction"
"""Type of the relation when the label only says yes."""

_YES = {"1", "1.0", "yes", "y", "true", "t", "positive", "pos", "+", "+1"}
_NO = {"0", "0.0", "no", "n", "false", "f", "negative", "neg", "-", "-1", "-1.0", "none", "no relation", "no_relation"}
_OPEN = {"", "?", "na", "n/a", "nan", "null", "unlabelled", "unlabeled"}
_OFFSET_COLUMNS = ("e1start", "e1end", "e2start", "e2end")
_MARK = re.compile(r"\[(/?)E([12])\]|<(/?)e([12])>", re.IGNORECASE)


def read_table(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """Documents of a CSV or TSV file with a header line; in lenient mode a broken row is left out."""
    columns, rows = read_rows(path)
    prefix = "stdin" if path == STANDARD_STREAM else Path(content_name(path)).stem
    drafts: dict[str, _Draft] = {}

    def add(row: Row | CorpusError) -> None:
        if isinstance(row, CorpusError):
            raise row
        text, spans = _locate(row, columns, path)
        key = row["id"].strip() if "id" in columns else text
        if not key:
            raise CorpusError("the row has no id", path=path, where=row.line, remedy="fill the id column or remove it")
        identifier = key if "id" in columns else f"{prefix}:{row.line}"
        drafts.setdefault(key, _Draft(identifier)).add(row, text, spans, path)

    for _ in without_broken(_some(rows, path), add, on_error):
        pass
    for draft in drafts.values():
        yield draft.document().check(str(path))


def _some(rows: Iterable[Row | CorpusError], path: Path) -> Iterator[Row | CorpusError]:
    is_empty = True
    for row in rows:
        is_empty = False
        yield row
    if is_empty:
        raise CorpusError("a header but no rows", path=path)


def meaning_of_label(label: str) -> tuple[str, str]:
    """``("yes", type)``, ``("no", "")`` or ``("open", "")``; a number that is neither is an error of the table.

    >>> meaning_of_label("TRUE"), meaning_of_label("0.0"), meaning_of_label("phosphorylates"), meaning_of_label("")
    (('yes', 'interaction'), ('no', ''), ('yes', 'phosphorylates'), ('open', ''))
    """
    plain = label.strip().lower()
    if plain in _OPEN:
        return "open", ""
    if plain in _NO:
        return "no", ""
    if plain in _YES:
        return "yes", DEFAULT_RELATION
    if re.fullmatch(r"[+-]?\d+([.,]\d*)?", plain):
        raise CorpusError(
            f"the label {label!r} is neither yes nor no",
            remedy="use 1/0, yes/no, true/false, the name of a relation, or nothing for unlabelled",
        )
    return "yes", label.strip()


@dataclass(slots=True)
class _Draft:
    """A document that grows row by row."""

    id: str
    starts: dict[str, int] = field(default_factory=dict)
    """Each text of the document and where it begins in it."""
    mentions: dict[object, Mention] = field(default_factory=dict)
    """By their names, if the table gives names, else by place and type."""
    pairs: dict[frozenset[str], CandidatePair] = field(default_factory=dict)
    answers: dict[frozenset[str], tuple[str, int]] = field(default_factory=dict)
    relations: dict[tuple[str, tuple[Argument, ...]], Relation] = field(default_factory=dict)
    length: int = 0

    def add(self, row: Row, text: str, spans: tuple[tuple[Span, ...], tuple[Span, ...]], path: Path) -> None:
        try:
            answer, relation = meaning_of_label(row["label"])
        except CorpusError as error:
            raise CorpusError(error.message, path=path, where=row.line, remedy=error.remedy) from None
        first, second = (self._mention(row, number, text, spans[number - 1], path) for number in (1, 2))
        ends = frozenset((first.id, second.id))
        earlier, line = self.answers.get(ends, (answer, row.line))
        if {earlier, answer} == {"yes", "no"}:
            raise CorpusError(
                f"this pair has another label in line {line}", path=path, where=row.line, remedy="decide for one of the two"
            )
        if answer != "open" or ends not in self.answers:
            self.answers[ends] = (answer, row.line)
        self.pairs.setdefault(ends, CandidatePair(f"P{len(self.pairs) + 1}", first.id, second.id))
        if answer == "yes":
            arguments = (Argument(row["e1role"].strip() or "e1", first.id), Argument(row["e2role"].strip() or "e2", second.id))
            name = f"R{len(self.relations) + 1}"
            self.relations.setdefault((relation, arguments), Relation(name, relation, arguments))

    def _mention(self, row: Row, number: int, text: str, spans: tuple[Span, ...], path: Path) -> Mention:
        if text not in self.starts:
            self.starts[text] = self.length + bool(self.starts)
            self.length = self.starts[text] + len(text)
        shift = self.starts[text]
        shifted = tuple((start + shift, end + shift) for start, end in spans)
        kind = row[f"e{number}type"].strip() or "entity"
        name = row[f"e{number}mention"].strip()
        ids = tuple(identifier.strip() for identifier in row[f"e{number}ids"].split(";") if identifier.strip())
        made = Mention(name or f"T{len(self.mentions) + 1}", kind, shifted, spanned_text(text, spans), ids)
        mention = self.mentions.setdefault(name or (shifted, kind), made)
        if (mention.spans, mention.type) != (shifted, kind):
            raise CorpusError(f"the mention {name!r} stood elsewhere in an earlier row", path=path, where=row.line)
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


def _locate(row: Row, columns: frozenset[str], path: Path) -> tuple[str, tuple[tuple[Span, ...], tuple[Span, ...]]]:
    """The row's text without marks, and where its two entities stand in it."""
    text = row["text"]
    if not text.strip():
        raise CorpusError("the row has no text", path=path, where=row.line)
    try:
        if any(row[column].strip() for column in _OFFSET_COLUMNS):
            first, second = _by_offsets(row, 1), _by_offsets(row, 2)
        elif _MARK.search(text := text.replace("\r\n", "\n")):  # only offsets can depend on line ends inside a cell
            text, first, second = _unmark(text)
        elif {"e1", "e2"} <= columns:
            first, second = _by_strings(text, row)
        else:
            raise CorpusError(
                "the two entities are not given",
                remedy="mark them, [E1]TNF[/E1] binds [E2]p53[/E2], or add the columns entity1 and entity2",
            )
    except CorpusError as error:
        raise CorpusError(error.message, path=path, where=row.line, remedy=error.remedy) from None
    return text, (first, second)


def _unmark(marked: str) -> tuple[str, tuple[Span, ...], tuple[Span, ...]]:
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


def _by_offsets(row: Row, number: int) -> tuple[Span, ...]:
    text, wanted = row["text"], row[f"e{number}"]
    starts, ends = (_whole_numbers(row[f"e{number}{part}"], f"e{number}_{part}") for part in ("start", "end"))
    if len(starts) != len(ends):
        raise CorpusError(f"entity {number} has {len(starts)} starts but {len(ends)} ends")
    spans = tuple(zip(starts, ends))
    for start, end in spans:
        if not 0 <= start < end <= len(text):
            raise CorpusError(
                f"offsets {start}-{end} of entity {number} lie outside the text of {len(text)} characters",
                remedy="offsets count characters from 0, the end is exclusive",
            )
    if wanted.strip() and wanted.split() != spanned_text(text, spans).split():
        raise CorpusError(
            f"entity {number} should be {wanted!r} but its offsets give {spanned_text(text, spans)!r}",
            remedy="offsets count characters from 0, the end is exclusive",
        )
    return spans


def _whole_numbers(cell: str, heading: str) -> list[int]:
    parts = [part.strip() for part in cell.split(";")]
    if not all(re.fullmatch(r"\d{1,9}(\.0+)?", part, re.ASCII) for part in parts):
        raise CorpusError(f"{heading} must be a whole number, not {cell!r}")
    return [int(part.partition(".")[0]) for part in parts]


def _by_strings(text: str, row: Row) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    names = (row["e1"].strip(), row["e2"].strip())
    found: list[Span] = []
    for number, name in enumerate(names, 1):
        if not name:
            raise CorpusError(f"the row has no entity {number}")
        places = _occurrences(name, text)
        if names[0] == names[1] and len(places) == 2:  # a pair of two mentions of one name
            found.append(places[number - 1])
        elif len(places) == 1:
            found.append(places[0])
        else:
            problem = f"{len(places)} times in the text" if places else "nowhere in the text"
            raise CorpusError(
                f"entity {number}, {name!r}, stands {problem}", remedy="mark it there: [E1]…[/E1], or give offsets"
            )
    return (found[0],), (found[1],)


def _occurrences(name: str, text: str) -> list[Span]:
    """Where ``name`` stands as words of its own; if nowhere, where it stands at all."""
    for pattern in (rf"(?<!\w){re.escape(name)}(?!\w)", re.escape(name)):
        places = [match.span() for match in re.finditer(pattern, text)]
        if places:
            return places
    return []
