"""Reading and writing through the registry: folders, lenient reading, what is imported on the way."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relhash
from relhash.corpus import Argument, Document, Mention, Relation, Sentence
from relhash.errors import CorpusError
from tests.corpus.corpora_strategies import corpora
from tests.corpus.test_bigbio import GENIA, PUBANNOTATION, RECORD


def test_several_files_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        relhash.write([Document(name, "x")], tmp_path / f"{name}.jsonl")
    assert [document.id for document in relhash.read(tmp_path)] == ["a", "b", "c"]


def test_lenient_folder_loses_only_the_broken_file(tmp_path: Path) -> None:
    relhash.write([Document("a", "x")], tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_bytes(b"\xff")
    corpus = relhash.read(tmp_path, lenient=True)
    assert [document.id for document in corpus] == ["a"]
    assert "b.jsonl:1: not UTF-8" in str(corpus.skipped[0])


def test_lenient_does_not_make_an_empty_corpus_of_rubbish(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(b"rubbish\nmore\n")
    with pytest.raises(CorpusError, match=r"b\.jsonl:1: not JSON"):
        relhash.read(tmp_path / "b.jsonl", lenient=True)


def test_output_suffix_that_says_nothing(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"does not say which format.*\.jsonl"):
        relhash.write([Document("d", "x")], tmp_path / "a.docx")


def test_output_folder_must_exist(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="mkdir -p"):
        relhash.write([Document("d", "x")], tmp_path / "nowhere" / "a.jsonl")


def test_compressed_output_does_not_depend_on_time_or_name(tmp_path: Path) -> None:
    relhash.write([Document("d", "x")], tmp_path / "a.jsonl.gz")
    relhash.write([Document("d", "x")], tmp_path / "b.jsonl.gz")
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def _loaded_after(program: str) -> str:
    watched = ("lxml", "bioc", "conllu", "penman", "numpy", "pandas", "spacy")
    program = f"import sys, relhash.corpus; {program}; print([m for m in {watched} if m in sys.modules])"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_importing_corpus_is_light() -> None:
    assert _loaded_after("pass") == "[]\n"


def test_reading_text_is_light(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("[Effect of TNF]. Ras binds Raf.")
    assert _loaded_after(f"relhash.read({str(tmp_path / 'a.txt')!r})") == "[]\n"
    (tmp_path / "b.jsonl").write_text('{"id": "b", "text": "Ras binds Raf."}')
    assert _loaded_after(f"relhash.read({str(tmp_path / 'b.jsonl')!r})") == "[]\n"


MENTIONS = tuple(Mention(f"T{n}", "Gene", ((2 * n, 2 * n + 1),), "abcd"[n], (f"X{n}",)) for n in range(4))
ENDS = [(Argument("Arg1", f"T{n}"), Argument("Arg2", f"T{n + 1}")) for n in range(3)]
STATED = Document(
    "7", "a b c d.", (Sentence("7.s0", 0, 8),), MENTIONS, tuple(Relation(f"R{n}", "binds", ends) for n, ends in enumerate(ENDS))
)
BETWEEN_IDS = replace(
    STATED,
    relations=(),
    concept_relations=tuple(Relation(f"R{n}", "binds", (Argument("e1", f"X{n}"), Argument("e2", "X3"))) for n in range(3)),
)
FORMATS = {
    ".jsonl": lambda text: len(json.loads(text)["relations"]),
    ".bioc.json": lambda text: text.count('"binds"'),
    ".bioc.xml": lambda text: text.count("<relation "),
    ".unified.xml": lambda text: text.count('interaction="True"'),
    ".ann": lambda text: len(re.findall("^R", text, re.MULTILINE)),
    ".pubtator": lambda text: text.count("\tbinds\t"),
    "bigbio.jsonl": lambda text: len(json.loads(text)["relations"] + json.loads(text)["events"]),
    "pubannotation.json": lambda text: len(json.loads(text)["relations"]),
    "genia.xml": lambda text: text.count("<event "),
}
"""Suffix → how many relations a file states, counted without a reader."""


def _sample(path: Path) -> str:
    known = {"bigbio": json.dumps(RECORD), "pubannotation": json.dumps(PUBANNOTATION), "genia": GENIA}
    if path.stem not in known:
        document = BETWEEN_IDS if path.suffix == ".pubtator" else STATED
        relhash.write([document], path.parent if path.suffix == ".ann" else path, "brat" if path.suffix == ".ann" else None)
    return known.get(path.stem) or path.read_text(encoding="utf-8")


@settings(max_examples=25, deadline=None)
@given(drawn=st.data())
@pytest.mark.parametrize("suffix", FORMATS)
def test_no_relation_is_lost_without_a_remark(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, drawn: st.DataObject
) -> None:
    """Whatever numbers, ids and words of a file are put in the place of others: as many relations as it states, or a remark."""
    path = tmp_path_factory.mktemp("lost") / (suffix if suffix[0] != "." else f"7{suffix}")
    text = _sample(path)
    for _ in range(drawn.draw(st.integers(0, 3))):
        words = list(re.finditer(r"\b[TXRE]?\d+\b|\b[abcd]\b|TNF|p53", text))
        place, other = (
            drawn.draw(st.sampled_from(words)),
            drawn.draw(st.sampled_from([*(word[0] for word in words), "T99", "A"])),
        )
        text = text[: place.start()] + other + text[place.end() :]
    path.write_text(text, encoding="utf-8")
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        try:
            documents = list(relhash.read(path.parent if suffix == ".ann" else path))
        except CorpusError:
            return
    found = sum(len(one.concept_relations or one.relations) for one in documents)
    assert found >= FORMATS[suffix](text) or remarks, text


@settings(max_examples=30, deadline=None)
@given(documents=corpora(concept_relations=True, tokens=False, interactions=False, attributes=False))
@pytest.mark.parametrize("suffix", [".jsonl", ".bioc.json", ".bioc.xml", ".unified.xml", ".pubtator", ""])
def test_every_format_of_relations_gives_them_back(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Document], suffix: str
) -> None:
    """What a writer takes, its reader gives back; what it cannot hold, it refuses."""
    path = tmp_path_factory.mktemp("all") / f"a{suffix}"
    try:
        relhash.write(documents, path)
    except CorpusError:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = {document.id: document for document in relhash.read(path)}
    for document in documents:
        found = read[document.id]
        if suffix not in ("", ".unified.xml"):
            assert {(r.type, r.targets) for r in document.concept_relations} <= {
                (r.type, r.targets) for r in found.concept_relations
            }
        if suffix != ".pubtator":  # which only knows ids
            assert len(found.relations) == len(document.relations)
