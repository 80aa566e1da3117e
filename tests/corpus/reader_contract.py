"""What every reader promises, whatever its format: a test class inherits this and gives a valid file and some broken ones."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relhash
from relhash.corpus import Document
from relhash.errors import CorpusError, RelHashNote

_few = settings(
    max_examples=60,
    deadline=None,
    # several classes inherit one test on purpose; its examples are bytes, which mean the same to all of them
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)


class ReaderContract:
    """Inherit and set the class attributes; pytest collects the subclasses only."""

    format: ClassVar[str]
    """Name in the registry."""
    filename: ClassVar[str]
    """Name of the file that is varied; its suffix must let the format be detected."""
    sample: ClassVar[str]
    """A valid file. It must contain an ``é`` (to be broken by encodings) and at least one line end."""
    beside: ClassVar[dict[str, str]] = {}
    """Files that belong to it (the text of a standoff annotation)."""
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {}
    """Name → a malformed file and the place that the error must name."""
    one_of_two_is_broken: ClassVar[str | None] = None
    """Two documents, one of which is malformed, for the lenient mode."""
    shares_line_ends_with_text: ClassVar[bool] = False
    """Whether the file's line ends are part of the text (then CRLF is tested by the format itself)."""

    guesses_encoding: ClassVar[bool] = False
    """Whether text in another encoding is read, with a note."""

    def put(self, folder: Path, content: str | bytes, name: str | None = None) -> Path:
        for other, text in self.beside.items():
            (folder / other).write_text(text, encoding="utf-8", newline="")
        path = folder / (name or self.filename)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def documents(self, path: Path) -> tuple[Document, ...]:
        return relhash.read(path, self.format).documents

    @pytest.fixture
    def expected(self, tmp_path_factory: pytest.TempPathFactory) -> tuple[Document, ...]:
        return self.documents(self.put(tmp_path_factory.mktemp("expected"), self.sample))

    def test_format_is_detected(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert expected
        assert relhash.read(self.put(tmp_path, self.sample)).documents == expected

    def test_a_folder_is_a_corpus(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        self.put(tmp_path, self.sample)
        (tmp_path / "README").write_text("about this corpus")
        (tmp_path / "LICENSE.txt").write_text("CC BY")
        (tmp_path / ".hidden.xml").write_text("<x/>")
        assert relhash.read(tmp_path).documents == expected

    def test_stream_gives_the_same(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert tuple(relhash.stream(self.put(tmp_path, self.sample))) == expected

    def test_gzip_is_transparent(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert (
            relhash.read(self.put(tmp_path, gzip.compress(self.sample.encode()), self.filename + ".gz")).documents == expected
        )

    def test_damaged_gzip(self, tmp_path: Path) -> None:
        packed = gzip.compress(self.sample.encode())
        path = self.put(tmp_path, packed[: len(packed) // 2], self.filename + ".gz")
        with pytest.raises(CorpusError, match="damaged or cut off"):
            self.documents(path)

    def test_byte_order_mark(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        assert relhash.read(self.put(tmp_path, "\ufeff" + self.sample)).documents == expected

    def test_windows_line_ends(self, tmp_path: Path, expected: tuple[Document, ...]) -> None:
        if self.shares_line_ends_with_text:
            pytest.skip("line ends are text in this format")
        assert relhash.read(self.put(tmp_path, self.sample.replace("\n", "\r\n"))).documents == expected

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(CorpusError, match=r"nowhere.*no such file"):
            relhash.read(tmp_path / f"nowhere{Path(self.filename).suffix}")

    def test_empty_file(self, tmp_path: Path) -> None:
        path = self.put(tmp_path, b"")
        with pytest.raises(CorpusError) as caught:
            self.documents(path)
        assert str(path) in str(caught.value)

    @pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
    def test_wrong_encoding(self, tmp_path: Path, expected: tuple[Document, ...], encoding: str) -> None:
        path = self.put(tmp_path, self.sample.encode(encoding))
        if self.guesses_encoding:
            with pytest.warns(RelHashNote, match=r"not UTF-8, read as (windows-1252|utf-16) \('é'\).*--encoding"):
                assert self.documents(path) == expected
            assert relhash.read(path, self.format, encoding=encoding).documents == expected
            return
        with pytest.raises(CorpusError) as caught:
            self.documents(path)
        assert str(path) in str(caught.value)

    def test_broken_files(self, tmp_path: Path) -> None:
        for name, (content, where) in self.broken.items():
            path = self.put(tmp_path, content)
            with pytest.raises(CorpusError) as caught:
                self.documents(path)
            assert caught.value.where == where, f"{name}: {caught.value}"
            assert Path(str(caught.value.path)).stem == path.stem, f"{name}: {caught.value}"

    def test_lenient_mode_keeps_the_rest(self, tmp_path: Path) -> None:
        if self.one_of_two_is_broken is None:
            pytest.skip("a file of this format is one document")
        path = self.put(tmp_path, self.one_of_two_is_broken)
        with pytest.raises(CorpusError):
            relhash.read(path)
        corpus = relhash.read(path, lenient=True)
        assert len(corpus) == 1
        assert len(corpus.skipped) == 1

    def test_any_cut_is_read_or_refused(self, tmp_path: Path) -> None:
        data = self.sample.encode()
        for cut in range(0, len(data), max(1, len(data) // 40)):
            self._read_or_refuse(self.put(tmp_path, data[:cut]))

    @_few
    @given(data=st.binary(max_size=300))
    def test_any_bytes_are_read_or_refused(self, tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
        self._read_or_refuse(self.put(tmp_path_factory.mktemp("fuzz"), data))

    @_few
    @given(drawn=st.data())
    def test_any_change_is_read_or_refused(self, tmp_path_factory: pytest.TempPathFactory, drawn: st.DataObject) -> None:
        start = drawn.draw(st.integers(0, len(self.sample)))
        end = drawn.draw(st.integers(start, min(len(self.sample), start + 20)))
        new = drawn.draw(
            st.text(max_size=6) | st.sampled_from(["\t", "\n", '"', "0", "-1", "99999999999999", "{", "null", "T9"])
        )
        changed = (self.sample[:start] + new + self.sample[end:]).encode()
        self._read_or_refuse(self.put(tmp_path_factory.mktemp("change"), changed))

    def _read_or_refuse(self, path: Path) -> None:
        try:
            documents = self.documents(path)
        except CorpusError:
            return
        for document in documents:
            document.check()
