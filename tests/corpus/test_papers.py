"""Papers are the same whatever a corpus calls its documents."""

from __future__ import annotations

import pytest

from relhash.corpus import Document
from relhash.corpus.document import paper_ids, without_papers_of


@pytest.mark.parametrize(
    ("document", "paper"),
    [
        (Document("10022882", ""), "PMID10022882"),
        (Document("PMID-10022882", ""), "PMID10022882"),
        (Document("10022882.s3", ""), "PMID10022882"),
        (Document("d7", "", metadata={"PMID": " 10022882 "}), "PMID10022882"),
        (Document("BioInfer.d3", "", metadata={"origId": "10995443"}), "PMID10995443"),
        (Document("PMC-1310901-00-TIAB", ""), "PMC1310901"),
    ],
)
def test_ids_of_papers(document: Document, paper: str) -> None:
    assert paper_ids(document) == {paper}


def test_documents_without_a_paper_stay() -> None:
    mine = [Document("text1", ""), Document("12", ""), Document("9000001", "")]
    assert list(without_papers_of(mine, [Document("text1", ""), Document("12", ""), Document("PMID9000001", "")])) == mine[:2]
