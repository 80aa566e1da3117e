"""The documents of the BioNLP protocol: GENIA events of three shared tasks, each text once.

Training text is that of the ``train`` folders only: the development set of 2011 shares papers with that of 2013, which is
tested. An abstract that several tasks give counts once, as the latest task annotated it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from relhash.corpus import Document, read
from relhash.errors import DataMissingError
from relhash.structures.shared_sentences import plain_text

__all__ = ["bionlp_test_documents", "bionlp_training_documents", "distinct_documents"]

YEARS = ("2013", "2011", "2009")


def bionlp_training_documents(root: Path) -> list[Document]:
    """The training documents of 2013, 2011 and 2009 below ``root/bionlp``, without texts of the test set."""
    tested = {plain_text(document.text) for document in bionlp_test_documents(root)}
    given = (replace(document, id=f"{year}/{document.id}") for year in YEARS for document in _folder(root, year, "train"))
    return [document for document in distinct_documents(given) if plain_text(document.text) not in tested]


def bionlp_test_documents(root: Path) -> list[Document]:
    """The development set of 2013."""
    return list(distinct_documents(_folder(root, "2013", "devel")))


def distinct_documents(documents: Iterable[Document]) -> Iterator[Document]:
    """Documents whose text no earlier one has; spacing, punctuation and case of the text do not matter.

    >>> [document.id for document in distinct_documents([Document("a", "Ras binds."), Document("b", "Ras  binds .")])]
    ['a']
    """
    seen: set[str] = set()
    for document in documents:
        text = plain_text(document.text)
        if text not in seen:
            seen.add(text)
            yield document


def _folder(root: Path, year: str, part: str) -> Iterable[Document]:
    path = root / "bionlp" / year / part
    if not path.is_dir():
        raise DataMissingError(
            f"{path}: the BioNLP benchmark needs the GENIA event corpora of the shared tasks of 2009, 2011 and 2013 (folders "
            "bionlp/<year>/train, and bionlp/2013/devel, with .txt, .a1 and .a2 files) below the data folder"
        )
    return read(path, "bionlp")
