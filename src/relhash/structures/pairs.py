"""Pairs of mentions as candidates: by their types, directed or not, and how many of a sentence.

They are made here from all mentions of a sentence, or taken from the corpus where it lists its own.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar, Literal, Self

from relhash.corpus.document import Document, Mention, Sentence
from relhash.errors import ParameterError, RelHashWarning, StructureError
from relhash.structures.candidate import FIRST, SECOND, Candidate, overlap, surface_order
from relhash.structures.cell_markers import marks_cells
from relhash.structures.closest_pairs import closest_pairs
from relhash.structures.gold import GoldPairs, gold_pairs
from relhash.structures.one_direction import one_direction, types_both_ways
from relhash.structures.policies import Allow, CandidatePolicy
from relhash.structures.same_thing import SameThing
from relhash.structures.symbols import entity_class

MAX_PAIRS = 10_000
"""Pairs of a sentence; 141 entities have fewer, and the fullest sentence of the corpora that we know has 28."""


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
        :func:`~relhash.structures.symbols.entity_class`).
    directed
        Make two candidates of each pair, one per direction. A model accepts one of them
        (:mod:`~relhash.structures.one_direction`).
    self_pairs
        Also pair a mention with itself and with mentions that overlap it (never left out when the corpus lists them).
    synonym_pairs
        Also pair two names of one thing, such as a name and its abbreviation (see :mod:`~relhash.structures.same_thing`; never
        left out when the corpus lists them).
    cell_marker_pairs
        Also pair proteins that only name a kind of cell, as *CD4* in "CD4+ T cells" (see
        :mod:`~relhash.structures.cell_markers`; never left out when the corpus lists them).
    unsplit
        What to do with a document that has no sentences and lists no pairs: ``"error"``, or take the whole ``"document"``
        as one sentence.
    max_pairs_per_sentence
        How many pairs a sentence may have. Of a longer list, such as a table that was taken for a sentence, the pairs with the
        fewest tokens between them stay, and a :class:`~relhash.errors.RelHashWarning` says so. Pairs that a corpus lists all
        stay.
    both_ways
        Of a directed policy: types of relations without a direction, of which a model may accept both candidates; learned from
        the training text (:meth:`fitted`). ``None``: nobody has counted, as in older model files; then of all types.
    """

    types: Sequence[tuple[str, str]] | None = None
    directed: bool = False
    self_pairs: bool = False
    unsplit: Literal["error", "document"] = "error"
    max_pairs_per_sentence: int = MAX_PAIRS
    synonym_pairs: bool = False
    cell_marker_pairs: bool = False
    both_ways: Sequence[str] | None = None

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

    def to_dict(self) -> dict[str, Any]:
        own = asdict(self)
        if self.both_ways is None:
            del own["both_ways"]  # programs before it read models of pairs without direction, too
        return {"kind": self.kind, **own}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        own = {name: value for name, value in given.items() if name != "kind"}
        if own["types"] is not None:
            own["types"] = [tuple(pair) for pair in own["types"]]
        return cls(**own)

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
        return self.policy.cell_marker_pairs or not marks_cells(self.document.text, mention)

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
