"""Parquet, back again."""

from __future__ import annotations

import pytest

from relhash.errors import CorpusError
from relhash.model.tables import read_rows, write_rows
from tests.model.tables.sample_rows import COLUMNS, row

pytest.importorskip("pyarrow.parquet")


def test_rows_come_back_with_their_types(tmp_path):
    write_rows([row(), row(directed=True)], tmp_path / "a.parquet", "parquet", COLUMNS)
    assert [read for _, read in read_rows(tmp_path / "a.parquet")] == [row(), row(directed=True)]


def test_columns_that_nobody_described_have_the_type_of_their_values(tmp_path):
    write_rows([{"belief": 0.5, "sentences": 2}], tmp_path / "a.parquet", "parquet", ["belief", "sentences"])
    ((_, read),) = read_rows(tmp_path / "a.parquet")
    assert read == {"belief": 0.5, "sentences": 2}


def test_other_files_are_told(tmp_path):
    (tmp_path / "a.parquet").write_text("no")
    with pytest.raises(CorpusError, match="not a Parquet file"):
        list(read_rows(tmp_path / "a.parquet"))
