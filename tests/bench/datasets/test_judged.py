"""Statements that curators have judged: read from their files, and found again by ids and names."""

from __future__ import annotations

import json

import pytest

import relhash
from relhash.bench.benchmarks.judged import judged_figure
from relhash.bench.datasets.judged import judged_statements, means
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
