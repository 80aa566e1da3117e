"""The shared-task corpora and treebanks as they were published: counts, and standoff there and back."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.corpus import Document

pytestmark = pytest.mark.realdata

EVENTS = {
    ("2009", "train"): 8615, ("2009", "devel"): 1795, ("2009", "test"): 0,
    ("2011", "train"): 10310, ("2011", "devel"): 3250, ("2011", "test"): 0,
    ("2013", "train"): 2817, ("2013", "devel"): 3199, ("2013", "test"): 0,
}  # fmt: skip
DOCUMENTS = {"2009": (800, 150, 260), "2011": (908, 259, 347), "2013": (222, 249, 305)}


@pytest.mark.parametrize(("year", "part"), EVENTS)
def test_bionlp_counts(data_root: Path, year: str, part: str) -> None:
    corpus = relhash.read(data_root / "bionlp" / year / part)
    assert len(corpus) == DOCUMENTS[year][("train", "devel", "test").index(part)]
    events = [relation for document in corpus for relation in document.relations if relation.trigger is not None]
    assert len(events) == EVENTS[year, part]
    for document in corpus:
        for mention in document.mentions:
            assert document.text[mention.start : mention.end] == mention.text


def _content(document: Document) -> tuple[object, ...]:
    """A document but for the order of its mentions: ``.a1`` comes before ``.a2``."""
    parts = (document.mentions, document.relations, document.attributes, document.equivalences)
    return document.id, document.text, *map(frozenset, parts)


@pytest.mark.parametrize("name", ["bionlp", "jsonl", "bioc-json"])
@pytest.mark.parametrize("year", ["2009", "2011", "2013"])
def test_bionlp_round_trip(data_root: Path, tmp_path: Path, year: str, name: str) -> None:
    corpus = relhash.read(data_root / "bionlp" / year / "devel")
    relhash.write(corpus, tmp_path / "out", name)
    again = relhash.read(tmp_path / "out", name)
    assert [_content(document) for document in again] == [_content(document) for document in corpus]


@pytest.mark.parametrize(
    ("name", "sentences", "tokens", "scheme"),
    [
        ("dev.conllu", 1361, 36180, "ud"),
        ("test.conllu", 1360, 35639, "ud"),
        ("future_use.conllu", 1494, 40221, "ud"),
        ("dev.conllu.stanford", 1361, 36180, "stanford-basic"),
        ("test.conllu.stanford", 1360, 35639, "stanford-basic"),
    ],
)
def test_genia_trees(data_root: Path, name: str, sentences: int, tokens: int, scheme: str) -> None:
    (document,) = relhash.read(data_root / "treebank" / "genia" / name)
    assert len(document.sentences) == sentences
    assert sum(len(sentence.tokens) for sentence in document.sentences) == tokens
    assert {arc.scheme for sentence in document.sentences for arc in sentence.dependencies} == {scheme}


@pytest.mark.slow
def test_craft_trees(data_root: Path) -> None:
    documents = sentences = tokens = 0
    schemes = set()
    for document in relhash.stream(data_root / "treebank" / "craft"):
        documents += 1
        sentences += len(document.sentences)
        tokens += sum(len(sentence.tokens) for sentence in document.sentences)
        schemes |= {arc.scheme for sentence in document.sentences for arc in sentence.dependencies}
    assert (documents, sentences, tokens, schemes) == (97, 30830, 793651, {"craft"})
