"""Bytes in and out: what is said of files that are not what they should be."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from relhash.corpus.source import content_name, filled_lines, iterate_lines, read_text, writing
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
