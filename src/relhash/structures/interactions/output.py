"""Interactions as events of a document, to be written as BioNLP ``.a2`` and scored with the shared task's tools."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from relhash.corpus.document import Argument, Document, Mention, Relation
from relhash.errors import StructureError
from relhash.structures.candidate import TRIGGER, Candidate
from relhash.structures.interactions.candidate import interaction_type, participants
from relhash.structures.interactions.gold import CAUSE, SITE, THEME, THEME2

__all__ = ["with_interactions"]

REGULATIONS = frozenset({"Regulation", "Positive_regulation", "Negative_regulation"})
MODIFICATIONS = frozenset({"Phosphorylation", "Ubiquitination", "Acetylation", "Deacetylation", "Protein_modification"})
"""Types whose events may have a Cause of their own (GENIA 2013); others are given one by a Positive_regulation around them."""


def with_interactions(document: Document, accepted: Iterable[Candidate]) -> Document:
    """The document with the ``accepted`` interaction candidates as its events, and no others.

    A cause of an event that the shared task gives none (a binding, an expression) becomes the cause of a
    ``Positive_regulation`` of this event by the same trigger word; reading the file back states the same interaction.

    Examples
    --------
    >>> from relhash.structures.interactions import interaction_candidate, trigger_mention
    >>> names = Mention("T1", "Protein", ((0, 3),), "Ras"), Mention("T2", "Protein", ((19, 22),), "Raf")
    >>> document = Document("d", "Ras phosphorylates Raf", mentions=names)
    >>> trigger = trigger_mention("Phosphorylation", 4, 18, "phosphorylates")
    >>> candidate = interaction_candidate(document, 0, trigger, {"cause": names[0], "theme": names[1]})
    >>> with_interactions(document, [candidate]).relations[0]
    Relation(id='E1', type='Phosphorylation',
             arguments=(Argument(role='Theme', target='T2'), Argument(role='Cause', target='T1')), trigger='T3')
    """
    triggers = {relation.trigger for relation in document.relations}
    given = [mention for mention in document.mentions if not mention.is_trigger and mention.id not in triggers]
    events = _Events({mention.id for mention in given})
    for candidate in accepted:
        if candidate.document.id != document.id:
            raise StructureError(f"candidate {candidate.key!r} is not of document {document.id!r}")
        events.add(candidate)
    return replace(
        document,
        mentions=(*given, *events.triggers.values()),
        relations=tuple(events.relations.values()),
        candidates=None,
        attributes=tuple(a for a in document.attributes if a.target in {mention.id for mention in given}),
    ).check()


class _Events:
    """Events and triggers that grow with each candidate; equal ones are kept once."""

    def __init__(self, taken: set[str]) -> None:
        self.triggers: dict[tuple[str, int, int], Mention] = {}
        self.relations: dict[tuple[str, str, tuple[Argument, ...]], Relation] = {}
        numbers = [int(name[1:]) for name in taken if name[:1] == "T" and name[1:].isdecimal()]
        self._next = max(numbers, default=0) + 1

    def add(self, candidate: Candidate) -> None:
        kind, roles = interaction_type(candidate), participants(candidate)
        word = candidate.mentions[candidate.roles.index(TRIGGER)]
        arguments = [Argument(name, roles[role].id) for role, name in _NAMES if role in roles]
        if CAUSE not in roles:
            self._event(kind, word, arguments)
        elif kind in REGULATIONS or kind in MODIFICATIONS:
            self._event(kind, word, [*arguments, Argument("Cause", roles[CAUSE].id)])
        else:
            inner = self._event(kind, word, arguments)
            self._event("Positive_regulation", word, [Argument("Theme", inner.id), Argument("Cause", roles[CAUSE].id)])

    def _event(self, kind: str, word: Mention, arguments: list[Argument]) -> Relation:
        place = (kind, word.start, word.end)
        if place not in self.triggers:
            self.triggers[place] = replace(word, id=f"T{self._next}", type=kind)
            self._next += 1
        trigger = self.triggers[place].id
        key = (kind, trigger, tuple(arguments))
        if key not in self.relations:
            self.relations[key] = Relation(f"E{len(self.relations) + 1}", kind, tuple(arguments), trigger)
        return self.relations[key]


_NAMES = ((THEME, "Theme"), (THEME2, "Theme2"), (SITE, "Site"))
