"""Which candidate pairs are not labelled: neither positive nor negative examples.

A listed pair without a relation is a negative example. A spreadsheet may also list pairs whose label is still open; the
document's metadata names them, so that they pass through every format that keeps metadata.
"""

from __future__ import annotations

from relhash.corpus.document import Document

UNLABELLED = "unlabelled_pairs"
"""Key of ``Document.metadata``: ids of the candidate pairs without a label, separated by blanks."""


def unlabelled_pairs(document: Document) -> frozenset[frozenset[str]]:
    """The pairs without a label, each as the set of its mentions' ids.

    >>> from relhash.corpus.document import CandidatePair
    >>> pairs = (CandidatePair("P1", "T1", "T2"), CandidatePair("P2", "T1", "T3"))
    >>> document = Document("d", "", candidates=pairs, metadata={UNLABELLED: "P2"})
    >>> [sorted(pair) for pair in unlabelled_pairs(document)]
    [['T1', 'T3']]
    """
    names = set(document.metadata.get(UNLABELLED, "").split())
    return frozenset(frozenset((pair.first, pair.second)) for pair in document.candidates or () if pair.id in names)
