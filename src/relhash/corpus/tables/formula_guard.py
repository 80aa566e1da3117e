"""Cells that a spreadsheet would take for a formula.

Text comes from strangers, and Excel runs what begins with ``=``, ``+``, ``-`` or ``@`` (a tab or a line end before it makes no
difference). In CSV and TSV such cells get an apostrophe in front, the usual sign for "this is text"; reading takes it away
again. Apostrophes that stood there before get one more, so nothing is lost on the way.
"""

from __future__ import annotations

import re

_DANGEROUS = re.compile(r"'*[=+\-@\t\r\n]")
_GUARDED = re.compile(r"'+[=+\-@\t\r\n]")


def guarded(cell: str) -> str:
    """The cell as text that no spreadsheet runs.

    >>> guarded("=HYPERLINK(0)"), guarded("RAF1"), guarded("'-catenin")
    ("'=HYPERLINK(0)", 'RAF1', "''-catenin")
    """
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def unguarded(cell: str) -> str:
    """The inverse of :func:`guarded`.

    >>> unguarded("'=HYPERLINK(0)"), unguarded("'tis"), unguarded("''-catenin")
    ('=HYPERLINK(0)', "'tis", "'-catenin")
    """
    return cell[1:] if _GUARDED.match(cell) else cell
