"""Whatever a user calls a corpus, as a stream of documents: documents, files, or plain strings of text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from relhash.corpus.document import Corpus, Document
from relhash.corpus.formats import all_formats
from relhash.corpus.line_ends import plain_document
from relhash.corpus.read_write import stream
from relhash.errors import ParameterError
from relhash.files import STANDARD_STREAM, exists

CorpusLike = Corpus | str | os.PathLike[str] | Iterable[Document] | Sequence[Corpus | str | os.PathLike[str]]
"""A corpus, documents, a path, a text, or several of these."""

_SENTENCE_END = re.compile(r"[.!?]\s")


def documents_of(corpus: CorpusLike) -> Iterator[Document]:
    """The documents, one after the other.

    A string is a text or the name of a file (see :func:`is_text`). A text becomes a document with the id ``text``; in a list,
    ``text0``, ``text1`` and so on by its place. A ``Path`` is always a file or folder.

    >>> [document.id for document in documents_of([Document("a", ""), Document("b", "")])]
    ['a', 'b']
    >>> list(documents_of("RAF1 binds to MEK1."))
    [Document(id='text', text='RAF1 binds to MEK1.', ...)]
    >>> list(documents_of("abstracts.txt"))
    Traceback (most recent call last):
    ...
    relhash.errors.CorpusError: abstracts.txt: there is no such file or folder; check the path
    """
    if isinstance(corpus, str | os.PathLike):
        yield from _one(corpus, "text")
        return
    for number, item in enumerate(corpus):
        if isinstance(item, Document):
            yield item
        elif isinstance(item, Corpus):
            yield from item
        elif isinstance(item, str | os.PathLike):
            yield from _one(item, f"text{number}")
        else:
            raise ParameterError(f"a corpus is made of documents, not of {type(item).__name__}")


def is_text(given: str) -> bool:
    """Whether a string is a text to read, and not the name of a file.

    It is a name if there is such a file (or ``-``, standard input), if it has no blanks in it, or if it is one line that ends
    in the suffix of a format and holds no sentence. Everything else is text. Give a ``Path`` where a name looks like text.

    >>> is_text("RAF1 binds to MEK1."), is_text("abstracts.txt"), is_text("my corpus.xml"), is_text("data/x")
    (True, False, False, False)
    >>> is_text("We saw it. The files are in corpus.xml")
    True
    """
    if given == str(STANDARD_STREAM) or exists(given) or not re.search(r"\s", given):
        return False
    name = given.strip().lower().removesuffix(".gz")
    suffixes = tuple(suffix for known in all_formats() for suffix in known.suffixes)
    return not name.endswith(suffixes) or "\n" in name or bool(_SENTENCE_END.search(name))


def _one(given: str | os.PathLike[str], identifier: str) -> Iterator[Document]:
    if isinstance(given, str):
        if not given.strip():
            raise ParameterError("an empty string is neither a text nor the name of a file")
        if is_text(given):
            yield plain_document(identifier, given)
            return
    yield from stream(Path(given))
