"""Excel files, read back with openpyxl as Excel would see them."""

from __future__ import annotations

import pytest
from openpyxl import load_workbook
from openpyxl.cell.rich_text import CellRichText

from relhash.errors import CorpusError
from relhash.model.tables import read_rows, write_rows
from relhash.visible import visible
from tests.model.tables.sample_rows import COLUMNS, FORMULAS, row


@pytest.fixture
def written(tmp_path):
    def write(*rows):
        path = tmp_path / "a.xlsx"
        assert write_rows(iter(rows), path, "xlsx", COLUMNS) == len(rows)
        return path

    return write


def test_the_header_is_frozen_and_filters(written):
    sheet = load_workbook(written(row(), row())).active
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == f"A1:{sheet.cell(1, len(COLUMNS)).column_letter}3"
    heads = [cell.value for cell in sheet[1]]
    assert sorted(heads) == sorted(COLUMNS)
    assert heads[:4] == ["entity1", "entity2", "relation", "probability"]
    assert sheet.column_dimensions[sheet.cell(1, heads.index("sentence") + 1).column_letter].width > 60


def test_the_entities_are_coloured_in_the_sentence(written):
    sheet = load_workbook(written(row()), rich_text=True).active
    heads = [cell.value for cell in sheet[1]]
    cell = sheet.cell(2, heads.index("sentence") + 1).value
    assert isinstance(cell, CellRichText)
    assert str(cell) == "RAF1 binds to MEK1."
    coloured = {str(part): part.font.color.rgb for part in cell if not isinstance(part, str)}
    assert set(coloured) == {"RAF1", "MEK1"}
    assert coloured["RAF1"] != coloured["MEK1"]


def test_no_cell_is_a_formula(written):
    path = written(*(row(entity1=text, sentence=text, marked=text) for text in FORMULAS))
    sheet = load_workbook(path).active
    assert {cell.data_type for line in sheet for cell in line if cell.value is not None} == {"s", "n"}
    assert [read["entity1"] for _, read in read_rows(path)] == [visible(text) for text in FORMULAS]
    assert [line[0].quotePrefix for line in sheet.iter_rows(min_row=2, max_row=5)] == [True] * 4


def test_what_excel_cannot_hold_is_shown_or_cut(written):
    long = "x" * 40_000
    path = written(row(entity1="a\0b\ud800", evidence=long, marked=f"[E1]{long}[/E1]", sentence=long))
    ((_, read),) = read_rows(path)
    assert read["entity1"] == "a␀b⟨U+D800⟩"
    assert len(read["evidence"]) == len(read["sentence"]) == 32_767


def test_numbers_stay_numbers(written):
    ((number, read),) = read_rows(written(row()))
    assert (number, read["start2"], read["probability"], read["is_relation"], read["ids2"]) == (2, 14, 0.93, 1, "")


def test_what_is_no_excel_file_is_told(tmp_path):
    (tmp_path / "a.xlsx").write_text("a\tb\n")
    with pytest.raises(CorpusError, match="not an Excel workbook"):
        list(read_rows(tmp_path / "a.xlsx"))
