"""What training and test text have in common: documents and sentences that would make a result look better than it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.corpus.document import Document
from relhash.structures.candidate import Candidate
from relhash.structures.sentence_keys import sentence_key
from relhash.structures.shared_sentences import plain_text


@dataclass(frozen=True)
class Leakage:
    """Counts of what is shared: document ids, document texts, sentences (and how many test candidates stand in them)."""

    shared_ids: int
    shared_documents: int
    shared_sentences: int
    affected_candidates: int

    def __str__(self) -> str:
        if not (self.shared_documents or self.shared_sentences):
            return "no sentence of the test text is in the training text"
        return (
            f"{self.shared_sentences} sentences ({self.affected_candidates} candidates) and {self.shared_documents} documents "
            "of the test text are also in the training text"
        )

    def as_dict(self) -> dict[str, int]:
        return {
            "shared_ids": self.shared_ids,
            "shared_documents": self.shared_documents,
            "shared_sentences": self.shared_sentences,
            "affected_candidates": self.affected_candidates,
        }


def leakage(train: Iterable[Candidate], test: Iterable[Candidate]) -> Leakage:
    """Compare the candidates of two corpora; spacing, punctuation and case of the text do not matter."""
    train, test = list(train), list(test)
    train_documents, test_documents = _documents(train), _documents(test)
    train_texts = {plain_text(document.text) for document in train_documents.values()}
    seen = _sentences(train)
    shared = {key for candidate in test if (key := sentence_key(candidate)) in seen}
    return Leakage(
        shared_ids=len(set(train_documents) & set(test_documents)),
        shared_documents=sum(plain_text(document.text) in train_texts for document in test_documents.values()),
        shared_sentences=len(shared),
        affected_candidates=sum(sentence_key(candidate) in shared for candidate in test),
    )


def without_shared(train: Sequence[Candidate], test: Sequence[Candidate]) -> NDArray[np.bool_]:
    """Which test candidates stand in sentences that the training candidates do not have."""
    seen = _sentences(train)
    return np.array([sentence_key(candidate) not in seen for candidate in test], bool)


def _documents(candidates: Iterable[Candidate]) -> dict[str, Document]:
    return {candidate.document.id: candidate.document for candidate in candidates}


def _sentences(candidates: Iterable[Candidate]) -> set[str]:
    return {sentence_key(candidate) for candidate in candidates}
