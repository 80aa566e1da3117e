"""The table formats, by the suffix of their files."""

from __future__ import annotations

from relhash.models.tables.format import TableFormat
from relhash.models.tables.html import HtmlTable
from relhash.models.tables.jsonl import JsonLines
from relhash.models.tables.parquet import ParquetTable
from relhash.models.tables.separated import SeparatedTable
from relhash.models.tables.xlsx import XlsxTable
from relhash.registry import Registry

TABLE_FORMATS: Registry[TableFormat] = Registry(
    "format of tables",
    "relhash.table_formats",
    {
        "tsv": SeparatedTable("\t"),
        "csv": SeparatedTable(","),
        "xlsx": XlsxTable(),
        "html": HtmlTable(),
        "jsonl": JsonLines(),
        "ndjson": JsonLines(),
        "parquet": ParquetTable(),
    },
)
"""Suffix → format."""
