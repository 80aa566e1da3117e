"""A table file cut into rows of cells: CSV and TSV as spreadsheets write them, and Excel's own workbooks.

Cells that a spreadsheet would take for a formula.

Text comes from strangers, and Excel runs what begins with ``=``, ``+``, ``-`` or ``@`` (a tab or a line end before it makes no
difference). In CSV and TSV such cells get an apostrophe in front, the usual sign for "this is text"; reading takes it away
again. Apostrophes that stood there before get one more, so nothing is lost on the way.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from relhash.corpus.source import is_old_workbook, is_workbook, open_bytes
from relhash.corpus.tables.workbook import sheets_of
from relhash.corpus.text_encoding import decoded
from relhash.errors import CorpusError

_DANGEROUS = re.compile(r"'*[=+\-@\t\r\n]")
_GUARDED = re.compile(r"'+[=+\-@\t\r\n]")


def guarded(cell: str) -> str:
    """The cell as text that no spreadsheet runs.

    >>> guarded("=HYPERLINK(0)"), guarded("RAF1"), guarded("'-catenin")
    ("'=HYPERLINK(0)", 'RAF1', "''-catenin")
    """
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def unguarded(cell: str) -> str:
    """The inverse of :func:`guarded`.

    >>> unguarded("'=HYPERLINK(0)"), unguarded("'tis"), unguarded("''-catenin")
    ('=HYPERLINK(0)', "'tis", "'-catenin")
    """
    return cell[1:] if _GUARDED.match(cell) else cell


DELIMITERS = ("\t", ",", ";", "|")
_LOOK_AT = 10
"""Lines in which the header is looked for, to tell the separator."""

# the csv module refuses cells over 131 KB by default; ours are bounded by the file, which is in memory already
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class Record:
    """The cells of a row, the number of the row (or line of the file), and how an error names the place."""

    line: int
    where: int | str
    cells: list[str]

    @property
    def is_blank(self) -> bool:
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook, or the only one that a CSV file is."""

    name: str
    records: Iterator[Record]


def read_sheets(path: Path, encoding: str | None, count_known: Callable[[list[str]], int]) -> Iterator[Sheet]:
    """The sheets of the file; ``count_known`` tells how many cells of a row are headings that we understand."""
    with open_bytes(path) as handle:
        data = handle.read()
    if not data:
        raise CorpusError("the file is empty", path=path, remedy="check that it was written or downloaded completely")
    if is_old_workbook(data):
        raise CorpusError(
            "a workbook of the old kind (.xls), which is not read", path=path, remedy="save it as .xlsx or as CSV"
        )  # fmt: skip
    if is_workbook(data):
        for name, rows in sheets_of(data, path):
            yield Sheet(name, _sheet_records(name, rows))
        return
    yield Sheet("", _text_records(decoded(data, path, encoding).removeprefix("\ufeff"), path, count_known))


def _sheet_records(name: str, rows: Iterator[tuple[int, list[str]]]) -> Iterator[Record]:
    for number, cells in rows:
        yield Record(number, f"{name}, row {number}", [unguarded(cell) for cell in cells])


def _text_records(text: str, path: Path, count_known: Callable[[list[str]], int]) -> Iterator[Record]:
    skipped_lines = 0
    separator = re.match(r"sep=(.)\r?\n", text)  # Excel's own hint
    if separator:
        text, skipped_lines = text[separator.end() :], 1
    delimiter = separator[1] if separator else _delimiter(text, count_known)
    return _cut(text, delimiter, path, skipped_lines)


def _delimiter(text: str, count_known: Callable[[list[str]], int]) -> str:
    lines = text[: 1 << 16].splitlines()[:_LOOK_AT]

    def fit(mark: str) -> tuple[int, int]:
        return max(((count_known(line.replace('"', "").split(mark)), len(line.split(mark))) for line in lines), default=(0, 0))

    return max(DELIMITERS, key=fit)


def _cut(text: str, delimiter: str, path: Path, skipped_lines: int) -> Iterator[Record]:
    """Quotes are taken as CSV's unless a tab-separated file shows that it does not mean them so."""
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
            yield Record(line, line, [unguarded(cell) for cell in cells])
            line = skipped_lines + reader.line_num + 1
    except csv.Error as error:
        raise CorpusError(
            f"not a table: {error}",
            path=path,
            where=line,
            remedy='put texts that hold the separator or a quote into double quotes, and double the quotes inside ("")',
        ) from error
