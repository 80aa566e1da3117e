"""Statements that curators have judged: read from their files, and found again by ids and names."""

from __future__ import annotations

import json
from itertools import product

import pytest

import relhash
from relhash.bench.benchmarks.judged import judged_figure, judged_figures
from relhash.bench.datasets.curated import is_aside, judged_documents
from relhash.bench.datasets.judged import group_of, judged_dataset, judged_statements, means
from relhash.bench.protocols import PROTOCOLS, tasks
from relhash.candidates.statements import interaction_type, participants
from relhash.corpus.document import Mention


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "judged"
    folder.mkdir()
    text = "RAF1 binds to MEK1 in resting cells."
    rows = [
        {"pmid": "1", "subject": "RAF1", "object": "MAP2K1", "text": text, "verdict": "correct"},
        {"pmid": "1", "subject": "RAF1", "object": "TP53", "text": text, "verdict": "grounding"},
        {"pmid": "2", "subject": "?", "object": "TP53", "text": text, "verdict": "correct"},
    ]
    (folder / "indra_dev.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "extri_dev.tsv").write_text(
        "id\tTF\tTG\tevaluation\tnegation\tconfidence\tsentence\n7:1:NFKB:IL2\tNFKB\tIL2\tv\t\tHigh\tNF-kappaB binds IL-2.\n"
    )
    (folder / "bel_enrichment.tsv").write_text(
        "gene\tuuid\tpmid\tevidence\tsubject\tpredicate\tobject\tcorrect\tchanged\terror_type\n"
        "A\tu\t9\tRAF1 binds MEK1.\tp(HGNC:RAF1)\tincreases\tact(p(HGNC:MAP2K1))\tx\t\t\n"
        "A\tu\t9\tRAF1 binds MEK1.\tp(HGNC:RAF1)\tincreases\tact(p(HGNC:TP53))\t\t\tNot Evidence\n"
    )
    return tmp_path


def test_each_source_gives_two_symbols_and_a_verdict(root):
    read = {source: judged_statements(root, source) for source in ("indra", "extri", "bel")}
    assert [(one.paper, one.first, one.second, one.is_right) for one in read["indra"]] == [
        ("1", "RAF1", "MAP2K1", True),
        ("1", "RAF1", "TP53", False),
    ]
    assert [(one.paper, one.verdict) for one in read["extri"]] == [("7", "v")]
    assert [one.is_right for one in read["bel"]] == [True, False]


def test_judged_sentences_are_labelled_text_of_the_nearest_names(root):
    text = "RAF1 was measured, and RAF1 binds to MEK1 but not to TP53."
    rows = [("MAP2K1", "correct"), ("TP53", "no_relation"), ("EGFR", "correct")]
    lines = [json.dumps({"pmid": "1", "subject": "RAF1", "object": b, "text": text, "verdict": verdict}) for b, verdict in rows]
    (root / "judged" / "indra_dev.jsonl").write_text("\n".join(lines))
    (document,) = judged_documents(root, "indra")
    starts = {mention.id: (mention.text, mention.start) for mention in document.mentions}
    second = ("RAF1", text.rindex("RAF1"))
    pairs = [(starts[one.first], starts[one.second][0]) for one in document.candidates]
    assert sorted(pairs) == [(second, "MEK1"), (second, "TP53")]
    (relation,) = document.relations
    assert [starts[one.target] for one in relation.arguments] == [second, ("MEK1", text.index("MEK1"))]


@pytest.mark.parametrize(
    ("name", "ids", "symbol", "expected"),
    [
        ("MEK1", ("HGNC:6840",), "MAP2K1", True),
        ("MEK1", ("MGI:1346866",), "MAP2K1", True),
        ("p65", ("HGNC:9955",), "NFKB", True),  # a part of the family
        ("MEK1", (), "MAP2K1", True),  # by its name alone
        ("MEK1", ("HGNC:6840",), "TP53", False),
    ],
)
def test_what_a_mention_means(name, ids, symbol, expected):
    assert means(Mention("T1", "protein", ((0, len(name)),), name, ids), symbol) is expected


def test_shares_of_a_model(root):
    figure = judged_figure(relhash.load("ppi"), root, "indra")
    assert (figure.statements, figure.n_right) == (2, 1)
    assert figure.paired.value == figure.accepted.value == figure.right.value == 1.0
    assert figure.verdicts == {"correct": 1}


PAIRS = list(product(("RAF1", "MDM2", "EGFR", "AKT1", "SRC", "JAK2"), ("TP53", "STAT3", "BAD", "MYC", "JUN", "FOS", "REL")))


def _rows(papers):
    """One right and one wrong statement per paper, each about a pair of its own."""
    for paper, (a, b) in enumerate(PAIRS[:papers]):
        yield paper, a, b, "Phosphorylation", f"{a} phosphorylates {b} in resting cells.", "correct"
        yield paper, b, a, "Inhibition", f"{a} and {b} were measured in many cells.", "no_relation"


@pytest.fixture
def many(tmp_path):
    """Judged rows of 42 papers."""
    folder = tmp_path / "judged"
    folder.mkdir()
    names = ("pmid", "subject", "object", "type", "text", "verdict")
    lines = [json.dumps({"belief": 0.5, **dict(zip(names, row, strict=True))}) for row in _rows(42)]
    (folder / "indra_dev.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_no_paper_and_no_pair_of_a_tested_group_trains(many):
    dataset = judged_dataset(many)
    first = dataset.candidates[0]
    assert {role: one.text for role, one in participants(first).items()} == {"cause": "RAF1", "theme": "TP53"}
    assert (interaction_type(first), first.trigger.text, first.is_positive) == ("Phosphorylation", "phosphorylates", True)
    for task in tasks(PROTOCOLS["judged"], dataset):
        assert {group_of(paper) for paper in dataset.documents[task.test]} == {task.fold}
        assert not {*dataset.kept_apart[task.train]} & {*dataset.kept_apart[task.test]}


@pytest.mark.slow  # fits the judge eleven times
def test_judges_and_their_rivals_on_all_rows(many):
    figures = {(one.rows, one.part, one.system): one for one in judged_figures(many, sources=["indra"])}
    assert {system for rows, part, system in figures if (rows, part) == ("indra", "all")} == {
        "shipped judge", "fitted judge", "ppi", "events", "n-grams", "belief of the reader",
    }  # fmt: skip
    assert figures["indra", "all", "shipped judge"].auc == 1.0
    assert figures["indra", "all", "belief of the reader"].auc == 0.5
    assert figures["indra", "not no_relation", "ppi"].n == figures["indra", "all", "ppi"].n == 84


def test_the_papers_that_no_model_learns_from_stay_the_same():
    """The shipped models have not seen these; of others, figures about judged statements would be of what they learned."""
    aside = [number for number in range(10_000, 10_040) if is_aside(str(number))]
    assert aside == [10004, 10006, 10010, 10012, 10019, 10025, 10027, 10031, 10033, 10038]
