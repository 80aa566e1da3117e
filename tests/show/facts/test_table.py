"""Facts as a table of any format."""

from __future__ import annotations

import pytest

from relhash.model.tables import read_rows
from relhash.show.facts import write_facts
from tests.show.facts.few_facts import FACTS


@pytest.mark.parametrize("kind", ["tsv", "csv", "xlsx", "jsonl", "parquet"])
def test_tables(kind, tmp_path):
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet")
    path = tmp_path / f"pairs.{kind}"
    assert write_facts(FACTS, path) == 4
    rows = [row for _, row in read_rows(path)]
    assert [float(row["belief"]) for row in rows] == sorted((round(fact.belief, 4) for fact in FACTS), reverse=True)
    known = next(row for row in rows if row["ids1"] or row["ids2"])
    assert (int(known["sentences"]), int(known["documents"]), int(known["speculative"])) == (2, 2, 1)
