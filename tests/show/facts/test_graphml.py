"""A network for Gephi, yEd and others."""

from __future__ import annotations

from lxml import etree

from relhash.show.facts import write_facts
from tests.show.facts.few_facts import FACTS


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
