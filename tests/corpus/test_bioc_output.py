"""Writing BioC: what is written is read again, what has no place is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bioc import biocjson, biocxml
from hypothesis import given, settings

from relhash.corpus.bioc import read_bioc_json, read_bioc_xml
from relhash.corpus.bioc_output import write_bioc_json, write_bioc_xml
from relhash.corpus.document import (
    Attribute,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    Token,
)
from relhash.errors import CorpusError
from tests.corpus.bioc_samples import DOCUMENT
from tests.corpus.corpora_strategies import corpora

HELD = {"tokens": False, "parses": False}


FORMATS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "xml": (write_bioc_xml, read_bioc_xml),
    "json": (write_bioc_json, read_bioc_json),
}


def _content(document: Document) -> Document:
    """The same document with what has no order in a canonical one."""

    def by_id(records: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(records, key=lambda record: record.id))

    return dataclasses.replace(
        document,
        mentions=by_id(document.mentions),
        attributes=by_id(document.attributes),
        metadata=dict(document.metadata),
    )


@pytest.mark.parametrize("encoding", FORMATS)
@settings(deadline=None, max_examples=60)
@given(documents=corpora(**HELD))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, encoding: str, documents: list[Document]
) -> None:
    write, read = FORMATS[encoding]
    path = tmp_path_factory.getbasetemp() / f"round_trip.{encoding}"
    write(documents, path)
    first = list(read(path))
    assert [_content(document) for document in first] == [_content(document) for document in documents]
    write(first, path)
    assert list(read(path)) == first


@pytest.mark.parametrize("encoding", FORMATS)
def test_white_space_of_every_kind_survives(tmp_path: Path, encoding: str) -> None:
    text = " a\tb\r\nc\n\u00a0\u2028 d \r\n"
    document = Document("d", text, (Sentence("s", 1, 6),), (Mention("T", "t", ((1, 6),), "a\tb\r\n"),))
    write, read = FORMATS[encoding]
    write([document], tmp_path / "out")
    assert list(read(tmp_path / "out")) == [document]


def test_written_files_are_what_the_library_reads(tmp_path: Path) -> None:
    write_bioc_json([DOCUMENT], tmp_path / "a.json")
    write_bioc_xml([DOCUMENT], tmp_path / "a.xml")
    with open(tmp_path / "a.json") as handle:
        from_json = biocjson.load(handle)
    with open(tmp_path / "a.xml", "rb") as handle:
        from_xml = biocxml.load(handle)
    for collection in (from_json, from_xml):
        (document,) = collection.documents
        assert [passage.infons for passage in document.passages if passage.infons] == [{"type": "title"}, {"type": "abstract"}]
        assert [annotation.id for passage in document.passages for annotation in passage.annotations] == ["0", "1", "2"]


def test_tokens_and_parses_are_left_out(tmp_path: Path) -> None:
    sentences = (
        dataclasses.replace(DOCUMENT.sentences[0], tokens=(Token(18, 23, "Alpha"),), parser="p"),
        DOCUMENT.sentences[1],
    )
    write_bioc_json([dataclasses.replace(DOCUMENT, sentences=sentences)], tmp_path / "a.json")
    (document,) = read_bioc_json(tmp_path / "a.json")
    assert document.sentences == DOCUMENT.sentences


REFUSED = {
    "control character": ({"text": "a\x00b"}, write_bioc_xml, r"\[d\]: a text that XML cannot hold"),
    "passages that overlap": (
        {"passages": (Passage("a", 0, 2), Passage("b", 1, 3))},
        write_bioc_json,
        r"\[d\]: BioC has no place for passages that overlap",
    ),
    "sentence across passages": (
        {"passages": (Passage("a", 0, 1), Passage("b", 1, 3))},
        write_bioc_json,
        r"\[s\]: BioC has no place for a sentence",
    ),
    "relation without participants": ({"relations": (Relation("R", "x", ()),)}, write_bioc_json, r"\[R\]: BioC has no place"),
    "attribute type": ({"attributes": (Attribute("A", "x=y", "T"),)}, write_bioc_json, r"\[A\]: BioC has no place"),
}


@pytest.mark.parametrize(("changes", "write", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_bioc_cannot_hold_is_refused_with_a_remedy(
    tmp_path: Path, changes: dict[str, Any], write: Callable[..., Any], message: str
) -> None:
    document = dataclasses.replace(
        Document("d", "abc", (Sentence("s", 0, 3),), (Mention("T", "t", ((0, 1),), "a"),)), **changes
    )
    with pytest.raises(CorpusError, match=message) as caught:
        write([document], tmp_path / "out")
    assert "write jsonl" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
