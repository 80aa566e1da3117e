"""Reading and writing through the registry: folders, lenient reading, what is imported on the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import relhash
from relhash.corpus import Document
from relhash.errors import CorpusError


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
