"""Plain text: one document per file, or one per line. Sentences are found later, in :mod:`relhash.language`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.skipping import OnError, without_broken
from relhash.corpus.source import STANDARD_STREAM, content_name, filled_lines, read_text
from relhash.errors import CorpusError

__all__ = ["read_text_file", "read_text_lines"]


def read_text_file(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """The file as one document, called after the file."""
    return without_broken([path], _whole, on_error)


def read_text_lines(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """Each line that is not blank as a document, called after the file and the line number (``abstracts:12``)."""
    name = _name(path)
    return without_broken(filled_lines(path), lambda line: Document(f"{name}:{line[0]}", line[1]).check(str(path)), on_error)


def _whole(path: Path) -> Document:
    text = read_text(path)
    if not text.strip():
        raise CorpusError("the file holds nothing but white space", path=path)
    return Document(_name(path), text).check(str(path))


def _name(path: Path) -> str:
    return "stdin" if path == STANDARD_STREAM else Path(content_name(path)).stem
