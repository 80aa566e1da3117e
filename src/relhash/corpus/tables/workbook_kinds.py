"""Workbooks by their first bytes; apart from their reader, so that looking at a file loads nothing that reads XML."""

from __future__ import annotations

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_workbook(data: bytes) -> bool:
    """Whether a file begins as a zip archive does, whatever it is called."""
    return data.startswith(_ZIP)


def is_old_workbook(data: bytes) -> bool:
    """Whether a file is of the kind that Excel wrote before 2007."""
    return data.startswith(_OLE)


def is_workbook_of_any_kind(data: bytes) -> bool:
    """Whether the first bytes of a file are those of a workbook, also of one that is not read (which its reader says)."""
    return is_workbook(data) or is_old_workbook(data)
