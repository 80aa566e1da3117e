"""Plain text: one document per file, or one per line. Sentences are found later, in :mod:`relhash.language`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.line_ends import plain_document
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.source import content_name, filled_lines, head_encoding, read_text
from relhash.corpus.text_encoding import UTF8
from relhash.errors import CorpusError
from relhash.files import STANDARD_STREAM


def read_text_file(path: Path, *, on_error: OnError = None, encoding: str | None = None) -> Iterator[Document]:
    """The file as one document, called after the file; its encoding is guessed if not given, with a note."""
    return without_broken([path], lambda file: _whole(file, encoding), on_error)


def read_text_lines(path: Path, *, on_error: OnError = None, encoding: str | None = None) -> Iterator[Document]:
    """Each line that is not blank as a document, called after the file and the line number (``abstracts:12``).

    A file that is UTF-8 (or whose head is) is read line by line, one in another encoding as a whole.
    """
    name = _name(path)
    return without_broken(
        _filled_lines(path, encoding), lambda line: Document(f"{name}:{line[0]}", line[1]).check(str(path)), on_error
    )


def _filled_lines(path: Path, encoding: str | None) -> Iterator[tuple[int, str]]:
    if encoding is None and (path == STANDARD_STREAM or head_encoding(path) == UTF8):
        encoding = UTF8
    if encoding == UTF8:
        yield from filled_lines(path)
        return
    for number, line in enumerate(read_text(path, encoding=encoding).split("\n"), 1):
        if line.strip():
            yield number, line


def _whole(path: Path, encoding: str | None) -> Document:
    text = read_text(path, encoding=encoding)
    if not text.strip():
        raise CorpusError("the file holds nothing but white space", path=path)
    return plain_document(_name(path), text).check(str(path))


def _name(path: Path) -> str:
    return "stdin" if path == STANDARD_STREAM else Path(content_name(path)).stem
