"""Which mentions may relate: the candidates that are labelled, learned from and predicted.

A candidate is a set of mentions in roles. Pairs are made here from all mentions of a sentence, or taken from the corpus
where it lists its own; whatever makes candidates with more participants (events) yields the same record.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Protocol

from relhash.corpus.document import Document, Mention, Sentence
from relhash.errors import RelHashWarning, StructureError
from relhash.structures.candidate_policy import FIRST, MAX_PAIRS, SECOND, CandidatePolicy, parse_types
from relhash.structures.closest_pairs import closest_pairs
from relhash.structures.gold import GoldPairs, gold_pairs

__all__ = ["MAX_PAIRS", "Candidate", "CandidateMaker", "CandidatePolicy", "candidates", "parse_types"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Mentions of one document that may relate.

    Parameters
    ----------
    document
        Where they stand.
    sentence
        Number of the sentence of the first mention (0 when the document is not split into sentences).
    mentions
        The participants in surface order, whatever their roles.
    roles
        The role of each participant. Undirected pairs of like entities have ``("e1", "e2")``; in a directed pair ``"e1"`` is
        where the relation starts; in a pair of unlike types ``"e1"`` is the type that the policy names first.
    relations
        Types of the gold relations that join them; none for a negative (or unlabelled) candidate.
    """

    document: Document
    sentence: int
    mentions: tuple[Mention, ...]
    roles: tuple[str, ...]
    relations: tuple[str, ...] = ()

    @property
    def is_positive(self) -> bool:
        return bool(self.relations)

    @property
    def key(self) -> str:
        """Document id and mention ids in the order of their roles: the same in every run, unique in a corpus."""
        participants = sorted(zip(self.roles, (mention.id for mention in self.mentions), strict=True))
        if set(self.roles) <= {FIRST, SECOND}:
            return "|".join([self.document.id, *(mention for _, mention in participants)])
        return "|".join([self.document.id, *(f"{role}={mention}" for role, mention in participants)])

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        participants = ", ".join(f"{role}={mention.text!r}" for role, mention in zip(self.roles, self.mentions, strict=True))
        return f"Candidate({self.document.id}: {participants}; {', '.join(self.relations) or 'no relation'})"


class CandidateMaker(Protocol):
    """A policy that makes candidates of its own kind (see :mod:`relhash.structures.interactions`)."""

    def candidates(self, documents: Iterable[Document]) -> Iterator[Candidate]:
        """The candidates of a corpus, sentence by sentence."""
        ...


def candidates(
    documents: Iterable[Document],
    policy: CandidatePolicy | CandidateMaker | None = None,
    *,
    allow: Callable[[Candidate], bool] | None = None,
) -> Iterator[Candidate]:
    """The candidates of a corpus, document by document, sentence by sentence.

    Where a document lists its candidate pairs (``Document.candidates`` is not ``None``), exactly these, as far as
    ``policy.types`` allows; otherwise all pairs of entities (not triggers) that start in the same sentence, up to
    ``policy.max_pairs_per_sentence``. A policy with a method ``candidates`` makes its own.

    Parameters
    ----------
    allow
        Only candidates of which this is true; others do not count in ``max_pairs_per_sentence`` either.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention, Sentence
    >>> names = [Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf")]
    >>> document = Document("d", "Ras binds Raf .", (Sentence("s", 0, 15),), tuple(names))
    >>> [candidate.key for candidate in candidates([document])]
    ['d|T1|T2']
    """
    policy = policy or CandidatePolicy()
    if isinstance(policy, CandidatePolicy):
        for document in documents:
            yield from _Pairing(document, policy, gold_pairs(document), allow).candidates()
    else:
        yield from filter(allow, policy.candidates(documents)) if allow else policy.candidates(documents)


@dataclass(frozen=True, slots=True)
class _Pairing:
    """Makes the candidates of one document."""

    document: Document
    policy: CandidatePolicy
    gold: GoldPairs
    allow: Callable[[Candidate], bool] | None

    def candidates(self) -> Iterator[Candidate]:
        locate = _SentenceFinder(self.document)
        if self.document.candidates is not None:
            by_id = self.document.mention_by_id
            for pair in self.document.candidates:
                first, second = sorted((by_id[pair.first], by_id[pair.second]), key=surface_order)
                yield from self._of_pair(locate(first), first, second)
            return
        if not self.document.sentences and self.policy.unsplit == "error" and len(self.document.mentions) > 1:
            raise StructureError(
                f"document {self.document.id!r} is not split into sentences; let the model split and parse by itself (relhash "
                "fit --parses embedded, RelationExtractor(parses='embedded')), or take each document as one sentence with "
                "CandidatePolicy(unsplit='document')"
            )
        by_sentence: dict[int, list[Mention]] = {}
        for mention in sorted((m for m in self.document.mentions if not m.is_trigger), key=surface_order):
            by_sentence.setdefault(locate(mention), []).append(mention)
        for number, mentions in sorted(by_sentence.items()):
            if len(mentions) * (len(mentions) + 1) // 2 > self.policy.max_pairs_per_sentence:
                yield from self._closest(number, mentions)
            else:
                pairs = combinations_with_replacement if self.policy.self_pairs else combinations
                for first, second in pairs(mentions, 2):
                    yield from self._of_unlisted_pair(number, first, second)

    def _closest(self, number: int, mentions: Sequence[Mention]) -> Iterator[Candidate]:
        """The candidates of the closest pairs that are any, in surface order; a warning if there are more."""
        document, at_most = self.document, self.policy.max_pairs_per_sentence
        sentence = document.sentences[number] if document.sentences else Sentence(document.id, 0, len(document.text))
        found: dict[tuple[int, int], list[Candidate]] = {}
        for one, other in closest_pairs(mentions, sentence, document.text, with_itself=self.policy.self_pairs):
            made = list(self._of_unlisted_pair(number, mentions[one], mentions[other]))
            if made and len(found) == at_most:
                place = f"document {document.id!r}" + (f", sentence {sentence.id!r}" if document.sentences else "")
                warnings.warn(
                    f"{place}: {len(mentions):,} entities make more than {at_most:,} pairs; only the {at_most:,} closest are "
                    "looked at (--max-pairs, CandidatePolicy.max_pairs_per_sentence)",
                    RelHashWarning,
                    stacklevel=2,
                )
                break
            if made:
                found[one, other] = made
        for _, made in sorted(found.items()):
            yield from made

    def _of_unlisted_pair(self, number: int, first: Mention, second: Mention) -> Iterator[Candidate]:
        if self.policy.self_pairs or not overlap(first, second):
            yield from self._of_pair(number, first, second)

    def _of_pair(self, number: int, first: Mention, second: Mention) -> Iterator[Candidate]:
        """The candidates of two mentions in surface order: none, one, or one a direction."""
        for roles in self.policy.roles(first, second):
            source, target = (first, second) if roles[0] == FIRST else (second, first)
            relations = self.gold.between(source.id, target.id, directed=self.policy.directed)
            candidate = Candidate(self.document, number, (first, second), roles, relations)
            if self.allow is None or self.allow(candidate):
                yield candidate


def surface_order(mention: Mention) -> tuple[tuple[tuple[int, int], ...], str]:
    """Sorts mentions as a reader meets them; of two that start together, the one that ends first."""
    return mention.spans, mention.id


def overlap(first: Mention, second: Mention) -> bool:
    """Whether two mentions have a character in common (nested, identical or crossing)."""
    if first.end <= second.start or second.end <= first.start:
        return False
    return any(a < d and c < b for a, b in first.spans for c, d in second.spans)


class _SentenceFinder:
    """Number of the sentence in which a mention starts."""

    def __init__(self, document: Document) -> None:
        self.document = document
        order = sorted(range(len(document.sentences)), key=lambda number: document.sentences[number].start)
        self.numbers = order
        self.starts = [document.sentences[number].start for number in order]

    def __call__(self, mention: Mention) -> int:
        if not self.starts:
            return 0
        position = bisect_right(self.starts, mention.start) - 1
        if position >= 0:
            number = self.numbers[position]
            if mention.start < self.document.sentences[number].end:
                return number
        raise StructureError(
            f"mention {mention.id!r} ({mention.text!r}) of document {self.document.id!r} lies outside all its sentences; "
            "split the whole text into sentences, or none of it"
        )
