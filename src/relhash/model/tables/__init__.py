"""Tables in files: rows come from a stream and never stand in memory together. One file per format, see ``formats.py``."""

from relhash.model.tables.files import TABLE_FORMATS, check_writable, read_rows, row_format, write_rows

__all__ = ["TABLE_FORMATS", "check_writable", "read_rows", "row_format", "write_rows"]
