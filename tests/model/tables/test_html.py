"""The page of relations: complete, self-contained, and harmless whatever is in the text."""

from __future__ import annotations

import re

import pytest
from lxml import html

from relhash.errors import CorpusError
from relhash.model.tables import read_rows, write_rows
from tests.model.tables.sample_rows import COLUMNS, row


def page(tmp_path, *rows, title="Relations in text", columns=COLUMNS):
    path = tmp_path / "a.html"
    assert write_rows(iter(rows), path, "html", columns, title=title) == len(rows)
    return html.fromstring(path.read_text(encoding="utf-8"))


def test_every_row_shows_what_a_curator_needs(tmp_path):
    tree = page(tmp_path, row(), row(is_relation=False, assertion="negated", directed=True))
    first, second = tree.xpath("//tbody/tr")
    assert [mark.text for mark in first.xpath(".//mark")] == ["RAF1", "MEK1"]
    text = first.text_content()
    for needed in ("HGNC:9829", "protein", "interaction", "0.93", "asserted", "RAF1 — binds to — MEK1", "d1"):
        assert needed in text
    assert "ppi, version 2026-11-17-530a0db8" in tree.xpath("//p[@class='lead']")[0].text
    assert second.get("class") == "rejected"
    assert "not accepted" in second.text_content()
    assert "entity 1 → entity 2" in second.text_content()


def test_another_name_stands_below_the_name(tmp_path):
    tree = page(tmp_path, row(also1="Raf-1", also2=""), columns=[*COLUMNS, "also1", "also2"])
    first, second = tree.xpath("//td[@class='name']/small")
    assert first.text.startswith("also Raf-1 · ")
    assert "also" not in second.text


def test_text_is_escaped_and_invisible_characters_are_shown(tmp_path):
    bad = '<img src=x onerror="alert(1)">"\'&\u202e\0</script>'
    fields = ("document", "entity1", "type1", "ids1", "relation", "assertion", "evidence", "sentence", "model")
    tree = page(tmp_path, row(**dict.fromkeys(fields, bad), marked=f"[E1]{bad}[/E1] {bad}"), title=bad)
    content = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert not tree.xpath("//img")
    assert not tree.xpath("//@onerror")
    assert len(tree.xpath("//script")) == 1
    assert "\u202e" not in content
    assert "\0" not in content
    assert "⟨U+202E⟩" in tree.xpath("//tbody/tr")[0].text_content()


def test_nothing_is_loaded_from_elsewhere(tmp_path):
    tree = page(tmp_path, row())
    assert not tree.xpath("//@src | //link | //iframe | //form")
    assert not re.search(r"https?://|@import|url\(", (tmp_path / "a.html").read_text())
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")


def test_any_columns_make_a_table(tmp_path):
    write_rows([{"document": "d", "code": "0a"}], tmp_path / "codes.html", "html", ["document", "code"])
    tree = html.fromstring((tmp_path / "codes.html").read_text())
    assert [cell.text_content() for cell in tree.xpath("//tbody/tr/td")] == ["d", "0a"]
    assert len(tree.xpath("//thead//th")) == 2


def test_an_empty_page_says_so(tmp_path):
    assert "Nothing was found." in page(tmp_path).text_content()


def test_a_page_is_for_people(tmp_path):
    page(tmp_path, row())
    with pytest.raises(CorpusError, match="for people"):
        list(read_rows(tmp_path / "a.html"))


def test_rows_say_what_the_filters_ask_for(tmp_path):
    first, second = page(tmp_path, row(ids2="X:1"), row(ids1="", ids2="X:1", type2="chemical")).xpath("//tbody/tr")
    assert (first.get("data-types"), first.get("data-ids")) == ("protein – protein", "both")
    assert (second.get("data-types"), second.get("data-ids")) == ("protein – chemical", "one")


def test_a_row_says_where_its_names_stand_as_far_as_it_knows(tmp_path):
    tree = page(tmp_path, row(), row(entity2="", start2=None, end2=None))
    assert tree.xpath("//td[@class='document']/@title") == ["characters 0–4 and 14–18", "characters 0–4"]


def test_a_sentence_under_another_name_gets_room_and_the_rest_small_print(tmp_path):
    text = "AKT <activates> MTOR " * 4
    statement = {"verdict": "look", "subject": "AKT", "object": "MTOR", "text": text, "pmid": "271", "by": ""}
    tree = page(tmp_path, statement, columns=list(statement))
    assert [head.text for head in tree.xpath("//th")] == ["Verdict", "Subject", "Object", "Text"]
    (cell,) = tree.xpath("//td[@class='sentence']")
    assert cell.text.startswith("AKT <activates> MTOR")
    assert cell.xpath("small/text()") == ["pmid 271"]
    short = page(tmp_path, {**statement, "text": "AKT, MTOR"}, columns=list(statement))
    assert [head.text for head in short.xpath("//th")][-3:] == ["Text", "Pmid", "By"]
