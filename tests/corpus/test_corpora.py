"""What a user may call a corpus, and how a text is told from the name of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.corpus import Corpus, Document
from relhash.corpus.read_write import documents_of, is_text
from relhash.errors import CorpusError, ParameterError

TEXTS = [
    "RAF1 binds to MEK1.",
    "RAF1 binds to MEK1",
    "RAF1 binds MEK1.\nTNF does not.",
    "RAF1\tbinds\tMEK1",
    "We saw it. The rest is in corpus.xml",
    "first line\nsecond.txt",
    "RAF1 binds MEK1. " * 5000,
    "[Effect of TNF]. We saw \x00 it.",
    "see corpus.txt for RAF1",
]
NAMES = ["abstracts.txt", "my corpus.xml", "my corpus.XML.gz", "data/x", "RAF1", "C:\\texts\\a.csv", "x" * 5000, "a\x00b", "-"]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_a_text_is_one_document(text: str) -> None:
    assert is_text(text)
    assert list(documents_of(text)) == [Document("text", text)]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:20])
def test_what_looks_like_a_name_is_one(name: str) -> None:
    assert not is_text(name)
    if name != "-":
        with pytest.raises(CorpusError, match="there is no such file or folder"):
            list(documents_of(name))


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_an_empty_string_is_nothing(blank: str) -> None:
    with pytest.raises(ParameterError, match="empty string"):
        list(documents_of(blank))


def test_a_file_that_exists_is_read_whatever_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "RAF1 binds to MEK1. Really.txt"
    (tmp_path / name).write_text("TNF binds p53.")
    monkeypatch.chdir(tmp_path)
    assert [document.text for document in documents_of(name)] == ["TNF binds p53."]
    assert [document.text for document in documents_of(tmp_path / name)] == ["TNF binds p53."]


@pytest.mark.parametrize("name", ["RAF1 binds to MEK1.", "x" * 5000, "a\x00b c"])
def test_a_path_is_never_a_text(name: str) -> None:
    with pytest.raises(CorpusError, match="there is no such file or folder"):
        list(documents_of(Path(name)))
    with pytest.raises(CorpusError, match="there is no such file or folder"):
        relhash.read(name)


def test_several_of_any_kind(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("TNF binds p53.")
    corpus = Corpus.of([Document("c", "C.")], "one")
    found = documents_of([corpus, str(tmp_path / "a.txt"), "RAF1 binds MEK1.", tmp_path / "a.txt", "Ras binds Raf."])
    assert [document.id for document in found] == ["c", "a", "text2", "a", "text4"]
    assert list(documents_of(corpus)) == list(corpus)
    assert list(documents_of(iter([Document("d", "D.")]))) == [Document("d", "D.")]


def test_anything_else_is_refused() -> None:
    with pytest.raises(ParameterError, match="made of documents, not of int"):
        list(documents_of([1]))  # type: ignore[list-item]
