"""Tables in files: rows come from a stream and never stand in memory together. One file per format, see ``formats.py``."""

from relhash.models.tables.files import check_writable, read_rows, row_format, write_rows
from relhash.models.tables.formats import TABLE_FORMATS

__all__ = ["TABLE_FORMATS", "check_writable", "read_rows", "row_format", "write_rows"]
