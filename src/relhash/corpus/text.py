"""Plain text: one document per file, or one per line. Sentences are found later, in :mod:`relhash.language`.

What the line ends of a plain text mean: that a line was full (wrapped text), or that a sentence is over (titles, a list).

The file does not say which. Wrapped text goes on in the middle of sentences, so most of its lines begin with a small letter,
and they are about as long as the longest: the next word had no room. Lines of a list begin with a capital, and end anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

from relhash.corpus.document import Document, Passage
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.source import UTF8, content_name, filled_lines, head_encoding, read_text
from relhash.errors import CorpusError
from relhash.files import STANDARD_STREAM

LINE = "line"
"""The type of a passage that is a line of a plain text."""
SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*\Z")
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_NARROWEST, _WIDEST = 40, 200
"""Characters of a line between which text is wrapped."""
_CAPITALS = 0.8
"""Share of lines without a small letter at the beginning from which they are no wrapped text."""
_ROOM = 0.8
"""Up to this part of the longest line a wrapped line would have taken the next word."""


def plain_document(identifier: str, text: str) -> Document:
    """The text as a document; its lines are passages if sentences end there and the text does not show it otherwise."""
    return Document(identifier, text, passages=_lines(text))


def _lines(text: str) -> tuple[Passage, ...]:
    found = list(_LINE.finditer(text))
    lines = [match[0] for match in found]
    if len(lines) < 2 or all(map(SENTENCE_END.search, lines[:-1])) or _is_wrapped(lines):
        return ()
    return tuple(Passage(LINE, *match.span()) for match in found)


def _is_wrapped(lines: list[str]) -> bool:
    if sum(line[0].islower() for line in lines[1:]) > (1 - _CAPITALS) * (len(lines) - 1):
        return True
    width = max(map(len, lines))
    if width < _NARROWEST or median(map(len, lines)) > _WIDEST:
        return False
    with_room = sum(len(line) + 1 + len(after.split()[0]) <= _ROOM * width for line, after in pairwise(lines))
    return 2 * with_room < len(lines) - 1


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
        raise CorpusError("the file holds nothing but white space", path)
    return plain_document(_name(path), text).check(str(path))


def _name(path: Path) -> str:
    return "stdin" if path == STANDARD_STREAM else Path(content_name(path)).stem
