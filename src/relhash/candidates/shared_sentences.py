"""Sentences that two corpora share, and pairs in them with different labels; hashes by which a model knows its training text.

Sentences are compared by their letters and digits: corpora differ in spacing, case and punctuation. Two pairs are the same if
their mentions lie at the same offsets of such a sentence; those that match only by name and place among the letters, because
spacing differs, are counted apart (``common_pairs_by_name``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import Candidate
from relhash.candidates.pairs import PairPolicy, candidates
from relhash.corpus.document import Document, Mention

_NOT_LETTERS = re.compile(r"[\W_]+")
_Place = tuple[Any, ...]


@dataclass
class SharedSentences:
    """What two corpora share; the names are the keys of ``relhash inspect --against --json``."""

    shared_sentences: int = 0
    common_pairs: int = 0
    opposite_labels: int = 0
    """Pairs of ``common_pairs`` that are positive in one corpus and negative in the other."""
    common_pairs_by_name: int = 0
    """Common pairs when spacing is ignored for the mentions too; at least ``common_pairs``."""
    sentences: list[dict[str, str]] = field(default_factory=list)
    """Text and ids of the shared sentences."""
    opposite: list[dict[str, Any]] = field(default_factory=list)
    """The pairs with opposite labels."""

    def as_dict(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(slots=True)
class _Entry:
    """A sentence of a corpus: its id, its text, and its pairs by their place."""

    id: str
    text: str
    by_offset: dict[_Place, Candidate] = field(default_factory=dict)
    by_name: dict[_Place, Candidate] = field(default_factory=dict)


def plain_text(text: str) -> str:
    """The letters and digits of a text, in lower case.

    >>> plain_text("IL-2, and its Receptor.")
    'il2anditsreceptor'
    """
    return _NOT_LETTERS.sub("", text).casefold()


class SentenceIndex:
    """Sentences of a corpus by their letters and digits, with their pairs; for text that is read for other reasons too."""

    def __init__(self, policy: PairPolicy | None = None) -> None:
        self.policy = policy
        self.entries: dict[str, _Entry] = {}

    @classmethod
    def of(cls, documents: Iterable[Document], policy: PairPolicy | None = None) -> SentenceIndex:
        index = cls(policy)
        for document in documents:
            index.add(document)
        return index

    def add(self, document: Document) -> None:
        """One document more. Of a sentence that was there before the first counts."""
        if not document.sentences and document.candidates is None and document.text:
            from relhash.language.sentences import split_sentences  # loads spaCy, which most corpora do not need

            document = split_sentences(document)
        spans = [(s.id, s.start, s.end) for s in document.sentences] or [(document.id, 0, len(document.text))]
        own: dict[int, _Entry] = {}
        for number, (identifier, start, end) in enumerate(spans):
            text = document.text[start:end]
            key = plain_text(text)
            if key and key not in self.entries:
                own[number] = self.entries[key] = _Entry(identifier, text)
        names: dict[tuple[int, str], _Place] = {}
        for candidate in candidates([document], self.policy):
            entry = own.get(candidate.sentence)
            if entry is not None:
                number, start = candidate.sentence, spans[candidate.sentence][1]
                entry.by_offset.setdefault(_offsets(candidate, start), candidate)
                for mention in candidate.mentions:  # each is in many pairs, and its place among the letters takes a while
                    if (number, mention.id) not in names:
                        names[number, mention.id] = _name(mention, document.text, start)
                place = tuple((names[number, m.id], role) for m, role in zip(candidate.mentions, candidate.roles))
                entry.by_name.setdefault(place, candidate)


def shared_sentences(
    corpus: Iterable[Document] | SentenceIndex, other: Iterable[Document] | SentenceIndex, policy: PairPolicy | None = None
) -> SharedSentences:
    """Compare two corpora, or their indexes. Of a sentence that stands in one of them several times the first counts."""
    mine, theirs = (
        given.entries if isinstance(given, SentenceIndex) else SentenceIndex.of(given, policy).entries
        for given in (corpus, other)
    )
    found = SharedSentences()
    for key, here in mine.items():
        there = theirs.get(key)
        if there is None:
            continue
        found.shared_sentences += 1
        found.sentences.append({"id": here.id, "other_id": there.id, "text": here.text})
        found.common_pairs_by_name += len(here.by_name.keys() & there.by_name.keys())
        for place, pair in here.by_offset.items():
            other_pair = there.by_offset.get(place)
            if other_pair is None:
                continue
            found.common_pairs += 1
            if pair.is_positive != other_pair.is_positive:
                found.opposite_labels += 1
                found.opposite.append(
                    {
                        "pair": pair.key,
                        "other_pair": other_pair.key,
                        "mentions": [mention.text for mention in pair.mentions],
                        "positive": pair.is_positive,
                        "other_positive": other_pair.is_positive,
                        "text": here.text,
                    }
                )
    return found


def _offsets(candidate: Candidate, start: int) -> _Place:
    return tuple(
        (tuple((a - start, b - start) for a, b in m.spans), role) for m, role in zip(candidate.mentions, candidate.roles)
    )


def _name(mention: Mention, text: str, start: int) -> _Place:
    """Where a mention stands among the letters from ``start``, and its own."""
    return len(plain_text(text[start : mention.start])), plain_text(mention.text)


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
