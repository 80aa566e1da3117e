"""Reading and writing annotated text: one set of records, one reader or writer per file format."""

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
from relhash.corpus.format import Format
from relhash.corpus.formats import FORMATS
from relhash.corpus.labels import unlabelled_pairs
from relhash.corpus.read_write import read, stream, write

__all__ = [
    "FORMATS", "Argument", "Attribute", "CandidatePair", "Corpus", "Dependency", "Document", "Format", "Mention", "Passage",
    "Relation", "Sentence", "Token", "read", "stream", "unlabelled_pairs", "write",
]  # fmt: skip
