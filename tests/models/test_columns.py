"""Columns of the table of predictions, ours and those of others."""

from __future__ import annotations

import json

import pytest

from relhash.corpus.demo import demo_corpora
from relhash.models import Prediction
from relhash.models.columns import CANDIDATE_COLUMNS, COLUMNS, Column, prediction_columns, prediction_rows
from relhash.models.tables import write_rows
from relhash.structures import candidates


@pytest.fixture(scope="module")
def predictions():
    found = list(candidates(demo_corpora()[0].documents[:5]))
    return [Prediction(one, "interaction", 0.1234567, 0.5, True) for one in found]


@pytest.fixture
def surprise(monkeypatch):
    """A column of somebody else's."""
    monkeypatch.setitem(COLUMNS._parts, "surprise", Column(lambda prediction, scene: 1 - prediction.probability, float))


def test_a_row_has_every_column_in_order(predictions):
    rows = list(prediction_rows(predictions))
    assert len(rows) == len(predictions)
    assert {tuple(row) for row in rows} == {prediction_columns()}
    assert prediction_columns()[: len(CANDIDATE_COLUMNS)] == CANDIDATE_COLUMNS
    assert rows[0]["probability"] == 0.123457
    assert rows[0] == predictions[0].as_row()


@pytest.mark.usefixtures("surprise")
def test_a_column_of_your_own_is_the_last_of_every_table(predictions, tmp_path):
    assert prediction_columns()[-1] == "surprise"
    write_rows(prediction_rows(predictions), tmp_path / "t.tsv", "tsv")
    heading, first, *_ = (tmp_path / "t.tsv").read_text(encoding="utf-8").splitlines()
    assert heading.split("\t") == list(prediction_columns())
    assert float(first.split("\t")[-1]) == pytest.approx(0.8765433)
    write_rows(prediction_rows(predictions), tmp_path / "t.jsonl", "jsonl")
    assert json.loads((tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()[0])["surprise"] > 0.87


@pytest.mark.usefixtures("surprise")
def test_parquet_knows_the_type_of_the_column(predictions, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    write_rows(prediction_rows(predictions), tmp_path / "t.parquet", "parquet")
    table = pq.read_table(tmp_path / "t.parquet")
    types = dict(zip(table.schema.names, map(str, table.schema.types), strict=True))
    assert (types["surprise"], types["is_relation"], types["entity1"]) == ("double", "bool", "string")
