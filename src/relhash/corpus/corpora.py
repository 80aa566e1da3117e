"""Whatever a user calls a corpus, as a stream of documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from relhash.corpus import Corpus, Document, read
from relhash.errors import ParameterError

__all__ = ["CorpusLike", "documents_of"]

CorpusLike = Corpus | str | os.PathLike[str] | Iterable[Document] | Sequence[Corpus | str | os.PathLike[str]]
"""A corpus, documents, a path, or several corpora or paths."""


def documents_of(corpus: CorpusLike) -> Iterator[Document]:
    """The documents, one after the other.

    >>> [document.id for document in documents_of([Document("a", ""), Document("b", "")])]
    ['a', 'b']
    """
    if isinstance(corpus, str | os.PathLike):
        corpus = read(Path(corpus))
    for item in corpus:
        if isinstance(item, Document):
            yield item
        elif isinstance(item, Corpus | str | os.PathLike):
            yield from documents_of(item)
        else:
            raise ParameterError(f"a corpus is made of documents, not of {type(item).__name__}")
