"""Tables that people give back to us (``relhash pairs``): damaged ones are read or refused with an error of ours."""

from __future__ import annotations

import pytest

from relhash.errors import RelHashError
from relhash.model.tables import write_rows
from relhash.show.facts import read_statements
from tests.fuzz.mutations import ROUNDS, mutated
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
    for number, data in enumerate(mutated([path.read_bytes()], ROUNDS or USUAL[kind], seed=len(kind))):
        path.write_bytes(data)
        try:
            list(read_statements([path]))
        except RelHashError:
            continue
        except Exception as error:
            raise AssertionError(f"input {number} of {kind}: {data!r}") from error


def repacked(path, change):
    """The workbook with the XML of its sheet changed: a zip archive that is whole, unlike what is inside."""
    import zipfile

    with zipfile.ZipFile(path) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            target.writestr(name, change(content) if name.endswith("sheet1.xml") else content)


def test_a_workbook_whose_sheet_is_damaged(tmp_path):
    """Seven of twelve were a traceback of openpyxl, ElementTree or zlib."""
    path = tmp_path / "a.xlsx"
    for seed in range(ROUNDS or 30):
        write_rows([row(), row(document="d2")], path, "xlsx", COLUMNS)
        repacked(path, lambda content, seed=seed: next(mutated([content], 1, seed)))
        try:
            list(read_statements([path]))
        except RelHashError:
            continue
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error


def test_a_workbook_that_declares_entities_or_unpacks_to_too_much(tmp_path, monkeypatch):
    from relhash.corpus.tables import sheets as workbook

    path = tmp_path / "a.xlsx"
    write_rows([row()], path, "xlsx", COLUMNS)
    repacked(path, lambda content: content.replace(b"<worksheet", b'<!DOCTYPE a [<!ENTITY x "y">]><worksheet', 1))
    with pytest.raises(RelHashError, match="declares the entity"):
        list(read_statements([path]))
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 1 << 20)
    write_rows([row()], path, "xlsx", COLUMNS)
    repacked(path, lambda content: content + b" " * (4 << 20))
    with pytest.raises(RelHashError, match="unpacks to 4 MB"):
        list(read_statements([path]))
