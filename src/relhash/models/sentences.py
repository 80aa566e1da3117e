"""Sentences recognised across corpora: how a model remembers what it was trained on without holding the text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from relhash.structures.candidates import Candidate

__all__ = ["sentence_hashes", "sentence_key"]

_NOT_LETTERS = re.compile(r"[\W_]+")


def sentence_key(candidate: Candidate) -> str:
    """Letters and digits of the candidate's sentence: spacing, punctuation and case do not matter."""
    document = candidate.document
    if not document.sentences:
        return plain_text(document.text)
    sentence = document.sentences[candidate.sentence]
    return plain_text(document.text[sentence.start : sentence.end])


def plain_text(text: str) -> str:
    """Only the letters and digits, without case.

    >>> plain_text("Ras - binds  RAF.")
    'rasbindsraf'
    """
    return _NOT_LETTERS.sub("", text).casefold()


def sentence_hashes(candidates: Iterable[Candidate]) -> NDArray[np.uint64]:
    """A 64-bit hash of the sentence of each candidate."""
    known: dict[str, int] = {}
    hashes = []
    for candidate in candidates:
        key = sentence_key(candidate)
        if key not in known:
            known[key] = int.from_bytes(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "little")
        hashes.append(known[key])
    return np.array(hashes, np.uint64)
