"""Tables in files: rows to a file and back, in the format that its suffix asks for, streamed and never all in memory."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from relhash.errors import CorpusError, ParameterError
from relhash.files import STANDARD_STREAM, check_place, is_file, replacing
from relhash.model.tables.format import JsonLines, ParquetTable, Row, SeparatedTable, TableFormat, TextTable
from relhash.model.tables.statements import Bel, IndraJson, KgxEdges
from relhash.model.tables.xlsx import XlsxTable
from relhash.registry import Registry
from relhash.visible import visible_lines

__all__ = ["TABLE_FORMATS", "check_writable", "read_rows", "row_format", "write_rows"]

TABLE_FORMATS: Registry[TableFormat] = Registry(
    "format of tables",
    "relhash.table_formats",
    {
        "tsv": SeparatedTable("\t"),
        "csv": SeparatedTable(","),
        "xlsx": XlsxTable(),
        "jsonl": JsonLines(),
        "ndjson": JsonLines(),
        "parquet": ParquetTable(),
        "indra.json": IndraJson(),
        "bel": Bel(),
        "kgx.tsv": KgxEdges(),
    },
)
"""Suffix → format; ``html`` is offered by a later room (:mod:`relhash.show.pages`)."""


def row_format(path: Path) -> str:
    """The format that the name of ``path`` asks for, in lower case; empty if it has no suffix, TSV if that is a stream.

    >>> row_format(Path("relations.tsv.gz")), row_format(Path("found.indra.json")), row_format(Path("-"))
    ('tsv', 'indra.json', 'tsv')
    """
    suffixes = [suffix for suffix in path.suffixes if suffix.lower() != ".gz"]
    if not suffixes:
        return "" if is_file(path) else "tsv"
    double = "".join(suffixes[-2:]).lower().removeprefix(".")
    return double if double in TABLE_FORMATS else suffixes[-1].lower().removeprefix(".")


def write_rows(rows: Iterable[Row], path: Path, kind: str, columns: Sequence[str], *, title: str = "") -> int:
    """Write the rows, tables with these columns and JSON with all it has, and count them.

    A file appears complete or not at all, gzipped if so named; ``-`` prints each row at once.
    """
    check_writable(path, kind)
    table = TABLE_FORMATS[kind]
    if path == STANDARD_STREAM and isinstance(table, TextTable):
        count = -table.header
        at_terminal = sys.stdout.isatty()
        for line in table.lines(rows, columns):
            print(visible_lines(line) if at_terminal else line, flush=True)
            count += 1
        return count
    with replacing(path, "wb") as handle:
        if path.suffix.lower() != ".gz":
            return table.write(rows, handle, columns, title)
        with gzip.GzipFile("", "wb", fileobj=handle, mtime=0) as packed:
            return table.write(rows, cast(IO[bytes], packed), columns, title)


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows that :func:`write_rows` wrote, each with its line or row number; CSV and TSV give strings.

    A folder is a dataset of Parquet files, as ``relhash predict --engine dask`` writes it. ``-`` is standard input; this and
    any other pipe holds a TSV.
    """
    if path.is_dir():
        if not any(path.glob("*.parquet")):
            raise CorpusError("a folder without Parquet files", path=path, remedy="relhash predict --engine dask makes one")
        return TABLE_FORMATS["parquet"].read(path)
    kind = row_format(path)
    if kind not in TABLE_FORMATS:
        readable = ", ".join(f".{name}" for name in TABLE_FORMATS)
        raise CorpusError("not a table by its name", path=path, remedy=f"give a file of relhash predict: {readable}")
    if is_file(path) and not path.is_file():
        raise CorpusError("there is no such file", path=path, remedy="relhash predict MODEL TEXT -o relations.tsv makes one")
    return TABLE_FORMATS[kind].read(path)


def check_writable(path: Path, kind: str) -> None:
    """An error for what would fail at the end: an unknown format, a folder that is not there, no package for Parquet."""
    if kind not in TABLE_FORMATS:
        raise ParameterError(f"{path}: {kind!r} is no format of tables; there are {', '.join(TABLE_FORMATS)}")
    table = TABLE_FORMATS[kind]
    if table.is_binary and (path == STANDARD_STREAM or path.suffix.lower() == ".gz"):
        raise ParameterError(f"{path}: {kind} can be neither printed nor gzipped; write it to a file that ends in .{kind}")
    table.check(path)
    check_place(path)
