"""The page of facts: a picture, a table, and every sentence."""

from __future__ import annotations

from lxml import html

from relhash.show.facts import write_facts
from tests.show.facts.few_facts import BAD, FACTS


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
