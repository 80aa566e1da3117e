"""The picture of a network."""

from __future__ import annotations

from lxml import html

from relhash.show.facts import merge, write_facts
from relhash.show.facts.drawing import MOST_EDGES
from tests.show.facts.said import said


def test_the_page_of_many_pairs_draws_the_best(tmp_path):
    write_facts(merge([said(f"A{n}", f"B{n}", 0.5 + n / 1000) for n in range(MOST_EDGES + 20)]), tmp_path / "pairs.html")
    tree = html.fromstring((tmp_path / "pairs.html").read_text())
    assert len(tree.xpath("//svg//line")) == MOST_EDGES
    assert len(tree.xpath("//tbody/tr")) == MOST_EDGES + 20


def test_the_first_edge_of_a_pair_joins_the_centres_and_others_run_beside_it(tmp_path):
    facts = merge([said("RAF1", "MEK1", 0.9, relation="binds"), said("RAF1", "MEK1", 0.8, relation="activates")])
    assert len(facts) == 2
    write_facts(facts, tmp_path / "pairs.html")
    tree = html.fromstring((tmp_path / "pairs.html").read_text())
    centres = {(float(one.get("cx")), float(one.get("cy"))) for one in tree.xpath("//svg//circle")}
    first, second = tree.xpath("//svg//line")
    assert {(float(first.get(f"x{end}")), float(first.get(f"y{end}"))) for end in (1, 2)} == centres
    assert (float(second.get("x1")), float(second.get("y1"))) not in centres
