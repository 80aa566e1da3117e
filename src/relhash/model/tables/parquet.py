"""Parquet, with the types that the columns declare; needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from relhash.errors import CorpusError, DataMissingError
from relhash.model.tables.columns import COLUMNS, table_columns
from relhash.model.tables.format import Row, TableFormat

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
        except (pa.ArrowException, OSError) as error:
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
