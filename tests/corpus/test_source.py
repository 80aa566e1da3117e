"""Bytes in and out: what is said of files that are not what they should be."""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from relhash import corpus
from relhash.corpus.source import content_name, filled_lines, iterate_lines, open_bytes, read_text, writing
from relhash.errors import CorpusError


def test_text_is_cleaned_unless_its_layout_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\r\ntwo\r".encode())
    assert read_text(path) == "one\ntwo\r"
    assert read_text(path, keep_layout=True) == "\ufeffone\r\ntwo\r"
    assert list(iterate_lines(path)) == [(1, "one"), (2, "two")]


def test_the_line_of_a_wrong_byte_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo\n\xe9\n")
    for read in (read_text, lambda p: list(iterate_lines(p))):
        with pytest.raises(CorpusError, match=r"a\.txt:3: not UTF-8 text .*iconv -f WINDOWS-1252"):
            read(path)


def test_utf16_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("one\ntwo".encode("utf-16"))
    for read in (read_text, lambda p: list(iterate_lines(p))):
        with pytest.raises(CorpusError, match=r"a\.txt:1: .*looks like UTF-16.*iconv -f UTF-16"):
            read(path)


def test_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"")
    for read in (read_text, lambda p: list(iterate_lines(p))):
        with pytest.raises(CorpusError, match="the file is empty"):
            read(path)
    assert read_text(path, may_be_empty=True) == ""
    assert list(iterate_lines(path, may_be_empty=True)) == []


def test_folder_and_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="a folder, not a file"):
        read_text(tmp_path)
    with pytest.raises(CorpusError, match="no such file"):
        read_text(tmp_path / "x")


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-6], lambda data: data[:15] + b"\xff" * 20 + data[35:], lambda data: data[:2]]
)
def test_damaged_gzip(tmp_path: Path, damage) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(damage(gzip.compress(b"text of some length" * 50)))
    with pytest.raises(CorpusError, match="damaged or cut off"):
        read_text(path)


def test_gzip_needs_no_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(b"one"))
    with open_bytes(path) as handle:
        assert handle.read() == b"one"


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(b"before")

    def write_half() -> None:
        with writing(path) as handle:
            handle.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert path.read_bytes() == b"before"
    with writing(path) as handle:
        handle.write("é\n")
    assert gzip.decompress(path.read_bytes()) == "é\n".encode()
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt.gz"]


def test_content_name() -> None:
    assert content_name(Path("x/a.XML.GZ")) == "a.XML"
    assert content_name(Path("a.tsv")) == "a.tsv"


def test_filled_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\none\n \ntwo\n")
    assert list(filled_lines(path)) == [(2, "one"), (4, "two")]
    path.write_text("\n \n")
    with pytest.raises(CorpusError, match="only blank lines"):
        list(filled_lines(path))


def bomb(path: Path, size: int) -> Path:
    with gzip.open(path, "wb") as packed:
        for _ in range(size >> 20):
            packed.write(b"a" * (1 << 20))
    return path


@pytest.mark.parametrize("suffix", [".txt.gz", ".jsonl.gz", ".csv.gz"])
def test_a_gzip_bomb_is_refused(tmp_path: Path, suffix, monkeypatch) -> None:
    """A few kilobytes that unpack to gigabytes: a memory error after half a minute."""
    monkeypatch.setattr("relhash.corpus.opening.ALWAYS_ALLOWED", 1 << 20)
    with pytest.raises(CorpusError, match=r"more than 200 times its size.*gunzip"):
        corpus.read(bomb(tmp_path / f"bomb{suffix}", 8 << 20))


def test_repetitive_text_of_ordinary_size_is_read(tmp_path: Path) -> None:
    assert len(read_text(bomb(tmp_path / "same.txt.gz", 2 << 20))) == 2 << 20


@contextmanager
def piped(tmp_path: Path, content: str) -> Iterator[Path]:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(content,))
    writer.start()
    yield pipe
    writer.join()


@pytest.mark.parametrize("content", ['{"id": "d", "text": "TNF binds p53."}\n', "TNF binds p53."], ids=["JSON", "text"])
def test_a_pipe_is_read_like_a_file(tmp_path: Path, content: str) -> None:
    """Detection read the beginning of a pipe, and the reader the rest; raw text was refused as of no format."""
    with piped(tmp_path, content) as pipe:
        assert [found.text for found in corpus.read(pipe)] == ["TNF binds p53."]


def test_a_pipe_with_what_looks_like_a_corpus_is_not_taken_for_text(tmp_path: Path) -> None:
    with piped(tmp_path, "<html>TNF binds p53.</html>") as pipe, pytest.raises(CorpusError, match="--format"):
        corpus.read(pipe)


def test_closed_standard_input(monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(CorpusError, match="standard input is closed"):
        corpus.read("-")
