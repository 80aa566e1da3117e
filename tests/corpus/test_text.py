"""Plain text: one document per file, or per line; standard input."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import relhash
from relhash.corpus import Document
from relhash.errors import CorpusError, RelHashNote
from tests.corpus.reader_contract import ReaderContract


class TestTextReader(ReaderContract):
    format = "text"
    filename = "abstract.txt"
    sample = "TNF binds p53.\nThat is é.\n"
    guesses_encoding = True
    broken = {"white space": (" \n\t\n", None)}  # noqa: RUF012


class TestLinesReader(ReaderContract):
    format = "lines"
    filename = "abstracts.txt"
    sample = "TNF binds p53.\n\nThat is é.\n"
    guesses_encoding = True
    broken = {"white space": (" \n\t\n", None)}  # noqa: RUF012

    # a file does not tell whether its lines are documents: the format must be named
    def test_format_is_detected(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert [document.id for document in expected] == ["abstracts:1", "abstracts:3"]

    def test_a_folder_is_a_corpus(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        self.put(tmp_path, self.sample)
        (tmp_path / "README").write_text("about this corpus")
        assert relhash.read(tmp_path, "lines").documents == expected

    def test_stream_gives_the_same(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert tuple(relhash.stream(self.put(tmp_path, self.sample), "lines")) == expected

    def test_gzip_is_transparent(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        import gzip

        assert self.documents(self.put(tmp_path, gzip.compress(self.sample.encode()), "abstracts.txt.gz")) == expected

    def test_byte_order_mark(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert self.documents(self.put(tmp_path, "\ufeff" + self.sample)) == expected

    def test_windows_line_ends(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert self.documents(self.put(tmp_path, self.sample.replace("\n", "\r\n"))) == expected


def test_a_folder_of_texts(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.txt").write_text(f"Text {name}.")
    corpus = relhash.read(tmp_path)
    assert [(document.id, document.text) for document in corpus] == [("a", "Text a."), ("b", "Text b.")]
    assert corpus.name == tmp_path.name


def test_standard_input_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, ids in ((None, ["stdin"]), ("lines", ["stdin:1", "stdin:2"])):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("TNF é.\nB.\n".encode())))
        assert [document.id for document in relhash.read("-", name)] == ids


def test_other_separators_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\u2028still one\x0c\x85\nTwo")
    assert [document.text for document in relhash.read(tmp_path / "a.txt", "lines")] == ["one\u2028still one\x0c\x85", "Two"]


def test_text_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="can be read but not written"):
        relhash.write([Document("d", "x")], tmp_path / "a.txt", "text")


@pytest.mark.parametrize(("line", "said"), [("We saw TNF. " * 30, "one document per line"), ("A heading", "one document ")])
def test_how_a_text_was_cut_is_said(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "a.txt").write_text(f"{line}\n{line}\n")
    with pytest.warns(RelHashNote, match=rf"a\.txt: read as {said}.*--format"):
        relhash.read(tmp_path / "a.txt")
