"""The registry: names, folders, lenient reading, what is written where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import relhash
from relhash.corpus import FORMATS, Document
from relhash.corpus.formats import format_by_name, format_for_output
from relhash.errors import CorpusError


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_every_name_in_the_registry_exists(known: relhash.corpus.formats.Format) -> None:
    for function in (known.reader, known.writer):
        if function is not None:
            assert callable(known.load(function))
    assert known.description
    assert format_by_name(known.name.upper()) is known


def test_names_are_unique() -> None:
    names = [name for known in FORMATS for name in (known.name, *known.aliases)]
    assert len(names) == len(set(names))


def test_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(CorpusError, match=r"unknown format 'docx'; known formats: unified-xml, .*jsonl.*lines"):
        relhash.read(tmp_path / "a.txt", "docx")


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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.xml", "unified-xml"), ("a.json", "bioc-json"), ("a.jsonl", "jsonl"), ("a.jsonl.gz", "jsonl"), ("a.tsv", "table"),
        ("a.csv", "table"), ("a.pubtator", "pubtator"), ("folder", "brat"), ("-", "jsonl"), ("a.bioc", "bioc-xml"),
    ],
)  # fmt: skip
def test_output_format_by_suffix(name: str, expected: str) -> None:
    assert format_for_output(Path(name)).name == expected


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


def test_importing_corpus_is_light() -> None:
    program = (
        "import sys, relhash.corpus; print([m for m in ('lxml', 'bioc', 'conllu', 'numpy', 'pandas') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
