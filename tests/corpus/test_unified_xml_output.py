"""Unified XML, written: what it holds comes back, what it cannot hold is refused."""

from __future__ import annotations

import dataclasses
import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings

from relhash.corpus.document import (
    Argument,
    Attribute,
    CandidatePair,
    Dependency,
    Document,
    Mention,
    Relation,
    Sentence,
    Token,
)
from relhash.corpus.unified_xml import read_unified_xml
from relhash.corpus.unified_xml_output import write_unified_xml
from relhash.errors import CorpusError
from tests.corpus.corpora_strategies import corpora

HELD = {"attributes": False, "equivalences": False, "interactions": False, "across_sentences": False}


def _content(document: Document) -> Document:
    """The same document with what has no order in a canonical one."""
    relations = (
        dataclasses.replace(relation, arguments=tuple(sorted(relation.arguments, key=lambda argument: argument.role)))
        for relation in document.relations
    )
    return dataclasses.replace(
        document, relations=tuple(sorted(relations, key=lambda relation: relation.id)), metadata=dict(document.metadata)
    )


@settings(deadline=None, max_examples=80)
@given(documents=corpora(**HELD))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.getbasetemp() / "round_trip.xml"
    write_unified_xml(documents, path)
    first = list(read_unified_xml(path))
    assert [_content(document) for document in first] == [_content(document) for document in documents]
    write_unified_xml(first, path)
    assert list(read_unified_xml(path)) == first


def test_written_dialect_is_the_one_of_the_published_corpora(tmp_path: Path) -> None:
    text = "TNF binds p53 or p21."
    tokens = (Token(0, 3, "TNF", "NN"), Token(4, 9, "binds"), Token(10, 13, "p53"))
    document = Document(
        "d0",
        text,
        (Sentence("s0", 0, 21, tokens, (Dependency(1, 0, "nsubj"),), "file:split_parse"),),
        (Mention("e0", "protein", ((0, 3),), "TNF"), Mention("e1", "protein", ((10, 13), (17, 20)), "p53 p21")),
        (Relation("p0", "interaction", (Argument("e1", "e0"), Argument("e2", "e1"))),),
        (CandidatePair("p0", "e0", "e1"),),
        metadata={"origId": "123"},
    ).check()
    path = tmp_path / "out.xml.gz"
    write_unified_xml([document], path)
    content = gzip.decompress(path.read_bytes()).decode()
    assert '<document id="d0" origId="123">' in content
    assert '<sentence id="s0" text="TNF binds p53 or p21.">' in content
    assert '<entity id="e1" charOffset="10-12,17-19" text="p53 p21" type="protein"/>' in content
    assert '<pair id="p0" e1="e0" e2="e1" interaction="True"/>' in content
    assert '<parse tokenizer="tokens" parser="split_parse">' in content
    assert '<dependency id="d1" type="nsubj" t1="t2" t2="t1"/>' in content
    assert '<token id="t1" charOffset="0-2" text="TNF" POS="NN"/>' in content
    assert list(read_unified_xml(path)) == [document]


def test_all_pairs_are_written_when_the_document_lists_none(tmp_path: Path) -> None:
    mentions = tuple(Mention(f"T{i}", "t", ((2 * i, 2 * i + 1),), "abc"[i]) for i in range(3))
    relation = Relation("R1", "interaction", (Argument("e1", "T0"), Argument("e2", "T2")))
    document = Document("d", "a b c", (Sentence("s", 0, 5),), mentions, (relation,))
    write_unified_xml([document], tmp_path / "out.xml")
    content = (tmp_path / "out.xml").read_text()
    assert content.count("<pair") == 3
    assert content.count('interaction="True"') == 1
    assert list(read_unified_xml(tmp_path / "out.xml")) == [document]


def test_white_space_of_every_kind_survives(tmp_path: Path) -> None:
    text = "a\tb\r\nc\n\u00a0\u2028 d "
    document = Document("d\n1", text, (Sentence("s", 0, 5), Sentence("s2", 6, 10)), (Mention("T", "t", ((0, 5),), "a\tb\r\n"),))
    write_unified_xml([document], tmp_path / "out.xml")
    assert list(read_unified_xml(tmp_path / "out.xml")) == [document]


_MENTIONS = (Mention("T1", "t", ((0, 1),), "a"), Mention("T2", "t", ((3, 4),), "b"))
_SENTENCES = (Sentence("s0", 0, 1), Sentence("s1", 3, 4))
_PAIR = (Argument("e1", "T1"), Argument("e2", "T2"))
REFUSED = {
    "interaction": ({"relations": (Relation("E1", "Binding", _PAIR, trigger="T1"),)}, r"\[E1\]: .* none with a trigger"),
    "unary": ({"relations": (Relation("E1", "Binding", _PAIR[:1]),)}, r"\[E1\]: .* none with a trigger"),
    "nested": (
        {"relations": (Relation("R1", "x", _PAIR), Relation("R2", "x", (Argument("e1", "R1"), _PAIR[1])))},
        r"\[R2\]: .* not between relations",
    ),
    "across sentences": ({"relations": (Relation("R1", "x", _PAIR),)}, r"\[R1\]: .* inside one sentence only"),
    "candidate across sentences": ({"candidates": (CandidatePair("C1", "T1", "T2"),)}, r"\[C1\]: .* inside one sentence only"),
    "attribute": ({"attributes": (Attribute("A1", "Negation", "T1"),)}, r"\[A1\]: attributes"),
    "equivalence": ({"equivalences": (("T1", "T2"),)}, r"\[d\]: equivalences"),
    "no sentences": ({"sentences": ()}, r"\[d\]: unified XML needs sentences"),
    "mention outside": ({"sentences": _SENTENCES[:1]}, r"\[T2\]: the mention 'b' is not inside one sentence"),
    "sentence order": ({"sentences": _SENTENCES[::-1]}, r"\[s0\]: sentences overlap or are not in order"),
    "control character": ({"text": "a \x00b"}, r"\[d\]: a text that XML cannot hold"),
    "lone surrogate": ({"text": "a \ud800b"}, r"\[d\]: a text that XML cannot hold"),
    "odd database id": ({"mentions": (Mention("T1", "t", ((0, 1),), "a", ("x||y",)),)}, r"\[T1\]: database ids must not"),
    "two schemes": (
        {"sentences": (Sentence("s0", 0, 4, (Token(0, 1, "a"),), (Dependency(0, 0, "a"), Dependency(0, 0, "a", "ud"))),)},
        r"\[s0\]: .* several label schemes",
    ),
}


@pytest.mark.parametrize(("changes", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_the_format_cannot_hold_is_refused_with_a_remedy(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    document = dataclasses.replace(Document("d", "a  b", _SENTENCES, _MENTIONS), **changes)
    path = tmp_path / "out.xml"
    with pytest.raises(CorpusError, match=message) as caught:
        write_unified_xml([document], path)
    assert "write jsonl" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
