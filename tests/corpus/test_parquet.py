"""Parquet with a column of text."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import relhash
from relhash.corpus.read_write import stream
from relhash.errors import CorpusError


def test_title_and_abstract_without_ids(tmp_path):
    pq.write_table(pa.table({"Title": ["A", None], "Abstract": ["B.", "C."]}), tmp_path / "t.parquet")
    assert [(document.id, document.text) for document in stream(tmp_path / "t.parquet")] == [("t:1", "A\nB."), ("t:2", "C.")]


def test_ids_of_any_type_and_a_row_without_text(tmp_path):
    pq.write_table(pa.table({"pmid": [7, None, 9], "text": ["One.", "Two.", ""]}), tmp_path / "t.parquet")
    corpus = relhash.read(tmp_path / "t.parquet", lenient=True)
    assert [document.id for document in corpus] == ["7", "t:2"]
    assert [str(problem) for problem in corpus.skipped] == [f"{tmp_path / 't.parquet'}:3: a row without text"]
    with pytest.raises(CorpusError, match="a row without text"):
        relhash.read(tmp_path / "t.parquet")


def test_what_is_no_text_or_no_parquet_is_said(tmp_path):
    pq.write_table(pa.table({"words": ["A"]}), tmp_path / "u.parquet")
    with pytest.raises(CorpusError, match="call the column 'text'"):
        list(stream(tmp_path / "u.parquet"))
    pq.write_table(pa.table({"text": [1]}), tmp_path / "n.parquet")
    with pytest.raises(CorpusError, match="holds no text"):
        list(stream(tmp_path / "n.parquet"))
    (tmp_path / "v.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(CorpusError, match="not a Parquet file"):
        list(stream(tmp_path / "v.parquet"))
