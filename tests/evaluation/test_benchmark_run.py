"""Protocols end to end on toy corpora: rows, resumption, fair sharing of features."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from relhash.errors import DataMissingError, ParameterError
from relhash.evaluation.cells import Bench
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.paper_tables import ALL
from relhash.evaluation.protocols import PROTOCOLS, protocol, tasks
from relhash.evaluation.report import finish
from relhash.evaluation.runner import run_protocol
from relhash.evaluation.systems import SYSTEMS, System
from relhash.evaluation.tables import ROW_KEYS
from relhash.learning.decision import ClassifierSpec, HeadSettings
from relhash.learning.metrics import measure
from relhash.models import RelationExtractor

FAST = HeadSettings((ClassifierSpec("linear", {"C": 0.1}),), n_folds=3)


@pytest.fixture(autouse=True)
def small_systems(monkeypatch):
    """The same systems with few bits and a quick classifier."""
    for name in ("KLSH-NU-RF", "random", "NU+linear"):
        system = SYSTEMS[name]
        preset = replace(system.preset, learner={**system.preset.learner, "n_bits": 8}, head=FAST)
        monkeypatch.setitem(SYSTEMS, name, System(name, preset))


def test_cross_protocol_has_the_promised_rows(toy_data, tmp_path):
    names = ["KLSH-NU-RF", "random", "ngram-lr"]
    run = run_protocol(protocol("ppi-cross"), data=toy_data, systems=names, seeds=2, out=tmp_path)
    rows, notes = finish(run, tmp_path)
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


def test_finished_cells_are_not_run_again(toy_data, tmp_path, monkeypatch):
    arguments = {"data": toy_data, "systems": ["random"], "out": tmp_path}
    first = run_protocol(protocol("ppi-cross"), seeds=1, **arguments)
    ran = []
    original = Bench.job
    monkeypatch.setattr(Bench, "job", lambda self, *a, **k: ran.append(self.seed) or original(self, *a, **k))
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
    original = Bench.job
    monkeypatch.setattr(Bench, "job", lambda self, *a, **k: ran.append(self.task.direction) or original(self, *a, **k))
    again = run_protocol(protocol("settings"), **arguments)
    assert not ran
    assert [cell.figures for cell in again.cells] == [cell.figures for cell in first.cells]
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


def test_other_descriptors_make_other_cells(monkeypatch):
    known = {name: SYSTEMS[name].identity for name in ("best", "descriptors-forest", "kernel-svm", "KLSH-RF", "ngram-lr")}
    monkeypatch.setattr("relhash.evaluation.systems.COLUMNS", ("log_words",))
    changed = {name for name, identity in known.items() if SYSTEMS[name].identity != identity}
    assert changed == {"best", "descriptors-forest", "kernel-svm"}


def test_few_labels_has_one_row_a_number_of_labels(toy_data, tmp_path, monkeypatch):
    small = replace(PROTOCOLS["few-labels"], label_counts=(25, 100))
    run = run_protocol(small, data=toy_data, systems=["NU+linear", "ngram-lr", "kernel-svm"], seeds=2, out=tmp_path)
    rows, notes = finish(run, tmp_path)
    assert len(rows) == 3 * 2 * 2
    assert {row["labels"] for row in rows} == {25, 100}
    assert all(row["n_runs"] == 2 for row in rows)
    assert any("100 labels of NU+linear" in note for note in notes)
    assert (tmp_path / "few-labels.png").exists()


def test_folds_pool_their_predictions(toy_data, tmp_path):
    small = replace(PROTOCOLS["ppi-cv"], n_folds=3)
    run = run_protocol(small, data=toy_data, systems=["ngram-lr"], seeds=1)
    assert len(run.cells) == 6
    rows, _ = finish(run, None)
    assert {row["direction"] for row in rows} == {"A→A", "B→B"}


def test_splits_are_what_they_say(toy_data):
    from relhash.evaluation.datasets.dataset import read_benchmark_corpus

    chosen = protocol("ppi-leave-one-out")
    dataset = Dataset([read_benchmark_corpus(toy_data, name) for _, name in chosen.corpora])
    for task in tasks(chosen, dataset):
        assert not set(dataset.documents[task.train]) & set(dataset.documents[task.test])
        assert len(task.train) + len(task.test) == len(dataset)
    assert [task.direction for task in tasks(chosen, dataset)] == ["B+H→A", "A+H→B", "A+B→H"]
    assert [task.direction for task in tasks(protocol("ppi-fixed"), dataset)] == ["A+B→H"]
    assert [task.direction for task in tasks(protocol("ppi-development"), dataset)] == ["A→H", "B→H"]
    for name in ("ppi-cv", "ppi-clusters"):
        tested: dict[str, list[int]] = {}
        for task in tasks(protocol(name), dataset):
            assert not set(dataset.documents[task.train]) & set(dataset.documents[task.test])
            assert set(dataset.corpus[task.train]) == set(dataset.corpus[task.test])
            tested.setdefault(task.direction, []).extend(task.test)
        assert {direction: sorted(rows) for direction, rows in tested.items()} == {
            "A→A": np.flatnonzero(dataset.corpus == 0).tolist(), "B→B": np.flatnonzero(dataset.corpus == 1).tolist()
        }  # fmt: skip


def test_bench_equals_the_product(toy_data):
    """What the benchmark runs is what a user gets from fit and evaluate."""
    import relhash

    source, target = (relhash.read(toy_data / "ppi" / f"{name}.xml") for name in ("AIMed", "BioInfer"))
    dataset = Dataset([source, target])
    task = next(tasks(protocol("ppi-cross"), dataset))
    scores, labels, _ = Bench(dataset, task, 3).run(SYSTEMS["KLSH-NU-RF"])
    model = RelationExtractor(
        "KLSH-NU-RF", learner={"n_bits": 8}, classifier=ClassifierSpec("linear", {"C": 0.1}), random_state=3
    )
    model.fit(source, adapt_to=target)
    np.testing.assert_allclose(model.scores(target), scores, atol=1e-9)
    assert model.evaluate(target).auc == pytest.approx(measure(dataset.y[task.test], scores, labels).auc)


def test_every_protocol_names_systems_that_exist():
    for one in PROTOCOLS.values():
        assert set(one.systems) <= {*SYSTEMS, ALL}, one.name


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
