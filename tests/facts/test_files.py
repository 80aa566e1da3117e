"""Facts in every format, read back by somebody else's eyes."""

from __future__ import annotations

import csv
import json

import pytest
from lxml import etree, html

from relhash.errors import CorpusError, ParameterError
from relhash.facts import merge, write_facts
from relhash.facts.drawing import MOST_EDGES
from relhash.models.tables import read_rows
from tests.facts.said import said

BAD = '<b>"&\u202e'
FACTS = merge([
    said("RAF1=HGNC:9829", "MEK1", 0.9, "d1"),
    said("RAF1=HGNC:9829", "MEK1", 0.8, "d2", assertion="speculative"),
    said("RAF1", "MEK1", 0.7, is_directed=True, relation="inhibits"),
    said("A", "A", 0.6),
    said(BAD, "C\0", 0.5, BAD, assertion="negated"),
])  # fmt: skip


@pytest.mark.parametrize("kind", ["tsv", "csv", "xlsx", "jsonl", "parquet"])
def test_tables(kind, tmp_path):
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet")
    path = tmp_path / f"pairs.{kind}"
    assert write_facts(FACTS, path) == 4
    rows = [row for _, row in read_rows(path)]
    assert [float(row["belief"]) for row in rows] == sorted((round(fact.belief, 4) for fact in FACTS), reverse=True)
    known = next(row for row in rows if row["ids1"] or row["ids2"])
    assert (int(known["sentences"]), int(known["documents"]), int(known["speculative"])) == (2, 2, 1)


def test_graphml_is_valid_and_complete(tmp_path):
    write_facts(FACTS, tmp_path / "pairs.graphml")
    tree = etree.parse(str(tmp_path / "pairs.graphml"))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    nodes = {node.get("id"): node for node in tree.iterfind(".//g:node", space)}
    edges = tree.findall(".//g:edge", space)
    assert (len(nodes), len(edges)) == (6, 4)  # RAF1 with an id, RAF1 without, MEK1, A, two bad ones
    assert {end for edge in edges for end in (edge.get("source"), edge.get("target"))} == set(nodes)
    assert sorted(edge.get("directed") for edge in edges) == ["false", "false", "false", "true"]
    declared = {key.get("id"): key.get("attr.type") for key in tree.iterfind("g:key", space)}
    assert {data.get("key") for data in tree.iterfind(".//g:data", space)} == set(declared)
    for data in tree.iterfind(".//g:data", space):
        {"string": str, "boolean": str, "int": int, "double": float}[declared[data.get("key")]](data.text or "")


def test_cytoscape_json(tmp_path):
    write_facts(FACTS, tmp_path / "pairs.cyjs", title="mine")
    content = json.loads((tmp_path / "pairs.cyjs").read_text())
    ids = {node["data"]["id"] for node in content["elements"]["nodes"]}
    ends = {edge["data"][end] for edge in content["elements"]["edges"] for end in ("source", "target")}
    assert ids == ends
    assert content["data"]["name"] == "mine"
    assert max(edge["data"]["belief"] for edge in content["elements"]["edges"]) == round(FACTS[0].belief, 4)


def test_sif_keeps_entities_of_one_name_apart(tmp_path):
    write_facts(FACTS, tmp_path / "pairs.sif")
    lines = (tmp_path / "pairs.sif").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    assert {line.split("\t")[1] for line in lines} == {"interaction", "inhibits"}
    assert "MEK1\tinteraction\tRAF1 (HGNC:9829)" in lines or "RAF1 (HGNC:9829)\tinteraction\tMEK1" in lines
    assert "RAF1 (protein, no id)\tinhibits\tMEK1" in lines


def test_the_page_has_a_picture_a_table_and_all_sentences(tmp_path):
    write_facts(FACTS, tmp_path / "pairs.html", title=f"Pairs {BAD}")
    content = (tmp_path / "pairs.html").read_text(encoding="utf-8")
    tree = html.fromstring(content)
    assert len(tree.xpath("//tbody/tr")) == 4
    assert len(tree.xpath("//svg//circle")) == 6
    targets = {link[1:] for link in tree.xpath("//svg//a/@href")}
    assert targets == set(tree.xpath("//tbody/tr/@id"))
    (unfolds,) = tree.xpath("//details")
    assert len(unfolds.xpath(".//li")) == 1
    assert not tree.xpath("//b")
    assert "\u202e" not in content
    assert "\0" not in content


def test_the_page_of_many_pairs_draws_the_best(tmp_path):
    write_facts(merge([said(f"A{n}", f"B{n}", 0.5 + n / 1000) for n in range(MOST_EDGES + 20)]), tmp_path / "pairs.html")
    tree = html.fromstring((tmp_path / "pairs.html").read_text())
    assert len(tree.xpath("//svg//line")) == MOST_EDGES
    assert len(tree.xpath("//tbody/tr")) == MOST_EDGES + 20


@pytest.mark.parametrize("kind", ["html", "graphml", "cyjs", "sif", "tsv", "xlsx"])
def test_no_facts_make_a_valid_file_and_equal_facts_equal_files(kind, tmp_path):
    assert write_facts([], tmp_path / f"none.{kind}") == 0
    if kind != "xlsx":  # has its date in it
        for name in "ab":
            write_facts(FACTS, tmp_path / f"{name}.{kind}")
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_standard_output_is_a_table(capsys):
    from pathlib import Path

    write_facts(FACTS[:1], Path("-"))
    assert len(list(csv.DictReader(capsys.readouterr().out.splitlines(), delimiter="\t"))) == 1


def test_what_cannot_be_written_is_said(tmp_path):
    with pytest.raises(ParameterError, match=r"\.graphml"):
        write_facts(FACTS, tmp_path / "pairs.doc")
    with pytest.raises(CorpusError, match="mkdir -p"):
        write_facts(FACTS, tmp_path / "none" / "pairs.sif")
    with pytest.raises(ParameterError, match=r"\.gz"):
        write_facts(FACTS, tmp_path / "pairs.sif.gz")
