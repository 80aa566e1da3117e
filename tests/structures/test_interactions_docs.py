"""The examples of ``docs/events.md`` run and print what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "events.md"


def test_the_examples_run() -> None:
    result = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, encoding="utf-8"
    )
    assert result.attempted > 10
    assert result.failed == 0
