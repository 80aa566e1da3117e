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
