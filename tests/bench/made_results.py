"""What every file of results says of itself."""

from __future__ import annotations

from typing import Any

from relhash.show.provenance import commit

KEYS = {"command", "commit", "date", "machine", "versions", "parse source", "cells"}


def assert_says_who_made_it(stored: dict[str, Any], parse_source: str = "biomed_en") -> None:
    made = stored["made"]
    assert set(made) == KEYS
    assert made["commit"] == commit()
    assert made["parse source"].startswith(parse_source)
    assert made["versions"]["numpy"]
    assert made["machine"]["cpu"]
