"""Excel: a frozen header with filters, entities coloured in their sentence, nothing that could run as a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from relhash.corpus.source import open_bytes
from relhash.corpus.tables.sheets import LONGEST_CELL, first_sheet, save_book, streamed_sheet
from relhash.errors import CorpusError
from relhash.model.tables.format import Row, TableFormat
from relhash.model.tables.looks import for_people, look_of, marked_pieces
from relhash.visible import visible

if TYPE_CHECKING:
    from openpyxl.cell import WriteOnlyCell

MOST_ROWS = 1_048_575
"""Rows that Excel can hold below the header."""
COLOURS = {1: "FF0A5CA8", 2: "FFB5470B"}


class XlsxTable(TableFormat):
    """One sheet. The columns stand in the order in which people read them, under the names that all formats use."""

    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        from openpyxl.utils import get_column_letter

        ordered = for_people(columns)
        with streamed_sheet("relations") as (book, sheet):
            for number, name in enumerate(ordered, 1):
                sheet.column_dimensions[get_column_letter(number)].width = look_of(name).width
            cells = _Cells(sheet)
            sheet.append([cells.heading(name) for name in ordered])
            count = 0
            for row in rows:
                if count == MOST_ROWS:
                    raise CorpusError(f"Excel holds no more than {MOST_ROWS:,} rows", remedy="write .tsv or .parquet")
                sheet.append([cells.of(row, name) for name in ordered])
                count += 1
            for number, name in enumerate(ordered, 1):
                if look_of(name).choices and count:
                    _offer(sheet, f"{get_column_letter(number)}2:{get_column_letter(number)}{count + 1}", look_of(name).choices)
            sheet.auto_filter.ref = f"A1:{get_column_letter(max(len(ordered), 1))}{count + 1}"
            save_book(book, handle)
        return count

    def read(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        with open_bytes(path) as handle:
            rows = first_sheet(handle.read(), path)
        _, header = next(rows, (1, ()))
        for number, values in rows:
            if any(value is not None for value in values):
                cells = chain(values, repeat(None))  # a row ends where its last cell is filled
                yield number, {str(name): "" if cell is None else cell for name, cell in zip(header, cells) if name is not None}


def _offer(sheet: Any, cells: str, choices: Sequence[str]) -> None:
    """A list to choose from in these cells; other words are allowed, after a question."""
    from openpyxl.worksheet.datavalidation import DataValidation

    offered = DataValidation(type="list", formula1=f'"{",".join(choices)}"', allow_blank=True, errorStyle="warning")
    offered.add(cells)
    sheet.data_validations.append(offered)


class _Cells:
    """Makes cells of one sheet; styles are made once, because each cell names the style that it has."""

    def __init__(self, sheet: Any) -> None:
        from openpyxl.cell.text import InlineFont
        from openpyxl.styles import Alignment, Font, PatternFill

        self.sheet = sheet
        wrapped, at_top = Alignment(wrap_text=True, vertical="top"), Alignment(vertical="top")
        self.head = self._style(font=Font(bold=True), fill=PatternFill("solid", fgColor="FFE8EDF3"))
        self.plain, self.wrapped = self._style(alignment=at_top), self._style(alignment=wrapped)
        self.share = self._style(alignment=at_top, number_format="0.000")
        self.quoted = self._style(alignment=at_top, quotePrefix=True)
        self.wrapped_quoted = self._style(alignment=wrapped, quotePrefix=True)
        self.fonts = {entity: InlineFont(b=True, color=colour) for entity, colour in COLOURS.items()}

    def _style(self, **settings: Any) -> Any:
        from openpyxl.cell import WriteOnlyCell

        cell = WriteOnlyCell(self.sheet)
        for name, value in settings.items():
            setattr(cell, name, value)
        return cell._style  # what openpyxl copies, too; setting it anew for each cell is slow

    def heading(self, name: str) -> WriteOnlyCell:
        cell = self._text(name)
        cell._style = self.head
        return cell

    def of(self, row: Row, name: str) -> WriteOnlyCell:
        from openpyxl.cell import WriteOnlyCell

        value = row.get(name, "")
        if isinstance(value, bool):
            value = int(value)
        if isinstance(value, int | float):
            cell = WriteOnlyCell(self.sheet, value)
            cell._style = self.share if isinstance(value, float) else self.plain
        elif look_of(name).wraps and (coloured := self._coloured(row, name)) is not None:
            cell = WriteOnlyCell(self.sheet, coloured)
            cell._style = self.wrapped
        else:
            cell = self._text(str(value))
            may_run = bool(cell.value) and cell.value[0] in "=+-@"  # Excel takes it for a formula as soon as the cell is edited
            styles = (self.wrapped, self.wrapped_quoted) if look_of(name).wraps else (self.plain, self.quoted)
            cell._style = styles[may_run]
        return cell

    def _text(self, text: str) -> WriteOnlyCell:
        from openpyxl.cell import WriteOnlyCell

        cell = WriteOnlyCell(self.sheet)
        cell.value = shown = visible(text)[:LONGEST_CELL]
        if shown:
            cell.data_type = "s"  # openpyxl takes "=…" for a formula, and "#N/A" for an error
        return cell

    def _coloured(self, row: Row, name: str) -> Any:
        """The sentence with its entities in colour, if the row has marks; ``None`` if not."""
        from openpyxl.cell.rich_text import CellRichText, TextBlock

        marked = str(row.get("marked" if name == "sentence" else name, ""))
        pieces = marked_pieces(visible(marked))
        if not any(piece.entity for piece in pieces) or sum(len(piece.text) for piece in pieces) > LONGEST_CELL:
            return None
        fonts = self.fonts
        return CellRichText([TextBlock(fonts[p.entity], p.text) if p.entity in fonts else p.text for p in pieces])
