"""Files of the right form that make no sense: read and made into candidates, or refused; never another exception."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.candidates import PairPolicy
from relhash.candidates.inspection import inspect_corpus
from tests.fuzz.grammars import GRAMMARS, sentences_of
from tests.fuzz.mutations import ROUNDS, repacked, survived, unpacked

USUAL = 500
"""Inputs for each format in the default suite."""
ACCEPTED = 0.02
"""The least share of files that are read: a grammar that only makes refused files tests only the first check."""


def is_read(path: Path, format: str | None) -> bool:
    """Whether the file holds documents; all that a corpus is asked for before it is parsed must work then."""
    documents = list(relhash.read(path, format))
    inspect_corpus(iter(documents), PairPolicy())
    return bool(documents)


@pytest.mark.parametrize("format", GRAMMARS)
def test_files_that_make_no_sense(tmp_path, format):
    name, grammar = GRAMMARS[format]
    path, asked = tmp_path / name, (format, None)
    if format == "standoff":
        (tmp_path / "a.txt").write_text("RAF1 binds to MEK1.")
        asked = ("brat", "brat")
    count = ROUNDS or USUAL
    given = tmp_path if format == "standoff" else path
    read = survived(path, sentences_of(grammar, count, seed=3), lambda number: is_read(given, asked[number % 2]))
    assert read >= ACCEPTED * count


def test_workbooks_with_a_damaged_part(tmp_path):
    """Damage of a whole .xlsx is found by its checksums; here a part of it is damaged and packed again."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("text", "entity1", "entity2", "label"), ("RAF1 binds MEK1.", "RAF1", "MEK1", 1), ("A and B", "A", "B", False)):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    parts, path = unpacked(tmp_path / "a.xlsx"), tmp_path / "b.xlsx"
    survived(path, repacked(parts, sorted(parts), ROUNDS or USUAL // 5, seed=5), lambda _: is_read(path, None))
