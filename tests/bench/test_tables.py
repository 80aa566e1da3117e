"""Rows of results, as JSON and as Markdown."""

from __future__ import annotations

import json

import pytest

from relhash.bench.tables import ROW_KEYS, Report, Table, aggregate, listed
from tests.bench.result_cells import CELLS


def test_rows_have_the_promised_keys_in_order():
    rows = aggregate(CELLS)
    assert len(rows) == 4
    assert tuple(rows[0])[: len(ROW_KEYS)] == ROW_KEYS
    assert rows[0]["f1"] == pytest.approx(0.55)
    assert rows[0]["f1_sd"] == pytest.approx(0.1 / 2**0.5)
    assert (rows[0]["paper_f1"], rows[2]["paper_f1"]) == (0.57, None)
    assert "seed" not in rows[0]  # differs between the cells
    assert rows[0]["labels"] == 100


def test_files_are_written_together(tmp_path):
    rows = aggregate(CELLS)
    table = listed(rows, ["system", "direction", "f1", "paper_f1"])
    Report("ppi-cross", "ppi-cross", rows, [table], ["no leakage"]).write(tmp_path / "out")
    stored = json.loads((tmp_path / "out" / "ppi-cross.json").read_text())
    assert stored["protocol"] == "ppi-cross"
    assert stored["rows"] == rows
    text = (tmp_path / "out" / "ppi-cross.md").read_text()
    assert "| NU | A→B | 0.550 ± 0.071 | 0.570 |" in text
    assert "| random | A→B | 0.450 ± 0.071 | – |" in text
    assert "- no leakage" in text


def test_bars_do_not_break_a_table():
    assert Table(["system"], [["a|b"]]).markdown().endswith("| a\\|b |")
