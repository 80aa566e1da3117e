"""Reading and writing annotated text: one set of records, one reader or writer a file format."""

from relhash.corpus.document import (
    Argument,
    Attribute,
    CandidatePair,
    Corpus,
    Dependency,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    Token,
)

__all__ = [
    "Argument", "Attribute", "CandidatePair", "Corpus", "Dependency", "Document", "Mention", "Passage", "Relation", "Sentence",
    "Token",
]  # fmt: skip
