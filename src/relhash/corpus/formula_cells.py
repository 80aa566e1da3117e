"""Cells that a spreadsheet would take for formulas (``=1+1``, ``-actin``, ``@SUM``): written with an apostrophe, read without.

Excel runs what begins with one of ``= + - @``, also in a CSV file that came by mail. An apostrophe in front makes it text.
"""

from __future__ import annotations

import re

__all__ = ["protected", "unprotected"]

_FORMULA = re.compile(r"'*[=+\-@]")
_PROTECTED = re.compile(r"'+[=+\-@]")


def protected(cell: str) -> str:
    """The cell as it may be written into CSV or TSV.

    >>> protected("=HYPERLINK(0)"), protected("TNF"), protected("'-actin")
    ("'=HYPERLINK(0)", 'TNF', "''-actin")
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unprotected(cell: str) -> str:
    """The inverse of :func:`protected`; apostrophes before anything else are text.

    >>> unprotected("'-actin"), unprotected("'tis"), unprotected(protected("'-actin"))
    ('-actin', "'tis", "'-actin")
    """
    return cell[1:] if _PROTECTED.match(cell) else cell
