"""Text as it would be if somebody had annotated less, or other things."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from relhash.corpus import Corpus, Document


def without_parses(corpus: Iterable[Document]) -> Corpus:
    return Corpus.of(replace(d, sentences=tuple(replace(s, dependencies=(), parser="") for s in d.sentences)) for d in corpus)


def of_chemicals(corpus: Iterable[Document]) -> Corpus:
    """The same with every entity called a chemical."""
    return Corpus.of(replace(d, mentions=tuple(replace(mention, type="chemical") for mention in d.mentions)) for d in corpus)
