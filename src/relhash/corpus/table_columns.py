"""What the columns of a spreadsheet may be called, and how its file is cut into rows.

Headings are compared without case, blanks, dashes and underscores: ``Entity 1`` is ``entity1``.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from relhash.corpus.source import read_text
from relhash.errors import CorpusError

__all__ = ["COLUMNS", "Row", "read_rows"]

_ENTITY = {
    "": ("entity{n}", "e{n}", "mention{n}", "arg{n}", "protein{n}", "gene{n}", "e{n}text", "entity{n}text"),
    "start": ("e{n}start", "entity{n}start", "start{n}"),
    "end": ("e{n}end", "entity{n}end", "end{n}"),
    "type": ("e{n}type", "entity{n}type", "type{n}"),
    "ids": ("e{n}ids", "e{n}id", "entity{n}ids", "entity{n}id"),
    "mention": ("e{n}mention", "entity{n}mention"),
    "role": ("e{n}role", "entity{n}role", "role{n}"),
}

COLUMNS: dict[str, tuple[str, ...]] = {
    "text": ("text", "sentence", "passage", "abstract"),
    "label": ("label", "relation", "relationtype", "gold", "class", "interaction", "answer"),
    "id": ("document", "documentid", "docid", "doc", "id", "pmid"),
    **{f"e{n}{part}": tuple(name.format(n=n) for name in names) for n in (1, 2) for part, names in _ENTITY.items()},
}
"""Our name of a column → the headings it may have."""

_DELIMITERS = ("\t", ",", ";", "|")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: the line it begins at, and its cells by our names of the columns (absent ones are empty)."""

    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


def read_rows(path: Path) -> tuple[frozenset[str], Iterator[Row | CorpusError]]:
    """Our names of the columns that the table has, and its rows; a row that does not fit the header comes as its error."""
    text = read_text(path, keep_layout=True).removeprefix("\ufeff")
    skipped_lines = 0
    separator = re.match(r"sep=(.)\r?\n", text)  # Excel's own hint
    if separator:
        text, skipped_lines = text[separator.end() :], 1
    first_line = text.partition("\n")[0]
    delimiter = separator[1] if separator else max(_DELIMITERS, key=lambda mark: _known_headings(first_line, mark))
    records = _cut(text, delimiter, path, skipped_lines)
    _, header = next(records, (1, []))
    columns = _name_columns(header, path, skipped_lines + 1)
    return frozenset(column for column in columns if column), _rows(records, columns, path)


def _known_headings(line: str, delimiter: str) -> tuple[int, int]:
    headings = [_plain(cell) for cell in line.split(delimiter)]
    return sum(any(heading in names for names in COLUMNS.values()) for heading in headings), len(headings)


def _plain(heading: str) -> str:
    return re.sub(r"[\s_.\-\"']", "", heading).lower()


def _cut(text: str, delimiter: str, path: Path, skipped_lines: int) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and cells. Quotes are taken as CSV's unless a tab-separated file shows that it does not mean them so."""
    is_quoted = True
    if delimiter == "\t":
        try:
            for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
                pass
        except csv.Error:
            is_quoted = False
    lines = io.StringIO(text, newline="")
    if is_quoted:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
    else:
        reader = csv.reader(lines, delimiter=delimiter, strict=True, quoting=csv.QUOTE_NONE)
    line = skipped_lines + 1
    try:
        for cells in reader:
            yield line, cells
            line = skipped_lines + reader.line_num + 1
    except csv.Error as error:
        raise CorpusError(
            f"not a table: {error}",
            path=path,
            where=line,
            remedy='put texts that hold the separator or a quote into double quotes, and double the quotes inside ("")',
        ) from error


def _name_columns(header: list[str], path: Path, line: int) -> list[str | None]:
    columns: list[str | None] = []
    unknown: list[str] = []
    for heading in header:
        name = next((ours for ours, names in COLUMNS.items() if _plain(heading) in names), None)
        if name is not None and name in columns:
            earlier = header[columns.index(name)]
            raise CorpusError(
                f"the columns {earlier!r} and {heading!r} both mean {name!r}",
                path=path,
                where=line,
                remedy="remove one of them",
            )
        columns.append(name)
        if name is None:
            unknown.append(heading)
    if "text" not in columns:
        raise CorpusError(
            f"no column is called 'text' (found: {', '.join(map(repr, header))[:200] or 'nothing'})",
            path=path,
            where=line,
            remedy="the first line must name the columns: text, entity1, entity2, label",
        )
    if "label" not in columns:
        # without the label column all rows count as unlabelled, so a misspelling must not pass for its absence
        for heading in unknown:
            if difflib.get_close_matches(_plain(heading), COLUMNS["label"], 1, 0.75):
                raise CorpusError(f"the column {heading!r} is not known", path=path, where=line, remedy="did you mean 'label'?")
    return columns


def _rows(records: Iterator[tuple[int, list[str]]], columns: list[str | None], path: Path) -> Iterator[Row | CorpusError]:
    for line, cells in records:
        if not any(cell.strip() for cell in cells):
            continue
        if any(cell.strip() for cell in cells[len(columns) :]):
            yield CorpusError(
                f"{len(cells)} cells in a table of {len(columns)} columns",
                path=path,
                where=line,
                remedy="put texts that hold the separator into double quotes",
            )
            continue
        yield Row(line, {name: cell for name, cell in zip(columns, cells) if name is not None})
