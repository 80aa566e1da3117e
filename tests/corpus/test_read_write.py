"""Reading and writing through the registry: folders, lenient reading, what is imported on the way."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relhash
from relhash.corpus import Document
from relhash.errors import CorpusError
from tests.corpus.corpora_strategies import corpora


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


@settings(max_examples=40, deadline=None)
@given(drawn=st.data())
def test_no_relation_is_lost_without_a_remark(tmp_path_factory: pytest.TempPathFactory, drawn: st.DataObject) -> None:
    """Whatever is done to a file of annotations: as many relations as it states, or a remark, or an error."""
    lines = [f"R{number}\tbinds Arg1:T{number} Arg2:T{number + 1}" for number in range(1, 4)]
    lines += [f"T{number}\tGene {number - 1} {number}\t{'abcd'[number - 1]}" for number in range(1, 5)]
    stated = len(lines) - 4
    for _ in range(drawn.draw(st.integers(0, 3))):
        change = drawn.draw(st.sampled_from(["repeat", "rename", "shift", "shout", "alone"]))
        place = drawn.draw(st.integers(0, len(lines) - 1))
        if change == "repeat":
            lines.append(lines[place])
            stated += lines[place].startswith("R")
        elif change == "rename":
            lines[place] = lines[0][:2] + lines[place][2:]
        elif change == "shift":
            lines[place] = lines[place].replace(" 1 2", " 2 3")
        elif change == "shout":
            lines[place] = lines[place][:-1] + lines[place][-1].upper()
        else:
            lines.append("*\tEquiv T1")
    folder = tmp_path_factory.mktemp("lost")
    (folder / "a.txt").write_text("abcd")
    (folder / "a.ann").write_text("\n".join(lines) + "\n")
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        try:
            (document,) = relhash.read(folder)
        except CorpusError:
            return
    assert len(document.relations) == stated or remarks


@settings(max_examples=30, deadline=None)
@given(documents=corpora(concept_relations=True, tokens=False, interactions=False, attributes=False))
@pytest.mark.parametrize("suffix", [".jsonl", ".bioc.json", ".bioc.xml", ".pubtator", ""])
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
        if suffix:
            assert {(r.type, r.targets) for r in document.concept_relations} <= {
                (r.type, r.targets) for r in found.concept_relations
            }
        if suffix != ".pubtator":  # which only knows ids
            assert len(found.relations) == len(document.relations)
