"""Which paper a document comes from, and leaving out papers that another corpus has too.

A model that was fitted on a paper must not be measured on it, whatever each corpus calls its documents. Papers are known by
their PubMed id (in the metadata ``pmid`` or ``origId``, or as the id of the document itself) or their PubMed Central id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from relhash.corpus.document import Document

_PUBMED = re.compile(r"(?:pmid[:\s_-]*)?(\d{4,8})(?:\D.*)?\Z", re.IGNORECASE)
_CENTRAL = re.compile(r"\A(?:pmcid[:\s_-]*)?PMC[\s_-]*(\d{3,9})", re.IGNORECASE)
_KEYS = ("pmid", "pmcid", "origid", "article-id_pmid", "article-id_pmc")
"""Names of metadata that hold ids, in small letters."""


def paper_ids(document: Document) -> frozenset[str]:
    """The ids of the document's paper, as ``PMID…`` and ``PMC…``; none if it does not say.

    >>> sorted(paper_ids(Document("AIMed.d3", "", metadata={"origId": "11781834"})))
    ['PMID11781834']
    >>> [sorted(paper_ids(Document(name, ""))) for name in ("10022882", "PMC-1310901-00-TIAB", "sentence-7", "text")]
    [['PMID10022882'], ['PMC1310901'], [], []]
    """
    given = [document.id.rpartition("/")[2], *(value for key, value in document.metadata.items() if key.lower() in _KEYS)]
    found = set()
    for text in given:
        if central := _CENTRAL.match(text.strip()):
            found.add(f"PMC{int(central[1])}")
        elif pubmed := _PUBMED.match(text.strip()):
            found.add(f"PMID{int(pubmed[1])}")
    return frozenset(found)


def without_papers_of(documents: Iterable[Document], *others: Iterable[Document]) -> Iterator[Document]:
    """The documents of papers that none of the other corpora has.

    >>> mine, theirs = [Document("10022882", ""), Document("9000001", "")], [Document("d0", "", metadata={"origId": "9000001"})]
    >>> [document.id for document in without_papers_of(mine, theirs)]
    ['10022882']
    """
    seen = {paper for other in others for document in other for paper in paper_ids(document)}
    return (document for document in documents if seen.isdisjoint(paper_ids(document)))
