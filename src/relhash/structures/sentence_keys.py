"""Sentences recognised across corpora: how a model remembers what it was trained on without holding the text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from relhash.structures.candidate import Candidate
from relhash.structures.shared_sentences import plain_text


def sentence_key(candidate: Candidate) -> str:
    """Letters and digits of the candidate's sentence: spacing, punctuation and case do not matter."""
    document = candidate.document
    if not document.sentences:
        return plain_text(document.text)
    sentence = document.sentences[candidate.sentence]
    return plain_text(document.text[sentence.start : sentence.end])


def sentence_hashes(candidates: Iterable[Candidate]) -> NDArray[np.uint64]:
    """A 64-bit hash of the sentence of each candidate."""
    before: Candidate | None = None
    hashes: list[int] = []
    for candidate in candidates:
        if before is not None and before.document is candidate.document and before.sentence == candidate.sentence:
            hashes.append(hashes[-1])
            continue
        key = sentence_key(candidate)
        hashes.append(int.from_bytes(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "little"))
        before = candidate
    return np.array(hashes, np.uint64)
