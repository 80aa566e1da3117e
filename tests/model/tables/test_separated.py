"""CSV and TSV: what comes back, and what a spreadsheet would run."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import CorpusError
from relhash.model.tables import SeparatedTable, read_rows, write_rows
from tests.model.tables.sample_rows import FORMULAS, row


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz"])
def test_no_cell_becomes_a_formula_and_all_come_back(name, tmp_path):
    path = tmp_path / name
    rows = [row(entity1=cell) for cell in FORMULAS]
    write_rows(rows, path, name.split(".")[1], ["entity1", "probability"])
    assert [read["entity1"] for _, read in read_rows(path)] == FORMULAS
    if not name.endswith(".gz"):
        with open(path, newline="") as handle:
            cells = [line[0] for line in csv.reader(handle, delimiter="\t" if name == "a.tsv" else ",")][1:]
        assert not [cell for cell in cells if cell[0] in "=+-@\t\r"]


def test_numbers_are_no_formulas(tmp_path):
    write_rows([{"score": -0.5}], tmp_path / "a.csv", "csv", ["score"])
    assert (tmp_path / "a.csv").read_text() == "score\n-0.5\n"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1, max_size=5))
def test_any_text_comes_back(tmp_path_factory, cells):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    write_rows([{"a": cell, "b": 1} for cell in cells], path, "csv", ["a", "b"])
    assert [read["a"] for _, read in read_rows(path)] == cells


def test_a_ragged_table_is_an_error_with_its_line(tmp_path):
    (tmp_path / "a.tsv").write_text("a\tb\n1\t2\n3\n")
    with pytest.raises(CorpusError, match=r"a\.tsv:3: 1 cells in a table of 2"):
        list(SeparatedTable("\t").read(tmp_path / "a.tsv"))


@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_nothing_at_all_is_no_table(name, tmp_path):
    """``relhash predict … | relhash pairs -`` gave an empty table, and exit code 0, when predict had failed."""
    (tmp_path / name).touch()
    with pytest.raises(CorpusError, match="the table is empty"):
        list(read_rows(tmp_path / name))
    (tmp_path / name).write_text("document\n")
    assert list(read_rows(tmp_path / name)) == []
