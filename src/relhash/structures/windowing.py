"""Long stretches between two participants, cut down to what stands next to each of them.

A table or a text without punctuation can be taken for one sentence of any length. What a kernel compares costs the square of
it, and words a hundred places away from both names say nothing of the two. The longest stretch in AIMed, BioInfer, HPRD50 and
BioNLP is well below the limit (``tests/realdata/test_windowing.py``), so ordinary text is never cut.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from relhash.errors import RelHashWarning

LONGEST_STRETCH = 500
"""Tokens between two neighbouring participants that are looked at."""
HALF = LONGEST_STRETCH // 2
LEFT_OUT = "<LEFT_OUT>"
"""The symbol that stands in a sequence where a part of it was left out."""


def windowed(stretch: Sequence[str], warn: Callable[[], None] = lambda: None) -> list[str]:
    """``stretch`` as it is, or its two ends with a symbol between them if it is longer than the limit.

    >>> windowed(["binds", "to"])
    ['binds', 'to']
    >>> len(windowed(["very"] * 1000)), windowed(["very"] * 1000)[250]
    (501, '<LEFT_OUT>')
    """
    if len(stretch) <= LONGEST_STRETCH:
        return list(stretch)
    warn()
    return [*stretch[:HALF], LEFT_OUT, *stretch[-HALF:]]


def warn_of_window(document: str) -> None:
    """Say, once for each document, that not all of it was looked at."""
    warnings.warn(
        f"document {document!r}: more than {LONGEST_STRETCH} tokens stand between two entities of a sentence; only "
        f"the {HALF} next to each are compared (is the text without punctuation, or a table?)",
        RelHashWarning,
        stacklevel=2,
    )
