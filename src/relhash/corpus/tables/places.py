"""Where the two entities of a table's row stand in its text: marked there, given by offsets, or as strings to be found."""

from __future__ import annotations

import re
from pathlib import Path

from relhash.corpus.consistency import occurrences, placed
from relhash.corpus.document import Span
from relhash.corpus.remarks import Remarks
from relhash.corpus.tables.columns import Row
from relhash.errors import CorpusError

Place = tuple[Span, ...]

OFFSET_COLUMNS = ("e1start", "e1end", "e2start", "e2end")
_MARK = re.compile(r"\[(/?)E([12])\]|<(/?)e([12])>", re.IGNORECASE)
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d.*|\d{1,2}[-./ ]+(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*|"
    r"(?:mar|sep|dec|oct)\w*[- ]\d{1,2}",
    re.IGNORECASE,
)


def text_of(row: Row) -> str:
    """The row's text, the one with marks if there are two; of a table with titles and abstracts, both."""
    if has_marks(row["marked"]):
        return row["marked"]
    if row["text"].strip():
        return row["text"]
    return "\n".join(row[part] for part in ("title", "abstract") if row[part].strip())


def has_marks(text: str) -> bool:
    return bool(_MARK.search(text))


def locate(row: Row, columns: frozenset[str], path: Path, remarks: Remarks) -> tuple[str, tuple[Place, Place]]:
    """The row's text without marks, and where its two entities stand in it."""
    text = text_of(row)
    if not text.strip():
        raise CorpusError(
            "the row has no text",
            path=path,
            where=row.where,
            remedy="write the text into every row (a cell merged over several rows fills only the first)",
        )
    try:
        if has_marks(text):
            text, first, second = unmarked(text.replace("\r\n", "\n"))
        elif any(row[column].strip() for column in OFFSET_COLUMNS):  # only offsets can depend on line ends inside a cell
            first = _by_offsets(row, 1, text, path, remarks)
            second = _by_offsets(row, 2, text, path, remarks, taken=first)
        elif {"e1", "e2"} <= columns:
            text = text.replace("\r\n", "\n")
            first, second = _by_strings(text, row)
        else:
            raise CorpusError(
                "the two entities are not given",
                remedy="mark them, [E1]TNF[/E1] binds [E2]p53[/E2], or add the columns entity1 and entity2",
            )
    except CorpusError as error:
        raise CorpusError(error.message, path=path, where=row.where, remedy=error.remedy) from None
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
    return placed(wanted, text, spans, remarks, path=path, where=row.where, taken=() if taken is None else {taken})


def _whole_numbers(cell: str, heading: str) -> list[int]:
    parts = [part.strip() for part in cell.split(";")]
    if not all(re.fullmatch(r"\d{1,9}(\.0+)?", part, re.ASCII) for part in parts):
        raise CorpusError(f"{heading} must be a whole number, not {cell!r}")
    return [int(part.partition(".")[0]) for part in parts]


def _by_strings(text: str, row: Row) -> tuple[Place, Place]:
    names = (row["e1"].strip(), row["e2"].strip())
    found: list[Span] = []
    for number, name in enumerate(names, 1):
        if not name:
            raise CorpusError(f"the row has no entity {number}")
        places = occurrences(name, text)
        if names[0] == names[1] and len(places) == 2:  # a pair of two mentions of one name
            found.append(places[number - 1])
        elif len(places) == 1:
            found.append(places[0])
        elif not places and _DATE.fullmatch(name):
            raise CorpusError(
                f"entity {number}, {name!r}, stands nowhere in the text: Excel has turned a name such as SEPT2 into a date",
                remedy="format the column as text and write the name again",
            )
        else:
            problem = f"{len(places)} times in the text" if places else "nowhere in the text"
            raise CorpusError(
                f"entity {number}, {name!r}, stands {problem}", remedy="mark it there: [E1]…[/E1], or give offsets"
            )
    return (found[0],), (found[1],)
