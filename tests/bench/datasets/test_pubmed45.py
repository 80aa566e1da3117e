"""PubMed45's protocol on toy data: subsets, labels, graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from relhash.bench.datasets.prepared import pubmed45_dataset, read_subsets
from relhash.bench.protocols import protocol, tasks
from relhash.bench.report import finish
from relhash.bench.runner import run_protocol
from relhash.errors import CorpusError, DataMissingError, ParameterError

pytestmark = pytest.mark.usefixtures("small_systems")

SYSTEM_NAMES = ["KLSH-NU-RF", "random", "ngram-lr"]


def test_pubmed45_tests_each_subset_once(toy_pubmed45, tmp_path):
    dataset = pubmed45_dataset(toy_pubmed45)
    assert len(dataset) == 40
    split = list(tasks(protocol("pubmed45"), dataset))
    assert [len(task.test) for task in split] == [10] * 4
    assert all(not set(dataset.documents[task.train]) & set(dataset.documents[task.test]) for task in split)
    run = run_protocol(protocol("pubmed45"), data=toy_pubmed45, systems=SYSTEM_NAMES, seeds=1, out=tmp_path)
    report = finish(run, tmp_path)
    rows, notes = report.rows, report.notes
    row = next(row for row in rows if (row["system"], row["variant"]) == ("ngram-lr", "all"))
    assert row["n_runs"] == 4
    assert row["f1"] > 0.9
    assert any("40 judged interactions, 0 left out" in note for note in notes)
    for cell in run.cells:  # a difference in each subset
        cell.figures["all"]["f1"] = 0.9 if cell.system == "KLSH-NU-RF" else 0.8 - 0.01 * cell.fold
    notes = finish(run, None).notes
    assert "F1 of KLSH-NU-RF against random over 4 subsets, signed ranks: p = 0.125" in notes


def test_kernel_machines_read_meaning_graphs(toy_pubmed45):
    names = ["SVM-Garg2016", "SVM-Airola2008"]
    run = run_protocol(protocol("pubmed45"), data=toy_pubmed45, systems=names, seeds=1, n_jobs=1)
    rows = {row["system"]: row for row in finish(run, None).rows if row["variant"] == "all"}
    assert rows["SVM-Garg2016"]["paper_f1"] == 0.45
    assert all(rows[name]["n_runs"] == 4 and rows[name]["f1"] > 0.9 for name in names)


def test_mean_and_deviation_over_the_subsets_beside_the_papers_figure(toy_pubmed45, tmp_path):
    run = run_protocol(protocol("pubmed45"), data=toy_pubmed45, systems=SYSTEM_NAMES[:1], seeds=1)
    for cell in run.cells:
        cell.figures["all"]["f1"] = 0.6 + 0.1 * cell.fold
    row = next(row for row in finish(run, None).rows if row["variant"] == "all")
    assert (round(row["f1"], 6), row["paper_f1"]) == (0.75, 0.61)
    assert round(row["f1_sd"], 3) == round(float(np.std([0.6, 0.7, 0.8, 0.9], ddof=1)), 3)


def test_label_2_is_invalid_or_what_is_looked_for(toy_pubmed45, tmp_path):
    valid, swapped = (pubmed45_dataset(toy_pubmed45, judged=judged) for judged in ("valid", "swapped"))
    np.testing.assert_array_equal(valid.y, ~swapped.y)  # in the toy data every other interaction has its roles swapped
    assert valid.y.sum() == 20
    cells = [
        run_protocol(protocol("pubmed45"), dataset=dataset, systems=["ngram-lr"], out=tmp_path).cells
        for dataset in (valid, swapped)
    ]
    assert all(np.array_equal(one.given, ~other.given) for one, other in zip(*cells, strict=True))
    with pytest.raises(ParameterError, match="valid or swapped"):
        pubmed45_dataset(toy_pubmed45, judged="invalid")


def test_sentences_without_a_graph_are_counted(toy_pubmed45, tmp_path):
    (tmp_path / "pubmed45" / "amr").mkdir(parents=True)
    for name in ("pubmed45.json", "subsets.json"):
        (tmp_path / "pubmed45" / name).write_bytes((toy_pubmed45 / "pubmed45" / name).read_bytes())
    (tmp_path / "pubmed45" / "amr" / "graphs.txt").write_text("# ::id other\n(c / cell)\n")
    with pytest.raises(DataMissingError, match="20 sentences"):
        pubmed45_dataset(tmp_path)


def test_subsets_name_papers(tmp_path: Path) -> None:
    path = tmp_path / "subsets.json"
    path.write_text('{"amr_sets_list_auto": [["eval-auto-amr_a_pmid_1003_7796"], ["x_a_pmid_1_2", "x_a_pmid_3_4"]]}')
    assert read_subsets(path) == (("a_pmid_1003_7796",), ("a_pmid_1_2", "a_pmid_3_4"))
    for wrong in ("[]", "{}", '{"amr_sets_list_auto": [["paper"]]}', '{"amr_sets_list_auto": [[]]}', "no"):
        path.write_text(wrong)
        with pytest.raises(CorpusError):
            read_subsets(path)
