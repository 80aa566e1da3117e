"""Events with triggers, roles and nesting, as a corpus of pairs: which two proteins does an event join?

====================================================  =================================================================
annotated                                             pairs
====================================================  =================================================================
Binding of A and B                                    A–B
regulation of A, caused by B                          A–B
regulation of an event about A, caused by one of B    A–B: an event inside another stands for its participants
an event about one protein                            none
two names of one protein (``Equiv``)                  each pair with the one, also with the other; not the two together
====================================================  =================================================================

A pair is **negated** if every event that joins it is marked so: of *A does not affect binding of B to C* the pairs A–B and A–C
are negated, B–C is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from relhash.candidates.candidate import FIRST, SECOND
from relhash.candidates.gold import joined_mentions
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Argument, Attribute, Document, Relation, free_id
from relhash.errors import ParameterError

NEGATION = "Negation"
"""The mark of a denied event, or of a denied pair."""

OfNegated = Literal["leave out", "mark", "count"]
"""What becomes of denied pairs: no relation; a relation with the attribute :data:`NEGATION`; a relation like all others."""


def pairs_of_events(
    documents: Iterable[Document],
    *,
    negated: OfNegated = "leave out",
    types: Iterable[str] = ("protein",),
    relation: str = "interaction",
) -> Iterator[Document]:
    """The documents with one undirected relation per joined pair in the place of their events.

    Triggers and entities of other types are left out. All pairs of entities of a sentence are candidates, so the text has to be
    split (a model does that when it reads it); pairs of two sentences then do not count.

    Parameters
    ----------
    negated
        What becomes of pairs whose events are all negated.
    types
        Types of entities to keep, by any of their names.
    relation
        The type of all relations.
    """
    if negated not in ("leave out", "mark", "count"):
        raise ParameterError(f"negated={negated!r}: choose 'leave out', 'mark' or 'count'")
    kept = frozenset(map(entity_class, types))
    for document in documents:
        yield _as_pairs(document, negated, kept, relation)


def negated_relations(document: Document) -> frozenset[str]:
    """Ids of the relations that the annotation marks as negated."""
    return frozenset(attribute.target for attribute in document.attributes if attribute.type == NEGATION)


def _as_pairs(document: Document, negated: OfNegated, types: frozenset[str], relation: str) -> Document:
    mentions = tuple(m for m in document.entities if entity_class(m.type) in types)
    taken = {mention.id for mention in mentions}
    relations: list[Relation] = []
    marks: list[Attribute] = []
    for number, (pair, is_denied) in enumerate(_joined(document, taken).items(), 1):
        if is_denied and negated == "leave out":
            continue
        own_id = free_id(f"R{number}", taken)
        relations.append(Relation(own_id, relation, (Argument(FIRST, pair[0]), Argument(SECOND, pair[1]))))
        if is_denied and negated == "mark":
            marks.append(Attribute(free_id(f"M{number}", taken), NEGATION, own_id))
    groups = (tuple(member for member in group if member in taken) for group in document.equivalences)
    return replace(
        document,
        mentions=mentions,
        relations=tuple(relations),
        candidates=None,
        attributes=tuple(marks),
        equivalences=tuple(group for group in groups if len(group) > 1),
    )


def _joined(document: Document, entities: Iterable[str]) -> dict[tuple[str, str], bool]:
    """The pairs of ``entities`` that events join, in surface order, and whether all of these events are negated."""
    place = {mention.id: (mention.spans, mention.id) for mention in document.mentions}
    known = frozenset(entities)
    same = {(one, other) for group in document.equivalences for one in group for other in group}
    denied = negated_relations(document)
    found: dict[tuple[str, str], bool] = {}
    for event in document.relations:
        for one, other in joined_mentions(event, document):
            if one != other and (one, other) not in same and one in known and other in known:
                first, second = sorted((one, other), key=place.__getitem__)
                found[first, second] = found.get((first, second), True) and event.id in denied
    return dict(sorted(found.items(), key=lambda pair: (place[pair[0][0]], place[pair[0][1]])))
