"""The published protein-interaction corpora, counted."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from lxml import etree

from relhash.corpus.bioc import read_bioc_json, read_bioc_xml, write_bioc_json, write_bioc_xml
from relhash.corpus.document import Document
from relhash.corpus.unified_xml import read_unified_xml
from relhash.corpus.unified_xml_output import write_unified_xml

pytestmark = pytest.mark.realdata

COUNTS = {
    # documents, sentences, mentions, discontinuous, positive, negative
    "AIMed": (225, 1955, 4236, 0, 1000, 4834),
    "BioInfer": (836, 1100, 4421, 122, 2534, 7132),
    "HPRD50": (43, 145, 405, 0, 163, 270),
}


@lru_cache
def _read(path: Path) -> list[Document]:
    return list(read_unified_xml(path))


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_those_of_the_literature(data_root: Path, name: str) -> None:
    documents = _read(data_root / "ppi" / f"{name}.xml")
    mentions = [mention for document in documents for mention in document.mentions]
    pairs = [pair for document in documents for pair in document.candidates or ()]
    positive = sum(len(document.relations) for document in documents)
    assert (
        len(documents),
        sum(len(document.sentences) for document in documents),
        len(mentions),
        sum(mention.is_discontinuous for mention in mentions),
        positive,
        len(pairs) - positive,
    ) == COUNTS[name]
    assert all(document.candidates is not None for document in documents)
    assert all(document.metadata["origId"] for document in documents)


@pytest.mark.parametrize("name", COUNTS)
def test_every_sentence_has_the_parse_with_split_hyphens_and_offsets_that_fit(data_root: Path, name: str) -> None:
    shifted = set()
    for document in _read(data_root / "ppi" / f"{name}.xml"):
        for sentence in document.sentences:
            assert sentence.parser == "file:split_parse"
            assert sentence.is_parsed
            if any(document.text[token.start : token.end] != token.text for token in sentence.tokens):
                shifted.add(sentence.id)
        for mention in document.mentions:
            found = " ".join(document.text[start:end] for start, end in mention.spans)
            assert found.replace(" ", "") == mention.text.replace(" ", "")
    # in one sentence of the published file a token "))" has the offsets of one character, and the rest is shifted by one
    assert shifted == ({"BioInfer.d109.s0"} if name == "BioInfer" else set())
    types = {mention.type for document in _read(data_root / "ppi" / f"{name}.xml") for mention in document.mentions}
    assert len(types) < 10
    assert name != "HPRD50" or types == {"protein"}


def test_the_other_parse_can_be_chosen(data_root: Path) -> None:
    documents = list(read_unified_xml(data_root / "ppi" / "HPRD50.xml", parse="Charniak-Lease"))
    assert {sentence.parser for document in documents for sentence in document.sentences} == {"file:Charniak-Lease"}


@pytest.mark.parametrize("name", COUNTS)
def test_written_and_read_again_they_are_the_same(data_root: Path, tmp_path: Path, name: str) -> None:
    documents = _read(data_root / "ppi" / f"{name}.xml")
    write_unified_xml(documents, tmp_path / "again.xml")
    assert list(read_unified_xml(tmp_path / "again.xml")) == documents


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("encoding", ["xml", "json"])
def test_bioc_keeps_all_but_the_parses(data_root: Path, tmp_path: Path, name: str, encoding: str) -> None:
    documents = _read(data_root / "ppi" / f"{name}.xml")
    path = tmp_path / f"again.{encoding}"
    (write_bioc_xml if encoding == "xml" else write_bioc_json)(documents, path)
    without_parses = [
        replace(
            document,
            sentences=tuple(replace(s, tokens=(), dependencies=(), parser="") for s in document.sentences),
        )
        for document in documents
    ]
    assert list((read_bioc_xml if encoding == "xml" else read_bioc_json)(path)) == without_parses


def test_reading_takes_little_more_than_parsing(data_root: Path) -> None:
    path = data_root / "ppi" / "AIMed.xml"

    def seconds(action: object) -> float:
        times = []
        for _ in range(3):
            start = time.process_time()
            action()  # type: ignore[operator]
            times.append(time.process_time() - start)
        return min(times)

    parsing = seconds(lambda: etree.parse(path))
    reading = seconds(lambda: list(read_unified_xml(path)))
    print(f"lxml alone {parsing:.2f} s, documents {reading:.2f} s")
    assert reading < 6 * parsing  # about 3 in quiet times; this only notices when something becomes quadratic
