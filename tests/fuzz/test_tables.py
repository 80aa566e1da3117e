"""Tables that people give back to us (``relhash pairs``): damaged ones are read or refused with an error of ours."""

from __future__ import annotations

import pytest

from relhash.errors import RelHashError
from relhash.model.tables import write_rows
from relhash.show.facts import read_statements
from tests.fuzz.mutations import ROUNDS, mutated, packed, repacked, survived, unpacked
from tests.model.tables.sample_rows import COLUMNS, row

USUAL = {"tsv": 500, "csv": 500, "jsonl": 500, "xlsx": 100, "parquet": 300}
"""Inputs for each format in the default suite; most of a damaged workbook is refused at once, the rest is slow to read."""


@pytest.mark.parametrize("kind", USUAL)
def test_damaged_tables_are_read_or_refused(tmp_path, kind):
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet")
    path = tmp_path / f"a.{kind}"
    write_rows([row(), row(document="d2", directed=True, entity2="-catenin")], path, kind, COLUMNS)
    assert len(list(read_statements([path]))) == 2
    inputs = mutated([path.read_bytes()], ROUNDS or USUAL[kind], seed=len(kind))
    assert survived(path, inputs, lambda _: list(read_statements([path])))


SHEET = "xl/worksheets/sheet1.xml"


def test_a_workbook_whose_sheet_is_damaged(tmp_path):
    """Seven of twelve were a traceback of openpyxl, ElementTree or zlib."""
    path = tmp_path / "a.xlsx"
    write_rows([row(), row(document="d2")], path, "xlsx", COLUMNS)
    parts = unpacked(path)
    assert survived(path, repacked(parts, [SHEET], ROUNDS or 30, seed=0), lambda _: list(read_statements([path])))


def test_a_workbook_that_declares_entities_or_unpacks_to_too_much(tmp_path, monkeypatch):
    from relhash.corpus.tables import sheets as workbook

    path = tmp_path / "a.xlsx"
    write_rows([row()], path, "xlsx", COLUMNS)
    parts = unpacked(path)
    declaring = parts[SHEET].replace(b"<worksheet", b'<!DOCTYPE a [<!ENTITY x "y">]><worksheet', 1)
    path.write_bytes(packed({**parts, SHEET: declaring}))
    with pytest.raises(RelHashError, match="declares the entity"):
        list(read_statements([path]))
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 1 << 20)
    path.write_bytes(packed({**parts, SHEET: parts[SHEET] + b" " * (4 << 20)}))
    with pytest.raises(RelHashError, match="unpacks to 4 MB"):
        list(read_statements([path]))


@pytest.mark.parametrize(("number", "read"), [("1048576", 2), ("1048577", None), ("9" * 400, None)])
def test_a_row_that_claims_a_large_number_takes_no_time(tmp_path, number, read):
    """All rows before it were made: five kilobytes of a workbook were read for ever."""
    path = tmp_path / "a.xlsx"
    write_rows([row(), row(document="d2")], path, "xlsx", COLUMNS)
    parts = unpacked(path)
    claiming = parts[SHEET].replace(b'<row r="3"', f'<row r="{number}"'.encode())
    assert claiming != parts[SHEET]
    path.write_bytes(packed({**parts, SHEET: claiming}))
    if read is None:
        with pytest.raises(RelHashError, match="number above 1,048,576"):
            list(read_statements([path]))
    else:
        assert len(list(read_statements([path]))) == read
