"""Interactions as events of a document, nested where one is about another, to be written as BioNLP ``.a2`` or brat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from relhash.corpus.answers import without_answers
from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation
from relhash.errors import StructureError
from relhash.structures.candidate import Candidate
from relhash.structures.direction import CAUSE, SITE, THEME, THEME2
from relhash.structures.interactions.nesting import Plan, plans_of

_NAMES = ((THEME, "Theme"), (THEME2, "Theme2"), (SITE, "Site"))


def with_interactions(
    document: Document, accepted: Iterable[Candidate], marks: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> Document:
    """The document with the ``accepted`` interaction candidates as its events, and no others.

    A regulation is nested around another event on its own theme, or cause, if that event's trigger lies on the way from the
    regulation's trigger to the entity (:mod:`relhash.structures.interactions.nesting`): *IL-4 induced expression of FOXP3*
    becomes a ``Positive_regulation`` of the ``Gene_expression``. A cause of an event that the shared task gives none (a
    binding, an expression) is that of a ``Positive_regulation`` around it: of one that is there, else of one by the same
    trigger word. Reading the file back states the same interactions.

    Parameters
    ----------
    marks
        Attributes (name, value) of the events of a candidate, by :attr:`Candidate.key`: negation, speculation, a probability.

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
    found = list(accepted)
    for candidate in found:
        if candidate.document.id != document.id:
            raise StructureError(f"candidate {candidate.key!r} is not of document {document.id!r}")
    given = without_answers(document)
    events = _Events({mention.id for mention in given.mentions})
    for plan in plans_of(found):
        events.add(plan, (marks or {}).get(plan.key, ()))
    return replace(
        given,
        mentions=(*given.mentions, *events.triggers.values()),
        relations=tuple(events.relations.values()),
        candidates=None,
        attributes=(*given.attributes, *events.attributes),
    ).check()


class _Events:
    """Events and triggers that grow with each plan; equal ones are kept once."""

    def __init__(self, taken: set[str]) -> None:
        self.triggers: dict[tuple[str, int, int], Mention] = {}
        self.relations: dict[tuple[str, str, tuple[Argument, ...]], Relation] = {}
        self.attributes: list[Attribute] = []
        self._of_plan: dict[int, Relation] = {}
        numbers = [int(name[1:]) for name in taken if name[:1] == "T" and name[1:].isdecimal()]
        self._next = max(numbers, default=0) + 1

    def add(self, plan: Plan, marks: Sequence[tuple[str, str]]) -> None:
        arguments = [Argument(name, plan.roles[role]) for role, name in _NAMES if role in plan.roles]
        if THEME in plan.inner:
            arguments = [Argument("Theme", self._of_plan[id(plan.inner[THEME])].id), *arguments[1:]]
        cause = self._of_plan[id(plan.inner[CAUSE])].id if CAUSE in plan.inner else plan.roles.get(CAUSE)
        if cause is not None and plan.own_cause:
            arguments.append(Argument("Cause", cause))
        event = self._event(plan.kind, plan.word, arguments)
        self._of_plan[id(plan)] = event
        if cause is not None and not plan.own_cause:
            outer = [Argument("Theme", event.id), Argument("Cause", cause)]
            event = self._event("Positive_regulation", plan.word, outer)
        for name, value in marks:
            identifier = f"M{len(self.attributes) + 1}"
            self.attributes.append(Attribute(identifier, name, event.id, value))

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
