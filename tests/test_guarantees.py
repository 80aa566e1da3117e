"""Every promise of docs/guarantees.md has a row in CONTRIBUTING.md that names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
TABLE = (
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Promises and their tests\n")[2].partition("\n## ")[0]
)
PROMISES = [line for line in TABLE.splitlines() if line.startswith("| ")][1:]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def test_each_promise_of_the_page_has_its_row():
    made = PAGE.partition("\n## Promises\n")[2].partition("\n## ")[0].count("\n- ")
    assert len(PROMISES) == made > 10


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise[2:40])
def test_each_promise_names_its_tests(promise):
    shown_by = promise.rpartition(" | ")[2]
    named = NAMED.findall(shown_by)
    assert named, "no test is named"
    for file, test in named:
        assert (ROOT / file).is_file(), file
        written = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {f'{test}[(]' if test else 'test_'}", written, re.MULTILINE), f"{file}::{test}"
    for target in re.findall(r"`make (\w+)", shown_by):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), target
