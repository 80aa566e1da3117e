"""Encodings that Excel and Windows write: guessed with a note, taken at their word when named."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relhash
from relhash.corpus.source import check_encoding, decoded, guessed_encoding
from relhash.errors import CorpusError, ParameterError, RelHashNote

GERMAN = "Das Präparat wirkt über den Rezeptor."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "windows-1252"])
def test_guesses(encoding: str) -> None:
    data = GERMAN.encode(encoding)
    assert guessed_encoding(data) == encoding
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelHashNote)
        assert decoded(data, Path("x"), None) == GERMAN


def test_a_head_may_end_inside_a_character() -> None:
    data = GERMAN.encode()
    cut = data[: data.index(b"\xc3") + 1]
    assert guessed_encoding(cut, is_whole=False) == "utf-8"


def test_damaged_utf8_is_not_taken_for_windows() -> None:
    """The NERO table is UTF-8 but for a few bytes; read as Windows-1252 all its Greek letters would be wrong."""
    data = "TNF-α and IFN-γ and IL-1β\n".encode() + b"broken \xe9\n"
    with pytest.raises(CorpusError, match=r"x:2: not UTF-8 text"):
        decoded(data, Path("x"), None)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(CorpusError):
        decoded(bytes(range(256)), Path("x"), None)


def test_a_named_encoding_is_taken_at_its_word(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Ефект".encode("windows-1251"))
    (document,) = relhash.read(tmp_path / "a.txt", encoding="windows-1251")
    assert document.text == "Ефект"
    with pytest.raises(CorpusError, match=r"a\.txt:1: not utf-8-sig text"):
        relhash.read(tmp_path / "a.txt", encoding="utf-8-sig")
    with pytest.raises(ParameterError, match="'klingon' is not known"):
        check_encoding("klingon")


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.text("abc äöüßéèñ€“”–;,'\"\n", min_size=1, max_size=20).filter(str.strip), min_size=1, max_size=4),
    encoding=st.sampled_from(["windows-1252", "utf-16", "utf-8-sig"]),
)
def test_tables_in_any_encoding(tmp_path_factory: pytest.TempPathFactory, texts: list[str], encoding: str) -> None:
    path = tmp_path_factory.mktemp("encodings") / "a.csv"
    cells = [text.replace('"', '""') for text in texts]
    path.write_bytes(("id;text\r\n" + "".join(f'{n};"{cell}"\r\n' for n, cell in enumerate(cells))).encode(encoding))
    assert [document.text for document in relhash.read(path, encoding=encoding)] == [text.strip() for text in texts]


def test_what_only_begins_as_utf16_is_refused():
    """Found by tests/fuzz: a mark of UTF-16 before an odd number of bytes."""
    with pytest.raises(CorpusError, match="not UTF-8 text"):
        decoded(b"\xff\xfeRA,MEK1", Path("a.csv"), None)
