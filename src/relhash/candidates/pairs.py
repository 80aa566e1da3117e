"""Pairs of mentions as candidates: by their types, directed or not, and at most so many of a sentence, the closest first.

They are made of all mentions of a sentence, or taken from the corpus where it lists its own. Both directions of a directed
pair are candidates; of two that a model accepts the surer stays, unless their type has no direction (binding). Which types
have none is counted in training text: of BioNLP all 374 pairs of a binding run both ways, of 1,701 others 14
(``benchmarks/both_ways.py``).
"""

from __future__ import annotations

import heapq
import warnings
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, islice
from typing import Any, ClassVar, Literal, Self

from relhash.candidates.candidate import FIRST, SECOND, Candidate, overlap, surface_order
from relhash.candidates.gold import GoldPairs, gold_pairs
from relhash.candidates.policies import Allow, CandidatePolicy
from relhash.candidates.same_thing import SameThing
from relhash.candidates.symbols import entity_class, only_marks_cells, split_words
from relhash.codec import LATER
from relhash.corpus.document import Document, Mention, Sentence
from relhash.errors import ParameterError, RelHashWarning, StructureError


def closest_pairs(
    mentions: Sequence[Mention], sentence: Sentence, text: str, *, with_itself: bool = False
) -> Iterator[tuple[int, int]]:
    """Numbers of two mentions by the tokens between them, the fewest first; of equals, those further to the left.

    ``mentions`` stand in surface order. The first pairs come at once, however many there are.

    >>> names = [Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"),
    ...          Mention("T3", "protein", ((14, 17),), "MEK")]
    >>> list(closest_pairs(names, Sentence("s", 0, 17), "Ras binds Raf MEK"))
    [(1, 2), (0, 1), (0, 2)]
    """
    tokens = sentence.tokens or tuple(split_words(text, sentence.start, sentence.end))
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    first_token = [bisect_right(ends, mention.start) for mention in mentions]
    last_token = [bisect_left(starts, mention.end) - 1 for mention in mentions]

    def entry(one: int, other: int) -> tuple[int, int, int]:
        return max(0, first_token[other] - last_token[one]), one, other

    # of the pairs with one left mention each further right one is as far or farther: one of them at a time is enough
    step = 0 if with_itself else 1
    heap = [entry(one, one + step) for one in range(len(mentions) - step)]
    heapq.heapify(heap)
    while heap:
        _, one, other = heap[0]
        yield one, other
        if other + 1 < len(mentions):
            heapq.heapreplace(heap, entry(one, other + 1))
        else:
            heapq.heappop(heap)


MOSTLY = 0.5
"""Share of its pairs that a type has to join both ways to count as one without direction."""
ALIKE = 1.6
"""How many times the odds of one direction those of the other may be, if neither is meant. Chosen on training documents of
BioNLP 2013, by a model of 40 others and one of 110 of 2009: mean F1 0.444, and 0.441 by the type alone, 0.424 if one direction
is always left out, 0.417 if never."""
_SOFTENING = 0.01  # a forest may vote 0 or 1, whose odds are infinite


def types_both_ways(documents: Iterable[Document]) -> tuple[str, ...] | None:
    """The types of relations that have no direction in annotated text, sorted; ``None`` if no relation is annotated.

    >>> from relhash.corpus import Argument, Mention, Relation
    >>> names = tuple(Mention(f"T{n}", "protein", ((4 * n, 4 * n + 3),), name) for n, name in enumerate(["Ras", "Raf"]))
    >>> there = Relation("E1", "Regulation", (Argument("Cause", "T0"), Argument("Theme", "T1")))
    >>> both = Relation("E2", "Binding", (Argument("Theme", "T0"), Argument("Theme2", "T1")))
    >>> types_both_ways([Document("d", "Ras Raf", mentions=names, relations=(there, both))])
    ('Binding',)
    """
    pairs, returned = counts_by_type(documents)
    return tuple(sorted(name for name in pairs if returned[name] >= MOSTLY * pairs[name])) if pairs else None


def counts_by_type(documents: Iterable[Document]) -> tuple[Counter[str], Counter[str]]:
    """How many pairs of entities each type joins, and how many of these both ways."""
    pairs: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    for document in documents:
        gold, names = gold_pairs(document), {mention.id for mention in document.entities}
        joined = {frozenset(pair) for pair in gold.pairs() if names.issuperset(pair)}
        for one, other in (pair for pair in joined if len(pair) == 2):
            there, back = set(gold.between(one, other, directed=True)), set(gold.between(other, one, directed=True))
            pairs.update(there | back)
            returned.update(there & back)
    return pairs, returned


def one_direction(
    found: Sequence[Candidate],
    scores: Sequence[float],
    accepted: Sequence[bool],
    relations: Sequence[str],
    both_ways: Collection[str],
) -> list[bool]:
    """Which of the ``accepted`` candidates stay: of two that only differ in direction, the surer.

    Both stay if they are of one type, that is among ``both_ways``, and their ``scores``, which lie between 0 and 1, are
    :data:`ALIKE`. Of two equal scores the first participant of the sentence acts.

    >>> from relhash.corpus import Mention
    >>> names = Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((14, 17),), "Raf")
    >>> document = Document("d", "Ras activates Raf", mentions=names)
    >>> there, back = (Candidate(document, 0, names, roles) for roles in (("e1", "e2"), ("e2", "e1")))
    >>> one_direction([there, back], [0.6, 0.3], [True, True], ["Regulation"] * 2, both_ways=["Binding"])
    [True, False]
    """
    best: dict[tuple[object, ...], int] = {}
    kept = list(accepted)
    # ties by roles, so that the order of the candidates does not matter
    for number in sorted((n for n in range(len(found)) if accepted[n]), key=lambda n: (-scores[n], found[n].roles)):
        one = found[number]
        surer = best.setdefault((id(one.document), *sorted(mention.id for mention in one.mentions)), number)
        has_no_direction = relations[number] == relations[surer] and relations[number] in both_ways
        kept[number] = one.roles == found[surer].roles or (
            has_no_direction and _odds(scores[surer]) <= ALIKE * _odds(scores[number])
        )
    return kept


def _odds(score: float) -> float:
    return (score + _SOFTENING) / (1 + _SOFTENING - score)


MAX_PAIRS = 500
"""Pairs of a sentence; 32 entities have fewer, and the fullest sentence of the corpora that we know has 28. No person reads the
pairs of a longer list, and their number grows with its square."""
_LOOKED_AT = 20
"""So many times as many pairs of a long list are looked at until as many candidates are found."""
_MAX_PAIRS_OF_0_2 = 10_000
"""What files of release 0.2 hold where no bound was chosen."""


@dataclass(frozen=True, slots=True)
class PairPolicy(CandidatePolicy):
    """Which pairs of mentions are candidates.

    Where a document lists its candidate pairs (``Document.candidates`` is not ``None``) these are exactly the candidates, as
    far as ``types`` allows; otherwise all pairs of entities (not triggers) that start in the same sentence.

    Parameters
    ----------
    types
        Pairs of entity types that may relate, such as ``[("protein", "chemical")]``; ``None`` lets all relate. Names are
        compared without case, and all names of genes and their products are one (see
        :func:`~relhash.candidates.symbols.entity_class`).
    directed
        Make two candidates of each pair, one per direction. A model accepts one of them
        (:mod:`~relhash.candidates.pairs`).
    self_pairs
        Also pair a mention with itself and with mentions that overlap it (never left out when the corpus lists them).
    synonym_pairs
        Also pair two names of one thing, such as a name and its abbreviation (see :mod:`~relhash.candidates.same_thing`; never
        left out when the corpus lists them).
    cell_marker_pairs
        Also pair proteins that only name a kind of cell, as *CD4* in "CD4+ T cells" (see
        :func:`~relhash.candidates.symbols.only_marks_cells`; never left out when the corpus lists them).
    unsplit
        What to do with a document that has no sentences and lists no pairs: ``"error"``, or take the whole ``"document"``
        as one sentence.
    max_pairs_per_sentence
        How many pairs a sentence may have. Of a longer list, such as a table that was taken for a sentence, the pairs with the
        fewest tokens between them stay, and a :class:`~relhash.errors.RelHashWarning` says so. Pairs that a corpus lists all
        stay.
    both_ways
        Of a directed policy: types of relations without a direction, of which a model may accept both candidates; learned from
        the training text (:meth:`fitted`). ``None``: not counted, as in older model files; then of all types.
    """

    types: Sequence[tuple[str, str]] | None = None
    directed: bool = False
    self_pairs: bool = False
    unsplit: Literal["error", "document"] = "error"
    max_pairs_per_sentence: int = MAX_PAIRS
    synonym_pairs: bool = False
    cell_marker_pairs: bool = False
    both_ways: Sequence[str] | None = field(default=None, metadata=LATER)

    kind: ClassVar[str] = "pairs"

    def __post_init__(self) -> None:
        if self.max_pairs_per_sentence < 1:
            raise ParameterError(f"max_pairs_per_sentence={self.max_pairs_per_sentence}: at least 1")
        if self.unsplit not in ("error", "document"):
            raise ParameterError(f"unsplit={self.unsplit!r}: choose 'error' or 'document'")
        if self.both_ways is not None:
            object.__setattr__(self, "both_ways", tuple(self.both_ways))
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

    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        for document in documents:
            yield from _Pairing(document, self, gold_pairs(document), allow, SameThing(document)).candidates()

    def fitted(self, documents: Iterable[Document]) -> Self:
        """The policy that knows which types of relations have no direction in the training text, if it tells directions."""
        return replace(self, both_ways=types_both_ways(documents)) if self.directed and self.both_ways is None else self

    @property
    def needs_sentences(self) -> bool:
        return self.unsplit == "error"

    def asks_for_ids(self, document: Document) -> bool:
        return document.candidates is None

    @property
    def settles_types(self) -> bool:
        return self.types is not None

    def for_unsplit_text(self) -> PairPolicy:
        return replace(self, unsplit="document")

    def is_directed(self, candidate: Candidate) -> bool:
        return self.directed

    def consistent(
        self, found: Sequence[Candidate], scores: Sequence[float], accepted: Sequence[bool], relations: Sequence[str]
    ) -> list[bool]:
        if not self.directed or self.both_ways is None:
            return list(accepted)
        return one_direction(found, scores, accepted, relations, self.both_ways)

    def with_max_pairs(self, at_most: int) -> PairPolicy:
        """The policy with another bound on the pairs of a sentence.

        >>> PairPolicy().with_max_pairs(50).max_pairs_per_sentence
        50
        """
        return replace(self, max_pairs_per_sentence=at_most)

    @classmethod
    def upgraded(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The bound of version 0.2, where none was chosen, is that of today."""
        if given.get("max_pairs_per_sentence") != _MAX_PAIRS_OF_0_2:
            return given
        return {name: value for name, value in given.items() if name != "max_pairs_per_sentence"}

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


@dataclass(frozen=True, slots=True)
class _Pairing:
    """Makes the candidates of one document."""

    document: Document
    policy: PairPolicy
    gold: GoldPairs
    allow: Allow | None
    same_thing: SameThing

    def candidates(self) -> Iterator[Candidate]:
        locate = _SentenceFinder(self.document)
        if self.document.candidates is not None:
            by_id = self.document.mention_by_id
            for pair in self.document.candidates:
                first, second = sorted((by_id[pair.first], by_id[pair.second]), key=surface_order)
                yield from self._of_pair(locate(first), first, second)
            return
        if not self.document.sentences and self.policy.unsplit == "error" and len(self.document.entities) > 1:
            raise StructureError(
                f"document {self.document.id!r} is not split into sentences; let the model split and parse by itself (relhash "
                "fit --parses embedded, RelationExtractor(parses='embedded')), or take each document as one sentence with "
                "PairPolicy(unsplit='document')"
            )
        by_sentence: dict[int, list[Mention]] = {}
        for mention in sorted(filter(self._takes_part, self.document.entities), key=surface_order):
            by_sentence.setdefault(locate(mention), []).append(mention)
        for number, mentions in sorted(by_sentence.items()):
            if len(mentions) * (len(mentions) + 1) // 2 > self.policy.max_pairs_per_sentence:
                yield from self._closest(number, mentions)
            else:
                pairs = combinations_with_replacement if self.policy.self_pairs else combinations
                for first, second in pairs(mentions, 2):
                    yield from self._of_unlisted_pair(number, first, second)

    def _takes_part(self, mention: Mention) -> bool:
        return self.policy.cell_marker_pairs or not only_marks_cells(self.document.text, mention)

    def _closest(self, number: int, mentions: Sequence[Mention]) -> Iterator[Candidate]:
        """The candidates of the closest pairs that are any, in surface order; a warning if there are more."""
        document, at_most = self.document, self.policy.max_pairs_per_sentence
        sentence = document.sentences[number] if document.sentences else Sentence(document.id, 0, len(document.text))
        found: dict[tuple[int, int], list[Candidate]] = {}
        nearest = closest_pairs(mentions, sentence, document.text, with_itself=self.policy.self_pairs)
        # most pairs of one name that is said again and again are no candidates, and there are as many
        for one, other in islice(nearest, _LOOKED_AT * at_most):
            made = list(self._of_unlisted_pair(number, mentions[one], mentions[other]))
            if made and len(found) == at_most:
                place = f"document {document.id!r}" + (f", sentence {sentence.id!r}" if document.sentences else "")
                warnings.warn(
                    f"{place}: {len(mentions):,} entities make more than {at_most:,} pairs; only the {at_most:,} closest are "
                    "looked at (--max-pairs, PairPolicy.max_pairs_per_sentence)",
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
            for candidate in self._of_pair(number, first, second):
                # asked last: most pairs of a long sentence are of types that may not relate
                if self.policy.self_pairs or self.policy.synonym_pairs or self.same_thing(first, second) is None:
                    yield candidate

    def _of_pair(self, number: int, first: Mention, second: Mention) -> Iterator[Candidate]:
        """The candidates of two mentions in surface order: none, one, or one per direction."""
        for roles in self.policy.roles(first, second):
            source, target = (first, second) if roles[0] == FIRST else (second, first)
            relations = self.gold.between(source.id, target.id, directed=self.policy.directed)
            candidate = Candidate(self.document, number, (first, second), roles, relations)
            if self.allow is None or self.allow(candidate):
                yield candidate


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


def candidates(
    documents: Iterable[Document], policy: CandidatePolicy | None = None, *, allow: Allow | None = None
) -> Iterator[Candidate]:
    """The candidates of a corpus, document by document, sentence by sentence.

    Parameters
    ----------
    policy
        What makes them; all pairs of entities of a sentence (:class:`~relhash.candidates.pairs.PairPolicy`) by default.
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
    return (policy or PairPolicy()).candidates(documents, allow)
