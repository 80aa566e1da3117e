"""CSV and TSV, safe to open in a spreadsheet (see :mod:`relhash.corpus.tables.formula_guard`)."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from relhash.corpus.source import open_text
from relhash.corpus.tables.formula_guard import guarded, unguarded
from relhash.errors import CorpusError
from relhash.models.tables.format import Row, TextTable


class SeparatedTable(TextTable):
    """Cells with a separator between them, quoted where they hold it; truth values are 1 and 0."""

    header = 1

    def __init__(self, separator: str) -> None:
        self.separator = separator

    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        rows = iter(rows)
        first = next(rows, None)  # before the header: input that cannot be read leaves nothing behind, not even on a pipe
        yield self._line(columns)
        for row in [] if first is None else chain([first], rows):
            yield self._line([_cell(row.get(name, "")) for name in columns])

    def _line(self, values: Iterable[Any]) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=self.separator, lineterminator="\r\n").writerow(values)  # quotes cells that hold either
        return buffer.getvalue().removesuffix("\r\n")

    def read(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        csv.field_size_limit(sys.maxsize)  # a whole article may stand in a cell
        try:
            with open_text(path, "utf-8-sig", newline="") as lines:
                cut = csv.reader(lines, delimiter=self.separator, strict=True)
                header = next(cut, None)
                if header is None:  # of no relations at all predict writes the names of the columns
                    raise CorpusError("the table is empty", path=path, remedy="did the command that was to write it fail?")
                for cells in cut:
                    if len(cells) != len(header):
                        raise CorpusError(
                            f"{len(cells)} cells in a table of {len(header)} columns", path=path, where=cut.line_num
                        )
                    yield cut.line_num, {name: unguarded(cell) for name, cell in zip(header, cells, strict=True)}
        except (csv.Error, ValueError, OSError, EOFError) as error:
            raise CorpusError(f"not a table of ours ({error})", path=path, remedy="save it as UTF-8") from error


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return guarded(value) if isinstance(value, str) else value
