"""Baselines as rows of a benchmark: the same runner, nothing of the target's labels, extras that are not there."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from relhash.bench.bench import Bench
from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import PROTOCOLS, protocol, tasks
from relhash.bench.report import finish
from relhash.bench.rivals import BASELINES, BaselineEntry
from relhash.bench.rivals.baseline import Baseline
from relhash.bench.runner import run_protocol
from relhash.bench.systems.listed import system
from relhash.errors import ParameterError


class Spy(Baseline):
    """Knows the length of a text, and remembers what it was shown."""

    shown: ClassVar[list] = []

    def __init__(self, random_state=0, n_jobs=None):
        self.random_state, self.n_jobs = random_state, n_jobs

    def fit(self, candidates, y, *, target=None):
        Spy.shown.append((len(candidates), target, self.random_state))
        self.held_out_labels_ = np.asarray(y)
        self.held_out_scores_ = self.predict_proba(candidates)[:, 1]
        return self

    def predict_proba(self, candidates):
        Spy.shown.append(candidates)
        positive = np.array([len(candidate.document.text) % 101 / 101 for candidate in candidates])
        return np.column_stack([1 - positive, positive])


@pytest.fixture
def spy(monkeypatch):
    Spy.shown = []
    entry = BaselineEntry("spy", "a spy", lambda seed, n_jobs: Spy(seed, n_jobs), paper_f1={"A→B": 0.4}, transductive=True)
    monkeypatch.setattr(BASELINES, "_parts", dict(BASELINES._parts))  # so that it is gone after the test
    BASELINES.register("spy", entry)
    return Spy.shown


def test_a_baseline_never_sees_the_labels_of_the_target(toy_data, spy):
    dataset = Dataset([read_benchmark_corpus(toy_data, name) for _, name in protocol("ppi-cross").corpora])
    task = next(tasks(protocol("ppi-cross"), dataset))
    Bench(dataset, task, 3).run(system("spy"))
    (n_train, target, seed), _, tested = spy
    assert (n_train, seed) == (len(task.train), 3)
    for candidate in (*target, *tested):
        assert not candidate.relations
        assert not candidate.document.relations
        assert not candidate.document.attributes
    assert [c.key for c in tested] == [dataset.candidates[row].key for row in task.test]
    assert len({id(c.document) for c in tested}) == len({c.document.id for c in tested})  # one object per document: shared work


def test_rows_cells_and_resumption(toy_data, tmp_path, spy):
    arguments = {"data": toy_data, "systems": ["spy", "SVM-Tikk2010"], "out": tmp_path, "n_jobs": 1}
    run = run_protocol(protocol("ppi-cross"), seeds=2, **arguments)
    report = finish(run, tmp_path)
    rows, notes = report.rows, report.notes
    by_row = {(row["system"], row["direction"], row["variant"]): row for row in rows}
    assert len(by_row) == 2 * 2 * 2
    assert by_row["spy", "A→B", "all"]["paper_f1"] == 0.4
    assert by_row["SVM-Tikk2010", "B→A", "all"]["paper_f1"] == 0.42
    assert by_row["spy", "A→B", "all"]["n_runs"] == 2
    assert by_row["SVM-Tikk2010", "A→B", "no-shared"]["n_runs"] == 1  # deterministic
    assert "spy: a spy" in notes
    written = (tmp_path / "ppi-cross.md").read_text()
    assert "| system | A→B | paper | B→A | paper | mean | seconds |" in written
    assert written.index("| spy |") < written.index("| system | direction |")
    ran = len(spy)
    run_protocol(protocol("ppi-cross"), seeds=2, **arguments)
    assert len(spy) == ran
    BASELINES._parts["spy"] = replace(BASELINES["spy"], revision=2)
    run_protocol(protocol("ppi-cross"), seeds=2, **arguments)
    assert len(spy) == 2 * ran


def test_few_labels_are_drawn_for_baselines_too(toy_data, spy):
    small = replace(PROTOCOLS["few-labels"], label_counts=(25, 60))
    run = run_protocol(small, data=toy_data, systems=["spy"], seeds=1, n_jobs=1)
    assert {cell.labels for cell in run.cells} == {25, 60}
    assert {shown[0] for shown in spy if isinstance(shown, tuple)} == {25, 60}


def test_processes_change_nothing_for_baselines(toy_data):
    arguments = {"data": toy_data, "systems": ["SVM-Tikk2010", "SVM-Garg2016"], "seeds": 1}
    one, two = (run_protocol(protocol("ppi-cross"), **arguments, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert [cell.figures for cell in one.cells] == [cell.figures for cell in two.cells]


def test_broken_scores_are_an_error(toy_data, spy, monkeypatch):
    dataset = Dataset([read_benchmark_corpus(toy_data, name) for _, name in protocol("ppi-cross").corpora])
    monkeypatch.setattr(Spy, "predict_proba", lambda self, candidates: np.full((len(candidates), 2), np.nan))
    with pytest.raises(ParameterError, match="spy"):
        Bench(dataset, next(tasks(protocol("ppi-cross"), dataset)), 0).run(system("spy"))
