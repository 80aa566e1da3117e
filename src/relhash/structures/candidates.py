"""Which mentions may relate: the candidates that are labelled, learned from and predicted.

A candidate is a set of mentions in roles. Pairs are made here from all mentions of a sentence, or taken from the corpus
where it lists its own; whatever makes candidates with more participants (events) yields the same record.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, Protocol

from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError, StructureError
from relhash.structures.gold import gold_pairs
from relhash.structures.symbols import entity_class

__all__ = ["Candidate", "CandidateMaker", "CandidatePolicy", "candidates", "parse_types"]

FIRST, SECOND = "e1", "e2"


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


@dataclass(frozen=True, slots=True)
class CandidatePolicy:
    """Which pairs of mentions are candidates.

    Parameters
    ----------
    types
        Pairs of entity types that may relate, such as ``[("protein", "chemical")]``; ``None`` lets all relate. Names are
        compared without case, and all names of genes and their products are one (see
        :func:`~relhash.structures.symbols.entity_class`).
    directed
        Make two candidates of each pair, one a direction.
    self_pairs
        Also pair a mention with itself and with mentions that overlap it (never left out when the corpus lists them).
    unsplit
        What to do with a document that has no sentences and lists no pairs: ``"error"``, or take the whole ``"document"``
        as one sentence.
    """

    types: Sequence[tuple[str, str]] | None = None
    directed: bool = False
    self_pairs: bool = False
    unsplit: Literal["error", "document"] = "error"

    def __post_init__(self) -> None:
        if self.unsplit not in ("error", "document"):
            raise ParameterError(f"unsplit={self.unsplit!r}: choose 'error' or 'document'")
        if self.types is None:
            return
        pairs = []
        for pair in self.types:
            if isinstance(pair, str) or len(pair) != 2:
                raise ParameterError(f"types: {pair!r} is not a pair of entity types such as ('protein', 'chemical')")
            pairs.append((entity_class(pair[0]), entity_class(pair[1])))
        if not pairs:
            raise ParameterError("types: an empty list lets nothing relate; use None for all types")
        object.__setattr__(self, "types", tuple(pairs))

    def roles(self, first: Mention, second: Mention) -> Iterator[tuple[str, str]]:
        """The roles in which two mentions, in surface order, are candidates; nothing if their types may not relate."""
        forward, backward = self._allows(first, second), self._allows(second, first)
        if self.directed:
            if forward:
                yield FIRST, SECOND
            if backward and first is not second:
                yield SECOND, FIRST
        elif forward:
            yield FIRST, SECOND
        elif backward:
            yield SECOND, FIRST

    def _allows(self, source: Mention, target: Mention) -> bool:
        return self.types is None or (entity_class(source.type), entity_class(target.type)) in self.types


class CandidateMaker(Protocol):
    """A policy that makes candidates of its own kind (see :mod:`relhash.structures.interactions`)."""

    def candidates(self, documents: Iterable[Document]) -> Iterator[Candidate]:
        """The candidates of a corpus, sentence by sentence."""
        ...


def parse_types(text: str) -> list[tuple[str, str]]:
    """Entity types as given on the command line.

    A list of names lets all of them relate with each other; ``a-b`` (or ``a:b``) names one kind of pair.

    >>> parse_types("protein-chemical")
    [('protein', 'chemical')]
    >>> parse_types("protein,chemical")
    [('protein', 'protein'), ('protein', 'chemical'), ('chemical', 'chemical')]
    """
    items = [item.strip() for item in text.split(",") if item.strip()]
    pairs: list[tuple[str, str]] = []
    names: list[str] = []
    for item in items:
        mark = next((mark for mark in ":–-" if mark in item), None)
        if mark is None:
            names.append(item)
            continue
        first, _, second = (part.strip() for part in item.partition(mark))
        if not first or not second:
            raise ParameterError(f"types: {item!r} lacks one side; write for instance protein-chemical")
        pairs.append((first, second))
    pairs += [(first, second) for i, first in enumerate(names) for second in names[i:]]
    if not pairs:
        raise ParameterError("types: name at least one entity type, for instance protein or protein-chemical")
    return pairs


def candidates(documents: Iterable[Document], policy: CandidatePolicy | CandidateMaker | None = None) -> Iterator[Candidate]:
    """The candidates of a corpus, document by document, sentence by sentence.

    Where a document lists its candidate pairs (``Document.candidates`` is not ``None``), exactly these, as far as
    ``policy.types`` allows; otherwise all pairs of entities (not triggers) that start in the same sentence. A policy with
    a method ``candidates`` makes its own.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention, Sentence
    >>> names = [Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf")]
    >>> document = Document("d", "Ras binds Raf .", (Sentence("s", 0, 15),), tuple(names))
    >>> [candidate.key for candidate in candidates([document])]
    ['d|T1|T2']
    """
    policy = policy or CandidatePolicy()
    if not isinstance(policy, CandidatePolicy):
        yield from policy.candidates(documents)
        return
    for document in documents:
        joined = gold_pairs(document)
        for number, first, second in _pairs(document, policy):
            for roles in policy.roles(first, second):
                source, target = (first, second) if roles[0] == FIRST else (second, first)
                relations = joined.between(source.id, target.id, directed=policy.directed)
                yield Candidate(document, number, (first, second), roles, relations)


def _pairs(document: Document, policy: CandidatePolicy) -> Iterator[tuple[int, Mention, Mention]]:
    """Number of the sentence and two mentions in surface order."""
    if document.candidates is not None:
        locate = _SentenceFinder(document)
        for pair in document.candidates:
            first, second = sorted((document.mention_by_id[pair.first], document.mention_by_id[pair.second]), key=surface_order)
            yield locate(first), first, second
        return
    if not document.sentences and policy.unsplit == "error" and len(document.mentions) > 1:
        raise StructureError(
            f"document {document.id!r} is not split into sentences; let the model split and parse by itself (relhash fit "
            "--parses embedded, RelationExtractor(parses='embedded')), or take each document as one sentence with "
            "CandidatePolicy(unsplit='document')"
        )
    locate = _SentenceFinder(document)
    by_sentence: dict[int, list[Mention]] = {}
    for mention in sorted((m for m in document.mentions if not m.is_trigger), key=surface_order):
        by_sentence.setdefault(locate(mention), []).append(mention)
    for number, mentions in sorted(by_sentence.items()):
        if policy.self_pairs:
            for i, first in enumerate(mentions):
                for second in mentions[i:]:
                    yield number, first, second
        else:
            for first, second in combinations(mentions, 2):
                if not overlap(first, second):
                    yield number, first, second


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
