"""Tables of predictions in files: TSV, CSV, JSON Lines, Parquet; rows come from a stream and never stand in memory together."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from relhash.errors import CorpusError, DataMissingError, ParameterError
from relhash.files import replacing
from relhash.models.columns import COLUMNS

__all__ = ["ROW_FORMATS", "check_writable", "row_format", "write_rows"]

ROW_FORMATS = {"tsv": "\t", "csv": ",", "jsonl": "", "ndjson": "", "parquet": ""}
"""Formats of tables, with the separator of those that have one."""
ROW_GROUP = 10_000
"""Rows of a Parquet file that are held in memory at a time."""

Row = Mapping[str, Any]


def row_format(path: Path) -> str:
    """The format that the name of ``path`` asks for, in lower case; empty if it has no suffix.

    >>> row_format(Path("relations.tsv.gz")), row_format(Path("relations.parquet"))
    ('tsv', 'parquet')
    """
    suffixes = [suffix for suffix in path.suffixes if suffix.lower() != ".gz"]
    return suffixes[-1].lower().removeprefix(".") if suffixes else ""


def write_rows(rows: Iterable[Row], path: Path, kind: str, columns: Sequence[str]) -> int:
    """Write the rows, tables with these columns and JSON with all it has, and count them.

    A file appears complete or not at all, gzipped if so named; ``-`` prints each row at once.
    """
    check_writable(path, kind)
    if kind == "parquet":
        return _write_parquet(rows, path, columns)
    lines = _json_lines(rows) if kind in ("jsonl", "ndjson") else _table(rows, columns, ROW_FORMATS[kind])
    header = 0 if kind in ("jsonl", "ndjson") else 1
    count = -header
    if path == Path("-"):
        for line in lines:
            print(line, flush=True)
            count += 1
        return count
    with replacing(path, "wb") as handle:
        target = gzip.GzipFile("", "wb", fileobj=handle, mtime=0) if path.suffix.lower() == ".gz" else handle
        for line in lines:
            target.write(line.encode("utf-8", "surrogatepass") + b"\n")
            count += 1
        if target is not handle:
            target.close()
    return count


def _json_lines(rows: Iterable[Row]) -> Iterator[str]:
    return (json.dumps(row, ensure_ascii=False) for row in rows)


def _table(rows: Iterable[Row], columns: Sequence[str], separator: str) -> Iterator[str]:
    def line(values: Iterable[Any]) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=separator, lineterminator="").writerow(values)
        return buffer.getvalue()

    rows = iter(rows)
    first = next(rows, None)  # before the header: input that cannot be read leaves nothing behind, not even on a pipe
    yield line(columns)
    for row in [] if first is None else chain([first], rows):
        yield line([int(value) if isinstance(value, bool) else value for value in (row.get(name, "") for name in columns)])


def _write_parquet(rows: Iterable[Row], path: Path, columns: Sequence[str]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, types[COLUMNS[name].kind if name in COLUMNS else str]) for name in columns])
    count = 0
    rows = iter(rows)
    with replacing(path, "wb") as handle, pq.ParquetWriter(handle, schema) as writer:
        while group := list(islice(rows, ROW_GROUP)):
            writer.write_table(pa.Table.from_pylist([dict(row) for row in group], schema))
            count += len(group)
    return count


def check_writable(path: Path, kind: str) -> None:
    """An error for what would fail at the end: an unknown format, a folder that is not there, no package for Parquet."""
    if kind not in ROW_FORMATS:
        raise ParameterError(f"{path}: {kind!r} is no format of tables; there are {', '.join(ROW_FORMATS)}")
    if kind == "parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError as error:
            raise DataMissingError(
                f"{path}: Parquet needs pyarrow, which is not installed; pip install 'relhash[parquet]', or write .tsv"
            ) from error
    if not path.parent.is_dir():
        raise CorpusError(
            "the folder of the output does not exist", path=path, remedy=f"make it first: mkdir -p {path.parent}"
        )  # fmt: skip
