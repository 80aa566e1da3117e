"""BioNLP's protocol on toy data, from folders to a table."""

from __future__ import annotations

from itertools import permutations

import pytest

from relhash.bench.datasets.bionlp import bionlp_dataset, training_documents
from relhash.bench.datasets.prepared import PREPARED, prepared_dataset
from relhash.bench.protocols import protocol
from relhash.bench.report import finish
from relhash.bench.runner import run_protocol
from relhash.errors import StructureError
from tests.bench.datasets.toy_documents import NAMES, toy_parse

pytestmark = pytest.mark.usefixtures("small_systems")

SYSTEM_NAMES = ["KLSH-NU-RF", "random", "ngram-lr"]


def test_a_text_of_several_years_is_trained_on_once(toy_bionlp):
    documents = training_documents(toy_bionlp)
    assert len(documents) == 80  # 40 of 2013, 40 of 2011; those of 2009 are the same text
    assert {document.id[:4] for document in documents} == {"2011", "2013"}


def test_bionlp_from_folders_to_a_table(toy_bionlp, tmp_path, monkeypatch):
    monkeypatch.setitem(PREPARED, "bionlp", lambda root: bionlp_dataset(root, toy_parse))
    run = run_protocol(protocol("bionlp"), data=toy_bionlp, systems=SYSTEM_NAMES, seeds=2, out=tmp_path)
    report = finish(run, tmp_path)
    rows, notes = report.rows, report.notes
    assert {row["direction"] for row in rows} == {"train→devel13"}
    assert {row["variant"] for row in rows} == {"all", "no-shared", "pairs", "stated", "any-word"}
    published = {row["variant"]: row["paper_f1"] for row in rows if row["system"] == "KLSH-NU-RF"}
    assert published == {"all": 0.67, "no-shared": 0.67, "pairs": None, "stated": None, "any-word": None}
    # how many candidates there are besides is the business of the links that were learned
    assert any("20 interactions are stated, 20 of them (100%) are among the" in note for note in notes)
    assert any("F1 of KLSH-NU-RF minus random" in note for note in notes)
    best = max(row["f1"] for row in rows if row["variant"] == "all")
    assert best > 0.9


def test_bionlp_on_graphs_that_the_user_supplies(toy_bionlp, tmp_path):
    graphs = [
        f"# ::snt {one} {verb} {other} {filler}\n({verb[0]} / {verb[:-1]}-01"
        f' :ARG0 (p / protein :name (n / name :op1 "{one}")) :ARG1 (q / protein :name (m / name :op1 "{other}")))\n'
        for one, other in permutations(NAMES, 2)
        for verb in ("activates", "resembles")
        for filler in ("here", "there", "now")
    ]
    (tmp_path / "graphs.txt").write_text("\n".join(graphs))
    dataset = prepared_dataset("bionlp", toy_bionlp, amr=tmp_path)
    assert dataset.y.sum() == 60
    assert dataset.structures(["interaction"])["interaction"][0] == [
        "<CAUSE>", "<ARG0", "<POSITIVE_REGULATION>", "activate", "ARG1>", "<THEME>",
    ]  # fmt: skip
    assert "AMR as supplied" in " ".join(dataset.notes)
    (tmp_path / "graphs.txt").write_text(graphs[0])
    with pytest.raises(StructureError, match="no graph for the sentence"):
        prepared_dataset("bionlp", toy_bionlp, amr=tmp_path)
