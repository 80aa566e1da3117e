"""The picture of a network as a file of its own."""

from __future__ import annotations

import pytest
from lxml import etree

from relhash.show.facts import merge, write_facts
from relhash.show.facts.drawing import MOST_EDGES
from tests.show.facts.few_facts import FACTS
from tests.show.facts.said import said

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("facts", [FACTS, merge([])], ids=["some", "none"])
def test_it_is_a_picture_that_needs_no_page(tmp_path, facts):
    assert write_facts(facts, tmp_path / "pairs.svg") == len(facts)
    root = etree.fromstring((tmp_path / "pairs.svg").read_bytes())
    assert root.tag == f"{SVG}svg"
    assert "stroke" in root.findtext(f".//{SVG}style")
    assert root.find(f".//{SVG}a") is None, "there is no row to lead to"
    assert sum(1 for _ in root.iter(f"{SVG}line", f"{SVG}path")) >= len(facts)


def test_it_draws_the_best_and_says_how_many(tmp_path):
    many = merge([said(f"A{n}", f"B{n}", 0.5 + n / 1000) for n in range(MOST_EDGES + 20)])
    assert write_facts(many, tmp_path / "pairs.svg") == MOST_EDGES
