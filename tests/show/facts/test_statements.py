"""Rows of predict, read back as statements from every format."""

from __future__ import annotations

import json

import pytest

from relhash.errors import CorpusError
from relhash.model.tables import write_rows
from relhash.show.facts import read_statements
from tests.model.tables.sample_rows import COLUMNS, row


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "xlsx", "parquet"])
def test_every_format_says_the_same(kind, tmp_path):
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet")
    path = tmp_path / f"a.{kind}"
    rows = [row(), row(directed=True, assertion="negated", entity2="-catenin"), row(is_relation=False)]
    write_rows(rows, path, kind, COLUMNS)
    first, second, third = read_statements([path])
    assert (first.participants[0].key, first.probability, first.is_directed) == (("id", "HGNC:9829"), 0.93, False)
    assert first.marked == "[E1]RAF1[/E1] binds to [E2]MEK1[/E2]."
    assert (second.is_directed, second.assertion, second.participants[1].name) == (True, "negated", "-catenin")
    assert (first.is_accepted, third.is_accepted) == (True, False)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("document\tentity1\nd\tA\n", "no column 'entity2'"),
        ("document\tentity1\tentity2\trelation\tprobability\nd\tA\tB\tr\thigh\n", "cannot be understood"),
        ("document\tentity1\tentity2\trelation\tprobability\nd\tA\tB\tr\tnan\n", "cannot be understood"),
        ("document\tentity1\tentity2\trelation\tprobability\tis_relation\nd\tA\tB\tr\t0.5\tyes!\n", "neither 1 nor 0"),
    ],
)
def test_other_tables_are_told_with_line_and_remedy(content, said, tmp_path):
    (tmp_path / "a.tsv").write_text(content)
    with pytest.raises(CorpusError, match=rf"a\.tsv:2: .*{said}.*relhash predict"):
        list(read_statements([tmp_path / "a.tsv"]))


def test_few_columns_are_enough(tmp_path):
    (tmp_path / "a.csv").write_text("document,entity1,entity2,relation,probability\nd,A,B,r,0.5\n")
    (found,) = read_statements([tmp_path / "a.csv"])
    assert (found.assertion, found.is_accepted, found.marked) == ("asserted", True, "")


@pytest.mark.parametrize("line", [json.dumps(row(probability=10**400)), "[" * 3000], ids=["number", "brackets"])
def test_json_with_a_number_too_large_or_nested_too_deeply_is_refused(line, tmp_path):
    (tmp_path / "a.jsonl").write_text(line + "\n")
    with pytest.raises(CorpusError, match=r"a\.jsonl"):
        list(read_statements([tmp_path / "a.jsonl"]))


@pytest.mark.parametrize("column", ["document", "entity1", "entity2", "relation"])
@pytest.mark.parametrize(
    ("value", "said"), [(None, "is empty"), ("", "is empty"), ({"a": 1}, "is no name"), ([], "is no name")]
)
def test_a_cell_without_a_value_is_not_called_none(column, value, said, tmp_path):
    """A Parquet file with nulls, or JSON, gave an entity of that name."""
    write_rows([row(**{column: value})], tmp_path / "a.jsonl", "jsonl", COLUMNS)
    with pytest.raises(CorpusError, match=rf"a\.jsonl:1: .*{column} {said}.*relhash predict"):
        list(read_statements([tmp_path / "a.jsonl"]))
