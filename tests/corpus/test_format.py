"""What a format says of itself; the registry is in test_formats.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.corpus import Format
from relhash.corpus.text import read_text_file


@pytest.mark.parametrize("reader", [read_text_file, "relhash.corpus.text:read_text_file"])
def test_a_function_is_given_or_found_by_its_place(reader: object) -> None:
    made = Format("x", "x", (".x",), reader)  # type: ignore[arg-type]
    assert made.load(made.reader) is read_text_file


@pytest.mark.parametrize(
    ("name", "expected"), [("a.x", True), ("a.X", True), ("a.x.gz", True), ("A.X.GZ", True), ("a.gz", False), ("ax", False)]
)
def test_suffixes_count_before_gz_and_in_any_case(name: str, expected: bool) -> None:
    assert Format("x", "x", (".x", ".y"), read_text_file).fits_name(Path(name)) == expected


def test_a_format_without_suffixes_fits_no_name() -> None:
    assert not Format("x", "x", (), read_text_file).fits_name(Path("a.txt"))
