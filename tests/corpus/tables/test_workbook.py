"""Workbooks of Excel: the same as the CSV of the same cells, bounded, with errors that name the sheet and row."""

from __future__ import annotations

import datetime
import gc
import io
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

import relhash
from relhash.corpus.tables import sheets as workbook
from relhash.errors import CorpusError

ROWS = [["Sentence", "protein A", "protein B", "Interaction?"], ["TNF binds p53.", "TNF", "p53", True]]


def _book(folder: Path, sheets: dict[str, list[list[object]]], name: str = "a.xlsx") -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(folder / name)
    return folder / name


def test_the_same_as_csv(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("\n".join(",".join(map(str, row)) for row in ROWS))
    assert relhash.read(_book(tmp_path, {"Sheet1": ROWS})).documents == relhash.read(tmp_path / "a.csv").documents


def test_the_first_sheet_with_a_header_is_read(tmp_path: Path) -> None:
    path = _book(tmp_path, {"empty": [], "about": [["Made by me"], ["in May"]], "labels": ROWS, "old": ROWS})
    assert [document.text for document in relhash.read(path)] == ["TNF binds p53."]
    assert len(relhash.read(path, "table")) == 1


def test_a_merged_title_empty_rows_and_columns_numbers_and_dates(tmp_path: Path) -> None:
    rows = [["My labels", None, None], [None], [None, "PMID", "date", "Title", None, "Abstract"]]
    rows += [[None, 7157.0, datetime.datetime(2024, 9, 2), "T.", None, "A."], [], [None, 8, None, "U.", None, None]]
    path = _book(tmp_path, {"Sheet1": rows})
    book = openpyxl.load_workbook(path)
    book.active.merge_cells("A1:D1")
    book.save(path)
    assert [(document.id, document.text) for document in relhash.read(path)] == [("7157", "T.\nA."), ("8", "U.")]


def test_errors_name_sheet_and_row(tmp_path: Path) -> None:
    path = _book(tmp_path, {"Blatt1": [*ROWS, [], ["TNF binds p53 again.", "TNF", "IL2", False]]})
    with pytest.raises(CorpusError, match=r"a\.xlsx \[Blatt1, row 4\]: entity 2, 'IL2', stands nowhere"):
        relhash.read(path)
    assert len(relhash.read(path, lenient=True)) == 1


def test_a_gene_that_excel_made_a_date(tmp_path: Path) -> None:
    path = _book(tmp_path, {"s": [ROWS[0], ["SEPT2 binds p53.", datetime.datetime(2026, 9, 2), "p53", 1]]})
    with pytest.raises(CorpusError, match=r"row 2\]: entity 1, '2026-09-02'.*SEPT2 into a date; format the column as text"):
        relhash.read(path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 1000)
    with pytest.raises(CorpusError, match=r"unpacks to .* MB.*save the sheet as CSV"):
        relhash.read(_book(tmp_path, {"s": ROWS}))


def test_declared_entities_are_refused(tmp_path: Path) -> None:
    path = _book(tmp_path, {"s": ROWS})
    changed = io.BytesIO()
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(changed, "w") as target:
        for part in source.infolist():
            data = source.read(part)
            if part.filename.endswith("sheet1.xml"):
                data = (
                    b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + data.partition(b"?>")[2]
                    if b"?>" in data
                    else (b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + data)
                )
            target.writestr(part.filename, data)
    path.write_bytes(changed.getvalue())
    with pytest.raises(CorpusError, match="declares the entity 'a'"):
        relhash.read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04rubbish", "not an Excel workbook, or a damaged one"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", r"old kind \(\.xls\).*save it as \.xlsx"),
        (b"", "the file is empty"),
    ],
)
def test_what_is_no_workbook(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        relhash.read(tmp_path / "a.xlsx")


def test_an_archive_of_something_else_and_a_cut_one(tmp_path: Path) -> None:
    data = _book(tmp_path, {"s": ROWS}).read_bytes()
    (tmp_path / "b.xlsx").write_bytes(data[: len(data) // 2])
    with zipfile.ZipFile(tmp_path / "c.xlsx", "w") as archive:
        archive.writestr("x.txt", "hello")
    for name in ("b.xlsx", "c.xlsx"):
        with pytest.raises(CorpusError, match="not an Excel workbook"):
            relhash.read(tmp_path / name)


def test_no_sheet_that_is_understood(tmp_path: Path) -> None:
    path = _book(tmp_path, {"one": [["foo", "bar"], [1, 2]]})
    with pytest.raises(CorpusError, match=r"\[one, row 1\]: no column holds a text \(columns found: 'foo', 'bar'\)"):
        relhash.read(path)


def test_a_book_that_is_given_up_half_way_leaves_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """openpyxl's generators complained when they were collected, below the line that named the row."""
    gc.collect()  # what other tests have left may complain, too
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    with pytest.raises(CorpusError, match=r"row 2\]: a control character"):
        workbook.write_workbook([["text", "label"], ["Ras\x01", 1]], tmp_path / "a.xlsx")
    gc.collect()
    assert not complaints
    assert not list(tmp_path.iterdir())
