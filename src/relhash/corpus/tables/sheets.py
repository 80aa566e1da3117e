"""Table files as rows of cells and back: CSV and TSV as spreadsheets write them, and Excel's workbooks (``.xlsx``).

A workbook is a zip archive of XML. Before openpyxl sees it, the sizes that the archive declares are added up (an unpacked part
can never be larger than declared) and every part is refused that declares XML entities.

Excel runs what begins with ``=``, ``+``, ``-`` or ``@`` (also after a tab or a line end). In CSV and TSV such
cells get an apostrophe in front, the usual sign for "this is text"; reading takes it away again. Apostrophes that stood there
before get one more, so nothing is lost on the way.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import shutil
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from relhash.corpus.source import decoded, is_old_workbook, is_workbook, open_bytes
from relhash.corpus.xml_safety import refuse_entities
from relhash.errors import CorpusError
from relhash.files import replacing

MOST_UNPACKED = 300_000_000
"""Bytes that all parts of a workbook may have together."""
LARGEST_RATIO = 50
"""Bytes that a byte of a table of ours may unpack to; usual are ten."""
MOST_COLUMNS = 1000
MOST_ROWS = 1_048_576
"""Rows of a sheet in Excel. openpyxl makes all those that are missing before a row, whatever number that claims to have."""
LONGEST_CELL = 32_767
"""Characters that Excel keeps of a cell; openpyxl would cut off the rest without a word."""
DELIMITERS = ("\t", ",", ";", "|")
_LOOK_AT = 10
"""Lines in which the header is looked for, to tell the separator."""
_DANGEROUS = re.compile(r"'*[=+\-@\t\r\n]")
_GUARDED = re.compile(r"'+[=+\-@\t\r\n]")

# the csv module refuses cells over 131 KB by default; ours are bounded by the file, which is in memory already
csv.field_size_limit(2**31 - 1)


def guarded(cell: str) -> str:
    """The cell as text that no spreadsheet runs."""
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def unguarded(cell: str) -> str:
    """The inverse of :func:`guarded`."""
    return cell[1:] if _GUARDED.match(cell) else cell


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
    """The visible sheets of the file; ``count_known`` tells how many cells of a row are headings that we understand."""
    with open_bytes(path) as handle:
        data = handle.read()
    if not data:
        raise CorpusError("the file is empty", path, remedy="check that it was written or downloaded completely")
    if is_old_workbook(data):
        raise CorpusError("a workbook of the old kind (.xls), not read", path, remedy="save it as .xlsx or as CSV")
    if is_workbook(data):
        for sheet in _visible_sheets(data, path, MOST_UNPACKED):
            yield Sheet(sheet.title, _sheet_records(sheet, path))
    else:
        yield Sheet("", _text_records(decoded(data, path, encoding).removeprefix("\ufeff"), path, count_known))


def _sheet_records(sheet: Any, path: Path) -> Iterator[Record]:
    for number, values in _values(sheet, path):
        cells = [unguarded(text_of_cell(value)) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield Record(number, f"{sheet.title}, row {number}", cells)


def _text_records(text: str, path: Path, count_known: Callable[[list[str]], int]) -> Iterator[Record]:
    """The rows of CSV or TSV; a tab-separated file may show that it does not mean quotes as CSV does."""
    hint = re.match(r"sep=(.)\r?\n", text)  # Excel's own, in a first line
    text, skipped = (text[hint.end() :], 1) if hint else (text, 0)
    delimiter = hint[1] if hint else _delimiter(text, count_known)
    quoting: Any = csv.QUOTE_MINIMAL
    if delimiter == "\t":
        try:
            for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
                pass
        except csv.Error:
            quoting = csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, quoting=quoting)
    line = skipped + 1
    try:
        for cells in reader:
            yield Record(line, line, [unguarded(cell) for cell in cells])
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        remedy = 'put texts that hold the separator or a quote into double quotes, and double the quotes inside ("")'
        raise CorpusError(f"not a table: {error}", path, line, remedy=remedy) from error


def _delimiter(text: str, count_known: Callable[[list[str]], int]) -> str:
    lines = text[: 1 << 16].splitlines()[:_LOOK_AT]

    def fit(mark: str) -> tuple[int, int]:
        return max(((count_known(line.replace('"', "").split(mark)), len(line.split(mark))) for line in lines), default=(0, 0))

    return max(DELIMITERS, key=fit)


def first_sheet(data: bytes, path: Path) -> Iterator[tuple[int, Sequence[Any]]]:
    """The rows of the first visible sheet, numbers as numbers, and empty cells as ``None``.

    It may be a table of ours with a million rows; they are read one by one, so that only the ratio is bounded.
    """
    for sheet in _visible_sheets(data, path, max(MOST_UNPACKED, LARGEST_RATIO * len(data))):
        return _values(sheet, path)
    return iter(())


def _visible_sheets(data: bytes, path: Path, most_unpacked: int) -> list[Any]:
    import openpyxl

    _check_archive(data, path, most_unpacked)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on validation rules and other parts that do not matter here
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # openpyxl raises KeyError, ValueError, XML errors, … for the many ways of being no workbook
        raise _damaged(path, error) from error
    return [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]


@contextmanager
def streamed_sheet(title: str) -> Iterator[tuple[Any, Any]]:
    """A new workbook and its one sheet, to which rows are appended; the first row stays in view.

    openpyxl keeps a generator open inside XML elements until the sheet is closed. If rows stop half-way and it is not closed,
    the interpreter prints a traceback when the sheet is collected, below the error that the user sees.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    book.properties.created = book.properties.modified = datetime.datetime(1980, 1, 1)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    try:
        yield book, sheet
    except BaseException:
        with suppress(Exception):  # a full disk may be why rows stopped: then closing fails as well
            sheet.close()
        raise


class _WithoutTimes(zipfile.ZipFile):
    """An archive whose entries carry no time of their own: the same sheet gives the same bytes."""

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        super().writestr(self._entry(zinfo_or_arcname), data)

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        with open(filename, "rb") as source, self.open(self._entry(arcname), "w", force_zip64=True) as target:
            shutil.copyfileobj(source, target)

    def _entry(self, name: Any) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(str(name))
        entry.compress_type = zipfile.ZIP_DEFLATED
        return entry


def save_book(book: Any, handle: IO[bytes]) -> None:
    """Write a workbook; the same one gives the same bytes at any time."""
    from openpyxl.writer.excel import ExcelWriter

    ExcelWriter(book, _WithoutTimes(handle, "w", zipfile.ZIP_DEFLATED)).save()


def write_workbook(rows: Iterable[Sequence[str | int]], path: Path) -> None:
    """A workbook of one sheet whose first row stays in view. Every text is written as text, whatever it begins with."""
    try:
        with streamed_sheet("relations") as (book, sheet):
            for number, row in enumerate(rows, 1):
                sheet.append([_cell(sheet, value, path, number) for value in row])
            with replacing(path, "wb") as handle:
                save_book(book, handle)
    except FileNotFoundError as error:
        raise CorpusError(
            "the folder of the output does not exist", path, remedy=f"make it first: mkdir -p {path.parent}"
        ) from error


def _cell(sheet: Any, value: str | int, path: Path, number: int) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils.exceptions import IllegalCharacterError

    if isinstance(value, str) and len(value) > LONGEST_CELL:
        problem = f"a cell of Excel holds {LONGEST_CELL:,} characters, this text has {len(value):,}"
        raise CorpusError(problem, path, f"row {number}", remedy="write .csv or .tsv")
    try:
        made = WriteOnlyCell(sheet, value)
    except IllegalCharacterError as error:
        raise CorpusError(
            "a control character, which Excel cannot hold", path, f"row {number}", remedy="write .csv or .tsv"
        ) from error
    if isinstance(value, str):
        made.data_type = "s"  # openpyxl would make a formula of "=…" and an error of "#N/A"
    return made


def _values(sheet: Any, path: Path) -> Iterator[tuple[int, Sequence[Any]]]:
    sheet.reset_dimensions()  # what the file declares may be wrong, or a million rows of nothing
    rows = enumerate(sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS), 1)
    last: Any = None
    while True:
        try:
            number, values = next(rows)
        except StopIteration:
            return
        except Exception as error:
            raise _damaged(path, error) from error
        if number > MOST_ROWS:
            raise _damaged(path, ValueError(f"a row has a number above {MOST_ROWS:,}"))
        if values is not last:  # rows that are missing are one object
            yield number, values
        last = values


def text_of_cell(value: object) -> str:
    """A cell as a person reads it: whole numbers without ``.0``, dates without a time of midnight."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    return str(value)


def _check_archive(data: bytes, path: Path, most_unpacked: int) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            if unpacked > most_unpacked:
                raise CorpusError(
                    f"the workbook unpacks to {unpacked / 1e6:,.0f} MB, no more than {most_unpacked / 1e6:,.0f} MB are read",
                    path,
                    remedy="save the sheet as CSV, or cut it into several",
                )
            for part in archive.infolist():
                if part.filename.endswith((".xml", ".rels")):
                    with archive.open(part) as handle:
                        refuse_entities(handle, path)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> CorpusError:
    return CorpusError(
        f"not an Excel workbook, or a damaged one ({type(error).__name__}: {str(error)[:80]})",
        path,
        remedy="open it and save it as .xlsx or CSV again, without a password",
    )
