"""Relations between concepts: what a document states of two database ids, not of two places in its text.

BioRED, BC5CDR and PubTator annotate so. Such a relation is kept as it is stated (``Document.concept_relations``, whose
arguments are ids) and is written back as such. What can be learned from or shown are the sentences that name both: so each also
becomes a relation between every two mentions of the two ids that stand in one sentence. How many have no sentence in common,
and how many name an id that no mention has, is said in a remark.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from relhash.corpus.document import Argument, Document, Mention, Relation, free_id
from relhash.corpus.remarks import Remarks

_DATABASE_ID = re.compile(r"(?:[A-Za-z]+:)?[A-Z]{0,2}\d+")
_NO_ID = {"", "-", "-1"}
_SENTENCE_END = re.compile(r"(?<![ (.][A-Z])(?<!vs)(?<!e\.g)(?<!i\.e)(?<! al)(?<!Fig)[.!?][\"')\]]*\s+(?=[\"'(\[]*[A-Z\d])")
"""Where a sentence ends, for text without sentences: near enough to tell which names stand together."""
_BLANK_LINE = re.compile(r"\n\s*\n")


def split_ids(column: str) -> tuple[str, ...]:
    """The ids in one field; ``|`` separates those of composite mentions, but is also part of the names of variants.

    >>> split_ids("D001241|D006470"), split_ids("c|SUB|C|677|T;rs1801133"), split_ids("-1")
    (('D001241', 'D006470'), ('c|SUB|C|677|T', 'rs1801133'), ())
    """
    ids: list[str] = []
    for part in re.split(r"[;,]", column):
        pieces = [piece.strip() for piece in part.split("|")]
        whole = len(pieces) == 1 or not all(_DATABASE_ID.fullmatch(piece) for piece in pieces)
        ids.extend([part.strip()] if whole else pieces)
    return tuple(identifier for identifier in dict.fromkeys(ids) if identifier not in _NO_ID)


class Concepts:
    """The mentions of a document by their database ids."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._by_id: dict[str, dict[str, Mention]] = {}
        for mention in mentions:
            for identifier in dict.fromkeys(part for given in mention.ids for part in split_ids(given)):
                for name in {identifier, identifier.rpartition(":")[2]}:
                    self._by_id.setdefault(name, {})[mention.id] = mention

    def mentions(self, concept: str) -> list[Mention]:
        """The mentions of an id; of several (``D001241|D006470``) those that have all of them, or else any."""
        parts = split_ids(concept) or (concept,)
        found = [self._by_id.get(part) or self._by_id.get(part.rpartition(":")[2], {}) for part in parts]
        of_all = [mention for name, mention in found[0].items() if all(name in other for other in found)]
        return of_all or list({name: mention for others in found for name, mention in others.items()}.values())

    def joined(self, relation: Relation) -> list[tuple[Mention, Mention]]:
        """The mentions that stand for the two arguments of a relation between concepts, every two of them."""
        first, second = (self.mentions(argument.target) for argument in relation.arguments)
        seen: set[frozenset[str]] = set()
        pairs = []
        for one in first:
            for other in second:
                ends = frozenset((one.id, other.id))
                if ends not in seen and (one.end <= other.start or other.end <= one.start):
                    seen.add(ends)
                    pairs.append((one, other))
        return pairs


def with_mentions_related(document: Document, remarks: Remarks, path: Path, where: int | str) -> Document:
    """The document with relations between mentions for its relations between concepts."""
    if not document.concept_relations:
        return document
    concepts, starts = Concepts(document.entities), _sentence_starts(document)
    taken = {relation.id for relation in (*document.relations, *document.concept_relations)}
    made: list[Relation] = []
    for relation in document.concept_relations:
        if not all(concepts.mentions(argument.target) for argument in relation.arguments):
            detail = " ".join(argument.target for argument in relation.arguments)
            remarks.add("relations about an id that no mention has (kept between ids only)", path, where, detail)
            continue
        together = [pair for pair in concepts.joined(relation) if len({bisect_right(starts, one.start) for one in pair}) == 1]
        if not together:
            remarks.add("relations between ids that no sentence names together (kept between ids only)", path, where)
        for number, pair in enumerate(together, 1):
            ends = tuple(Argument(argument.role, mention.id) for argument, mention in zip(relation.arguments, pair))
            made.append(Relation(free_id(f"{relation.id}.{number}", taken), relation.type, ends))
    return replace(document, relations=(*document.relations, *made))


def not_of_concepts(document: Document) -> tuple[Relation, ...]:
    """The relations between mentions that no relation between concepts states: what a writer of both has left to write."""
    if not document.concept_relations:
        return document.relations
    concepts = Concepts(document.entities)
    covered = {
        (relation.type, *(mention.id for mention in pair))
        for relation in document.concept_relations
        for pair in concepts.joined(relation)
    }
    return tuple(
        relation
        for relation in document.relations
        if relation.trigger is not None or (relation.type, *relation.targets) not in covered
    )


def without_concepts(document: Document) -> Document:
    """The document for formats that only know mentions; attributes of relations between concepts go with them."""
    if not document.concept_relations:
        return document
    dropped = {relation.id for relation in document.concept_relations}
    attributes = tuple(attribute for attribute in document.attributes if attribute.target not in dropped)
    return replace(document, concept_relations=(), attributes=attributes)


def _sentence_starts(document: Document) -> list[int]:
    """Where sentences begin: by the document's sentences, or else by its passages, blank lines and full stops."""
    if document.sentences:
        return sorted({sentence.start for sentence in document.sentences})
    starts = {passage.start for passage in document.passages}
    for pattern in (_SENTENCE_END, _BLANK_LINE):
        starts |= {match.end() for match in pattern.finditer(document.text)}
    return sorted(starts)
