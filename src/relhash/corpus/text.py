"""Plain text: a document a file, or a document a line. Sentences are found later, in :mod:`relhash.language`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.source import STANDARD_STREAM, content_name, iterate_lines, read_text
from relhash.errors import CorpusError

__all__ = ["read_text_file", "read_text_lines"]


def read_text_file(path: Path, *, on_error: Callable[[CorpusError], None] | None = None) -> Iterator[Document]:
    """The file as one document, called after the file."""
    try:
        text = read_text(path)
        if not text.strip():
            raise CorpusError("the file holds nothing but white space", path=path)
    except CorpusError as error:
        if on_error is None:
            raise
        on_error(error)
        return
    yield Document(_name(path), text).check(str(path))


def read_text_lines(path: Path, *, on_error: Callable[[CorpusError], None] | None = None) -> Iterator[Document]:
    """Each line that is not blank as a document, called after the file and the line number (``abstracts:12``)."""
    name, found = _name(path), False
    for number, line in iterate_lines(path):
        if line.strip():
            found = True
            yield Document(f"{name}:{number}", line).check(str(path))
    if not found:
        raise CorpusError("no documents, only blank lines", path=path)


def _name(path: Path) -> str:
    return "stdin" if path == STANDARD_STREAM else Path(content_name(path)).stem
