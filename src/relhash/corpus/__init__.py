"""Reading and writing annotated text: one set of records, one reader or writer per file format.

>>> import tempfile
>>> from pathlib import Path
>>> from relhash.corpus import Corpus, Document, Mention, read, write
>>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
>>> file = Path(tempfile.mkdtemp()) / "one.jsonl"
>>> write(Corpus.of([Document("d1", "Ras binds Raf.", mentions=names)]), file)
>>> [[mention.text for mention in document.mentions] for document in read(file)]
[['Ras', 'Raf']]
"""

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
    unlabelled_pairs,
)
from relhash.corpus.formats import FORMATS, Format
from relhash.corpus.read_write import read, stream, write

__all__ = [
    "FORMATS", "Argument", "Attribute", "CandidatePair", "Corpus", "Dependency", "Document", "Format", "Mention", "Passage",
    "Relation", "Sentence", "Token", "read", "stream", "unlabelled_pairs", "write",
]  # fmt: skip
