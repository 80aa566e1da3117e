"""From the cells of a run to rows, notes and files."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from relhash.bench.protocols import PROTOCOLS, protocol
from relhash.bench.report import finish, rows_of
from relhash.bench.runner import run_protocol
from relhash.bench.tables import ROW_KEYS
from tests.bench.toy_runs import cell, labels_with, run_of, set_of

pytestmark = pytest.mark.usefixtures("small_systems")


def test_cross_protocol_has_the_promised_rows(toy_data, tmp_path):
    names = ["KLSH-NU-RF", "random", "ngram-lr"]
    run = run_protocol(protocol("ppi-cross"), data=toy_data, systems=names, seeds=2, out=tmp_path)
    report = finish(run, tmp_path)
    rows, notes = report.rows, report.notes
    assert {(row["system"], row["direction"], row["variant"]) for row in rows} == {
        (system, direction, variant) for system in names for direction in ("A→B", "B→A") for variant in ("all", "no-shared")
    }
    for row in rows:
        assert tuple(row)[: len(ROW_KEYS)] == ROW_KEYS
        assert all(row[key] is not None for key in ROW_KEYS if key != "paper_f1")
    assert {row["paper_f1"] for row in rows if row["system"] == "KLSH-NU-RF"} == {0.57}
    assert [row["n_runs"] for row in rows if row["system"] == "ngram-lr"] == [1] * 4  # a seed changes nothing there
    assert any("KLSH-NU-RF minus random" in note for note in notes)
    assert any("leakage" in note for note in notes)
    stored = json.loads((tmp_path / "ppi-cross.json").read_text())
    assert stored["protocol"] == "ppi-cross"
    assert len(stored["rows"]) == len(rows)
    assert (tmp_path / "ppi-cross.md").exists()
    assert (tmp_path / "ppi-cross.png").exists()


def test_few_labels_has_one_row_a_number_of_labels(toy_data, tmp_path, monkeypatch):
    small = replace(PROTOCOLS["few-labels"], label_counts=(25, 100))
    run = run_protocol(small, data=toy_data, systems=["NU+linear", "ngram-lr", "kernel-svm"], seeds=2, out=tmp_path)
    report = finish(run, tmp_path)
    rows, notes = report.rows, report.notes
    assert len(rows) == 3 * 2 * 2
    assert {row["labels"] for row in rows} == {25, 100}
    assert all(row["n_runs"] == 2 for row in rows)
    assert any("100 labels of NU+linear" in note for note in notes)
    assert (tmp_path / "few-labels.png").exists()


def test_folds_pool_their_predictions(toy_data, tmp_path):
    small = replace(PROTOCOLS["ppi-cv"], n_folds=3)
    run = run_protocol(small, data=toy_data, systems=["ngram-lr"], seeds=1)
    assert len(run.cells) == 6
    rows = finish(run, None).rows
    assert {row["direction"] for row in rows} == {"A→A", "B→B"}


def test_f1_of_folds_is_that_of_all_test_candidates_not_a_mean():
    """One fold is perfect, of the other one relation in four is found: 150 of 240, none wrong."""
    tests = [set_of("A→A", fold, prefix=f"fold{fold}") for fold in (0, 1)]
    cells = [
        cell("best", "A→A", seed, labels_with(right), fold=fold) for seed in (0, 1) for fold, right in enumerate((4, 1 + seed))
    ]
    (row,) = rows_of(run_of("ppi-cv", tests, cells))
    of_seeds = [2 * found / (found + 240) for found in (150, 180)]
    assert row["f1"] == pytest.approx(np.mean(of_seeds))
    assert row["f1_sd"] == pytest.approx(np.std(of_seeds, ddof=1))
    assert row["n_runs"] == 2
    assert row["seconds"] == 4.0  # of both folds
