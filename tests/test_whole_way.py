"""The table of `benchmarks/whole_way.py` in the results page: figures of the file, in their place."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
REPORT: dict[str, Any] = {
    "before": "d0b3261",
    "made": {"date": "2026-11-17T09:30Z", "commit": "abc1234"},
    "text": {"before": {"all": 4.871, "genes": 0.752}, "now": {"all": 2.6543, "genes": 0.3}},
    "fit": {"before": {"all": 25.16}, "now": {"all": 14.04, "trees": 3.25}},
}


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delitem(sys.modules, "whole_way_table", raising=False)
    import whole_way_table

    return whole_way_table


def test_rows_have_the_figures_of_the_file_and_gaps_where_there_are_none(table: Any) -> None:
    lines = table.table_of(REPORT).splitlines()
    assert "| raw text with `ppi`, ms a sentence | 4.87 | 2.65 |" in lines
    assert "| … genes | 0.75 | 0.30 |" in lines
    assert "| … trees |  | 3.2 |" in lines
    assert not any("faiss" in line or "kernel" in line for line in lines)


def test_the_table_is_replaced_below_its_mark(table: Any) -> None:
    page = "before (commit aaaaaaa)\n\n<!-- figures: ../whole_way.json -->\n| old |\n\n- File: [whole_way.json](f). x\n"
    first = table.page_with(page, REPORT)
    assert "| old |" not in first
    assert "(commit d0b3261)" in first
    assert "[whole_way.json](f). 2026-11-17, abc1234.\n" in first
    faster = {**REPORT, "fit": {"before": {"all": 25.16}, "now": {"all": 11.0}}}
    second = table.page_with(first, faster, table.SHORT)
    assert re.findall(r"`fit .*", second) == ["`fit AIMed.xml --adapt BioInfer.xml`, s | 25.2 | 11.0 |"]
    assert table.page_with(second, faster, table.SHORT) == second


def test_a_page_of_another_kind_is_left_alone(table: Any) -> None:
    with pytest.raises(SystemExit, match="has 0 marks"):
        table.page_with("# Something else\n", REPORT)
