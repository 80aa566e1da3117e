"""JSON Lines, back again."""

from __future__ import annotations

import pytest

from relhash.errors import CorpusError
from relhash.model.tables import read_rows, write_rows
from tests.model.tables.sample_rows import FORMULAS, row


def test_rows_come_back_exactly(tmp_path):
    rows = [row(entity1=text, participants=[{"spans": [[1, 2]]}]) for text in [*FORMULAS, "\ud800"]]
    write_rows(rows, tmp_path / "a.jsonl.gz", "jsonl", [])
    assert [read for _, read in read_rows(tmp_path / "a.jsonl.gz")] == rows


@pytest.mark.parametrize("content", ["{\n", "[1]\n", '{"a": 1}\nx\n'])
def test_other_lines_are_told(content, tmp_path):
    (tmp_path / "a.jsonl").write_text(content)
    with pytest.raises(CorpusError, match=r"a\.jsonl"):
        list(read_rows(tmp_path / "a.jsonl"))
