"""The examples of ``docs/neural-hashing.md`` run and print what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "neural-hashing.md"


def test_the_examples_run() -> None:
    pytest.importorskip("torch", reason="needs the extra neural")
    result = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, encoding="utf-8"
    )
    assert result.attempted >= 5
    assert result.failed == 0
