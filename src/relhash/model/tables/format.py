"""The contract of a table format; JSON Lines, CSV and TSV (safe to open in a spreadsheet), and Parquet."""

from __future__ import annotations

import csv
import io
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, ClassVar

from relhash.corpus.source import open_text
from relhash.corpus.tables.sheets import guarded, unguarded
from relhash.errors import CorpusError, DataMissingError
from relhash.model.tables.columns import COLUMNS, table_columns

Row = Mapping[str, Any]
"""A record: column → string, number or truth value; lists are for formats that have them."""


class TableFormat(ABC):
    """How rows become a file.

    A new format is a subclass in a file of its own and one line in :data:`~relhash.model.tables.TABLE_FORMATS`, or an
    entry point ``relhash.table_formats``. Its name there is the suffix of its files.
    """

    is_binary: ClassVar[bool] = True
    """Whether it can neither be gzipped nor printed."""

    @abstractmethod
    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        """Write rows as they come, and count them; ``title`` is for formats that show one."""

    def read(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a file, each with its line or row number; formats for people only need not be readable."""
        raise CorpusError(
            "this format is for people, and cannot be read back", path=path, remedy="give the .tsv, .xlsx or .jsonl of it"
        )

    def check(self, path: Path) -> None:  # noqa: B027 (most need nothing)
        """An error for what would fail in the end, such as a package that is not installed."""


class TextTable(TableFormat):
    """A format of lines."""

    is_binary = False
    header: ClassVar[int] = 0
    """Lines before the first row."""

    @abstractmethod
    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        """The lines, header first, without line ends."""

    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        count = -self.header
        for line in self.lines(rows, columns):
            handle.write(line.encode("utf-8", "surrogatepass") + b"\n")
            count += 1
        return count


ROW_GROUP = 10_000
"""Rows that are held in memory at a time."""


class ParquetTable(TableFormat):
    """Columns that :data:`~relhash.model.tables.columns.COLUMNS` does not know have the type of their first value."""

    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows, count = iter(rows), 0
        group = list(islice(rows, ROW_GROUP))
        schema = parquet_schema(columns, group)
        with pq.ParquetWriter(handle, schema) as writer:
            while group:
                writer.write_table(pa.Table.from_pylist([dict(row) for row in group], schema))
                count += len(group)
                group = list(islice(rows, ROW_GROUP))
        return count

    def read(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a file, or of all Parquet files of a folder, in the order of their names; some in memory at a time."""
        self.check(path)
        import pyarrow as pa
        import pyarrow.parquet as pq

        number, part = 0, path
        try:
            for part in sorted(path.glob("*.parquet")) if path.is_dir() else [path]:
                with pq.ParquetFile(part) as file:
                    for batch in file.iter_batches(ROW_GROUP):
                        for row in batch.to_pylist():
                            number += 1
                            yield number, row
        except (pa.ArrowException, OSError, ValueError) as error:  # a name that is not UTF-8 is a ValueError
            raise CorpusError(f"not a Parquet file ({error})", path=part, remedy="make it again") from error

    def check(self, path: Path) -> None:
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError as error:
            raise DataMissingError(
                f"{path}: Parquet needs pyarrow, which is not installed; pip install 'relhash[parquet]', or use .tsv"
            ) from error


def arrow_table(rows: Sequence[Row]) -> Any:
    """Rows of predictions as a pyarrow Table, its columns those of a table file."""
    ParquetTable().check(Path("to_arrow()"))
    import pyarrow as pa

    return pa.Table.from_pylist([dict(row) for row in rows], parquet_schema(table_columns()))


def parquet_schema(columns: Sequence[str], rows: Sequence[Row] = ()) -> Any:
    """The types of columns: what :data:`~relhash.model.tables.columns.COLUMNS` declares, else the type of the first value."""
    import pyarrow as pa

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    kinds = {name: COLUMNS[name].kind if name in COLUMNS else _kind(rows, name) for name in columns}
    return pa.schema([(name, types.get(kind, pa.string())) for name, kind in kinds.items()])


def _kind(rows: Sequence[Row], name: str) -> type:
    return next((type(row[name]) for row in rows if row.get(name) is not None), str)


class JsonLines(TextTable):
    """One JSON object per line."""

    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        return (json.dumps(row, ensure_ascii=False) for row in rows)

    def read(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        try:
            with open_text(path) as lines:
                for number, line in enumerate(lines, 1):
                    if not line.strip():
                        continue
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise CorpusError("this line is no JSON object", path=path, where=number)
                    yield number, row
        except (ValueError, RecursionError, OSError, EOFError) as error:
            raise CorpusError(f"not JSON Lines ({error})", path=path, remedy="give what predict wrote") from error


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
