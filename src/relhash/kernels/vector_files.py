"""Readers for files of word vectors: word2vec (text and binary), GloVe (text), and ``.npz``; gzip is unpacked on the way."""

from __future__ import annotations

import gzip
import os
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import numpy as np

from relhash.errors import CorpusError, ModelFileError
from relhash.kernels.word_vectors import WordVectors
from relhash.structures.npz import read_arrays

GZIP, ZIP = b"\x1f\x8b", b"PK"


def load_vectors(path: str | os.PathLike[str], *, max_words: int | None = None) -> WordVectors:
    """Word vectors from a file; its format is seen from its contents.

    Parameters
    ----------
    path
        word2vec in text or binary form (first line: number of words and dimensions), GloVe text (no such line), or an ``.npz``
        with ``words``, ``vectors`` and, for integer vectors, ``scale``.
    max_words
        Stop after this many (the files list frequent words first).

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "vectors.txt"
    >>> _ = path.write_text("binds 0.5 1\\ninhibits 1 0\\n")
    >>> load_vectors(path)
    WordVectors(2 words, 2 dimensions, no back-off)
    """
    path = Path(path)
    try:
        with open(path, "rb") as handle:
            start = handle.read(2)
        if start == ZIP:
            return _read_npz(path)
        with gzip.open(path, "rb") if start == GZIP else open(path, "rb") as stream:
            return _read_stream(stream, path, max_words)  # type: ignore[arg-type]
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CorpusError(f"cannot read word vectors ({reason})", path=path) from error


def _read_npz(path: Path) -> WordVectors:
    try:
        return WordVectors.from_arrays(read_arrays(path))
    except (ValueError, ModelFileError) as error:
        raise CorpusError(f"not a file of word vectors ({error})", path=path) from error


def _read_stream(stream: IO[bytes], path: Path, max_words: int | None) -> WordVectors:
    first = stream.readline()
    header = first.split()
    if len(header) == 2 and header[0].isdigit() and header[1].isdigit():
        n_words, dimensions = int(header[0]), int(header[1])
        wanted = n_words if max_words is None else min(n_words, max_words)
        peeked = stream.readline()
        if _is_text_line(peeked, dimensions):
            words = _Collector(path, dimensions, first_line=2, wanted=wanted)
            words.add_lines([peeked])
            words.add_lines(stream)
            if len(words) < wanted:
                raise CorpusError(f"ends after {len(words)} of {n_words} words", path=path, where=words.line)
            return words.vectors()
        return _read_binary(peeked, stream, path, wanted, dimensions)
    dimensions = len(header) - 1
    if dimensions < 1:
        raise CorpusError("a word and its numbers are expected on each line", path=path, where=1)
    words = _Collector(path, dimensions, first_line=1, wanted=max_words)
    words.add_lines([first])
    words.add_lines(stream)
    return words.vectors()


def _is_text_line(line: bytes, dimensions: int) -> bool:
    try:
        np.array(line.split()[-dimensions:], dtype=np.float64)
    except ValueError:
        return False
    return len(line.split()) > dimensions


class _Collector:
    """Words and vectors of a text file, with the line at hand for errors."""

    def __init__(self, path: Path, dimensions: int, *, first_line: int, wanted: int | None) -> None:
        self.path, self.dimensions, self.wanted = path, dimensions, wanted
        self.line = first_line - 1
        self._rows: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add_lines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            if self.wanted is not None and len(self._rows) >= self.wanted:
                return
            self.line += 1
            if line.strip():
                self._add(line)

    def _add(self, line: bytes) -> None:
        # a few GloVe words contain spaces: the numbers are counted from the right
        fields = line.rstrip().rsplit(b" ", self.dimensions) if b"\t" not in line else line.split()
        try:
            vector = np.array(fields[1:], dtype=np.float64)
            word = fields[0].decode("utf-8")
        except UnicodeDecodeError as error:
            raise CorpusError(
                "word is not UTF-8", path=self.path, where=self.line, remedy="convert the file to UTF-8"
            ) from error
        except ValueError as error:
            raise CorpusError("a number cannot be read", path=self.path, where=self.line) from error
        if vector.size != self.dimensions:
            raise CorpusError(f"{vector.size} numbers where {self.dimensions} are expected", path=self.path, where=self.line)
        if not np.isfinite(vector).all():
            raise CorpusError("NaN or infinity in a vector", path=self.path, where=self.line)
        self._rows.setdefault(word, vector)

    def vectors(self) -> WordVectors:
        return WordVectors(self._rows, np.stack(list(self._rows.values())))


def _read_binary(start: bytes, stream: IO[bytes], path: Path, wanted: int, dimensions: int) -> WordVectors:
    """The original word2vec format: each word, a space, and its numbers as little-endian float32."""
    data, size = memoryview(start + stream.read()), 4 * dimensions
    rows: dict[str, np.ndarray] = {}
    position = 0
    for number in range(1, wanted + 1):
        space = bytes(data[position : position + 1000]).find(b" ")
        end = position + space + 1 + size
        if space < 0 or end > len(data):
            raise CorpusError(f"ends within word {number} of {wanted}", path=path, remedy="is the file complete?")
        try:
            word = bytes(data[position : position + space]).lstrip(b"\n").decode("utf-8")
        except UnicodeDecodeError as error:
            raise CorpusError(f"word {number} is not UTF-8", path=path) from error
        vector = np.frombuffer(data, "<f4", dimensions, position + space + 1).astype(np.float64)
        if not np.isfinite(vector).all():
            raise CorpusError(f"NaN or infinity in the vector of word {number}", path=path)
        rows.setdefault(word, vector)
        position = end
    return WordVectors(rows, np.stack(list(rows.values())))
