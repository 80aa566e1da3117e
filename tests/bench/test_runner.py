"""Protocols end to end on toy corpora: resumption, fair sharing of features, clear errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.bench.cells import read_run
from relhash.bench.protocols import PROTOCOLS, protocol
from relhash.bench.runner import run_protocol
from relhash.bench.systems.system import PresetSystem
from relhash.errors import DataMissingError, ParameterError

pytestmark = pytest.mark.usefixtures("small_systems")


def test_finished_cells_are_not_run_again(toy_data, tmp_path, monkeypatch):
    arguments = {"data": toy_data, "systems": ["random"], "out": tmp_path}
    first = run_protocol(protocol("ppi-cross"), seeds=1, **arguments)
    ran = []
    original = PresetSystem.work
    monkeypatch.setattr(PresetSystem, "work", lambda self, bench, *a: ran.append(bench.seed) or original(self, bench, *a))
    again = run_protocol(protocol("ppi-cross"), seeds=1, **arguments)
    assert not ran
    assert [cell.figures for cell in again.cells] == [cell.figures for cell in first.cells]
    np.testing.assert_array_equal(again.cells[0].given, first.cells[0].given)
    with (tmp_path / "ppi-cross.cells.jsonl").open("a") as handle:
        handle.write('{"cut off')  # what a kill in the middle of a line leaves
    run_protocol(protocol("ppi-cross"), seeds=2, **arguments)
    assert ran == [1, 1]  # only the new seed, in both directions
    run_protocol(protocol("ppi-cross"), seeds=2, **arguments)
    assert ran == [1, 1]


def test_a_cell_of_another_protocol_counts_if_it_is_the_same_run(toy_data, tmp_path, monkeypatch):
    arguments = {"data": toy_data, "systems": ["random"], "seeds": 1, "out": tmp_path}
    first = run_protocol(protocol("ppi-cross"), **arguments)
    ran = []
    original = PresetSystem.work
    ran_on = lambda bench: ran.append(bench.task.direction)  # noqa: E731
    monkeypatch.setattr(PresetSystem, "work", lambda self, bench, *a: ran_on(bench) or original(self, bench, *a))
    again = run_protocol(protocol("published-code"), **arguments)
    assert not ran
    assert [cell.figures for cell in again.cells] == [cell.figures for cell in first.cells]
    (tmp_path / "ppi-cross.tests.json.gz").unlink()
    (tmp_path / "ppi-cross.cells.jsonl").unlink()
    recomputed = read_run(tmp_path)  # the file of the second protocol holds the cells of the first
    assert [cell.figures for cell in recomputed.cells] == [cell.figures for cell in first.cells]
    run_protocol(protocol("ablation"), **arguments)  # reports no figures without the shared sentences
    assert ran == ["A→B", "B→A"]
    run_protocol(replace(PROTOCOLS["ppi-cv"], n_folds=3), **arguments)  # other candidates to learn from
    assert len(ran) == 8


def test_parses_of_the_pipeline_are_another_run_of_the_same_candidates(toy_data, tmp_path):
    arguments = {"data": toy_data, "systems": ["random"], "seeds": 1, "out": tmp_path}
    of_files = run_protocol(protocol("ppi-cross"), **arguments)
    ours = run_protocol(protocol("ppi-cross"), parses="embedded", **arguments)
    assert [one.key for one in ours.dataset.candidates] == [one.key for one in of_files.dataset.candidates]
    np.testing.assert_array_equal(ours.dataset.y, of_files.dataset.y)
    assert {one.document.sentences[0].parser for one in ours.dataset.candidates} == {ours.dataset.parsed_by}
    assert any("parses of" in note and "not those of the files" in note for note in ours.notes)
    assert not any("parses of" in note for note in of_files.notes)
    assert len((tmp_path / "ppi-cross.cells.jsonl").read_text().splitlines()) == 4  # none was taken for the other's
    with pytest.raises(ParameterError, match="parses"):
        run_protocol(protocol("bionlp"), data=toy_data, parses="embedded")


def test_clear_errors(toy_data, tmp_path):
    with pytest.raises(ParameterError, match="ppi-cross"):
        protocol("ppi")
    with pytest.raises(ParameterError, match="KLSH-NU-RF"):
        run_protocol(protocol("ppi-cross"), data=toy_data, systems=["KLSH"])
    with pytest.raises(DataMissingError, match="RELHASH_DATA"):
        run_protocol(protocol("ppi-cross"), data=tmp_path / "nowhere")
    with pytest.raises(DataMissingError, match="AIMed"):
        run_protocol(protocol("ppi-cross"), data=tmp_path)


def test_processes_change_nothing(toy_data):
    arguments = {"data": toy_data, "systems": ["random", "ngram-lr"], "seeds": 1}
    one, two = (run_protocol(protocol("ppi-cross"), **arguments, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert [cell.figures for cell in one.cells] == [cell.figures for cell in two.cells]
