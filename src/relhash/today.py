"""The day that a file says it was made on: today, or that of ``SOURCE_DATE_EPOCH``.

With that variable (https://reproducible-builds.org/specs/source-date-epoch) the same work makes the same bytes on any day.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from relhash.errors import ParameterError

VARIABLE = "SOURCE_DATE_EPOCH"


def today() -> str:
    """The day in UTC, as ``2026-11-17``."""
    given = os.environ.get(VARIABLE, "")
    try:
        when = datetime.fromtimestamp(int(given), UTC) if given else datetime.now(UTC)
    except (ValueError, OverflowError, OSError):
        raise ParameterError(f"{VARIABLE}: {given!r} is no number of seconds since 1970") from None
    return when.strftime("%Y-%m-%d")
