"""Files of the right form that make no sense: read and made into candidates, or refused; never another exception."""

from __future__ import annotations

import io
import random
import warnings
import zipfile
from pathlib import Path

import pytest

import relhash
from relhash.candidates import PairPolicy
from relhash.candidates.inspection import inspect_corpus
from relhash.errors import RelHashError
from tests.fuzz.grammars import GRAMMARS, sentences_of
from tests.fuzz.mutations import ROUNDS, mutated

USUAL = 500
"""Inputs for each format in the default suite."""
ACCEPTED = 0.02
"""The least share of files that are read: a grammar that only makes refused files tests only the first check."""


def is_read(path: Path, format: str | None) -> bool:
    """Whether the file was read; all that a corpus is asked for before it is parsed must work then."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            documents = list(relhash.read(path, format))
            inspect_corpus(iter(documents), PairPolicy())
        except RelHashError:
            return False
    return bool(documents)


@pytest.mark.parametrize("format", GRAMMARS)
def test_files_that_make_no_sense(tmp_path, format):
    name, grammar = GRAMMARS[format]
    path, asked = tmp_path / name, format
    if format == "standoff":
        (tmp_path / "a.txt").write_text("RAF1 binds to MEK1.")
        asked = "brat"
    count = ROUNDS or USUAL
    read = 0
    for number, data in enumerate(sentences_of(grammar, count, seed=3)):
        path.write_bytes(data)
        try:
            read += is_read(tmp_path if format == "standoff" else path, asked if number % 2 or format == "standoff" else None)
        except Exception as error:
            raise AssertionError(f"input {number} of {format}: {data!r}") from error
    assert read >= ACCEPTED * count


def test_workbooks_with_a_damaged_part(tmp_path):
    """Damage of a whole .xlsx is found by its checksums; here a part of it is damaged and packed again."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("text", "entity1", "entity2", "label"), ("RAF1 binds MEK1.", "RAF1", "MEK1", 1), ("A and B", "A", "B", False)):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    chance = random.Random(5)
    for number in range((ROUNDS or USUAL) // 5):
        name = chance.choice(sorted(parts))
        (damaged,) = mutated([parts[name]], 1, seed=number)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for part, content in parts.items():
                archive.writestr(part, damaged if part == name else content)
        (tmp_path / "b.xlsx").write_bytes(packed.getvalue())
        try:
            is_read(tmp_path / "b.xlsx", None)
        except Exception as error:
            raise AssertionError(f"input {number}, {name}: {damaged!r}") from error
