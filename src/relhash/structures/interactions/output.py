"""Interactions as events of a document, nested where one is about another, to be written as BioNLP ``.a2`` or brat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from relhash.corpus.answers import without_answers
from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation
from relhash.errors import StructureError
from relhash.structures.candidate import TRIGGER, Candidate
from relhash.structures.direction import CAUSE, SITE, THEME, THEME2
from relhash.structures.interactions.candidate import interaction_type, participants
from relhash.structures.interactions.triggers import REGULATIONS
from relhash.structures.stage import Stage

__all__ = ["with_interactions"]

MODIFICATIONS = frozenset({"Phosphorylation", "Ubiquitination", "Acetylation", "Deacetylation", "Protein_modification"})
"""Types whose events may have a Cause of their own (GENIA 2013); others are given one by a Positive_regulation around them."""
_NAMES = ((THEME, "Theme"), (THEME2, "Theme2"), (SITE, "Site"))


def with_interactions(
    document: Document, accepted: Iterable[Candidate], marks: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> Document:
    """The document with the ``accepted`` interaction candidates as its events, and no others.

    A regulation is nested around another event on its own theme, if that event's trigger lies on the path from the regulation's
    trigger to the theme: *IL-4 induced expression of FOXP3* becomes a ``Positive_regulation`` of the ``Gene_expression``. A
    cause of an event that the shared task gives none (a binding, an expression) is that of a ``Positive_regulation`` around it:
    of one that is there, else of one by the same trigger word. Reading the file back states the same interactions.

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
    plans = _plans(found)
    for plan in plans:
        events.add(plan, (marks or {}).get(plan.key, ()))
    return replace(
        given,
        mentions=(*given.mentions, *events.triggers.values()),
        relations=tuple(events.relations.values()),
        candidates=None,
        attributes=(*given.attributes, *events.attributes),
    ).check()


@dataclass(slots=True)
class _Plan:
    """An event to be written: a candidate's, and the one that it is nested around."""

    key: str
    kind: str
    word: Mention
    roles: dict[str, str]
    inner: _Plan | None = None
    is_needed: bool = True

    @property
    def own_cause(self) -> bool:
        return self.kind in REGULATIONS or self.kind in MODIFICATIONS


def _plans(found: Sequence[Candidate]) -> list[_Plan]:
    """The events of the candidates, those first that others are nested around."""
    plans: list[_Plan] = []
    stages: dict[int, Stage] = {}
    for candidate in found:
        word = candidate.mentions[candidate.roles.index(TRIGGER)]
        roles = {role: mention.id for role, mention in participants(candidate).items()}
        plans.append(_Plan(candidate.key, interaction_type(candidate), word, roles))
    fuller = {(plan.kind, plan.word.spans, plan.roles.get(THEME)) for plan in plans if len(plan.roles) > 1}
    for plan in plans:
        if len(plan.roles) == 1 and (plan.kind, plan.word.spans, plan.roles.get(THEME)) in fuller:
            plan.is_needed = False  # a fuller event says the same
    for candidate, plan in zip(found, plans, strict=True):
        if plan.kind in REGULATIONS and plan.is_needed:
            if candidate.sentence not in stages:
                stages[candidate.sentence] = Stage(candidate.document, candidate.sentence)
            plan.inner = _nested(candidate, plan, plans, stages[candidate.sentence])
    for plan in plans:
        inner = plan.inner
        if inner is None or inner.own_cause or plan.kind != "Positive_regulation":
            continue
        if inner.roles.get(CAUSE, "") == plan.roles.get(CAUSE):  # the regulation around it says so
            inner.roles = {role: member for role, member in inner.roles.items() if role != CAUSE}
    ordered: list[_Plan] = []
    for plan in plans:
        if plan.is_needed:
            _put(plan, ordered)
    return ordered


def _put(plan: _Plan, ordered: list[_Plan]) -> None:
    if not any(plan is other for other in ordered):
        if plan.inner is not None:
            _put(plan.inner, ordered)
        ordered.append(plan)


def _nested(candidate: Candidate, plan: _Plan, plans: Sequence[_Plan], stage: Stage) -> _Plan | None:
    """The event nearest to the regulation's trigger, on its path to the theme, that is about this theme."""
    if not stage.is_parsed or THEME not in plan.roles:
        return None
    theme = participants(candidate)[THEME]
    path = stage.graph.shortest_path(stage.tokens_of(plan.word), stage.tokens_of(theme)).tokens
    for token in path:
        for other in plans:
            if (
                other is not plan
                and other.is_needed
                and other.word.spans != plan.word.spans
                and token in stage.tokens_of(other.word)
                and plan.roles[THEME] in (other.roles.get(THEME), other.roles.get(THEME2))
                and plan.roles.get(CAUSE) not in (other.roles.get(THEME), other.roles.get(THEME2))
                and _covers(plan, other, plans)
                and not _contains(other, plan)
            ):
                return other
    return None


def _covers(plan: _Plan, inner: _Plan, plans: Sequence[_Plan]) -> bool:
    """Whether the same regulation was accepted of every theme of the inner event: nested, it is about all of them."""
    themes = {inner.roles[role] for role in (THEME, THEME2) if role in inner.roles}
    said = {
        other.roles.get(THEME)
        for other in plans
        if (other.kind, other.word.spans, other.roles.get(CAUSE)) == (plan.kind, plan.word.spans, plan.roles.get(CAUSE))
    }
    return themes <= said


def _contains(outer: _Plan, inner: _Plan) -> bool:
    return outer.inner is not None and (outer.inner is inner or _contains(outer.inner, inner))


class _Events:
    """Events and triggers that grow with each plan; equal ones are kept once."""

    def __init__(self, taken: set[str]) -> None:
        self.triggers: dict[tuple[str, int, int], Mention] = {}
        self.relations: dict[tuple[str, str, tuple[Argument, ...]], Relation] = {}
        self.attributes: list[Attribute] = []
        self._of_plan: dict[int, Relation] = {}
        numbers = [int(name[1:]) for name in taken if name[:1] == "T" and name[1:].isdecimal()]
        self._next = max(numbers, default=0) + 1

    def add(self, plan: _Plan, marks: Sequence[tuple[str, str]]) -> None:
        arguments = [Argument(name, plan.roles[role]) for role, name in _NAMES if role in plan.roles]
        if plan.inner is not None:
            arguments = [Argument("Theme", self._of_plan[id(plan.inner)].id), *arguments[1:]]
        cause = plan.roles.get(CAUSE)
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
