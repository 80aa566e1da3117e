"""Interactions as events of a document, nested where one is about another, to be written as BioNLP ``.a2`` or brat.

Candidates are flat: *IL-4 induced expression of FOXP3* is an induction of FOXP3 by IL-4, and an expression of FOXP3. An event
is the theme, or the cause, of a regulation in the place of the entity that both are about if its trigger lies on the way from
the regulation's trigger to this entity, or makes that way little longer. Of several it is the one that makes it least so, and
of these the nearest to the regulation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.gold import CAUSE, SITE, THEME, THEME2
from relhash.candidates.scene import Stage
from relhash.candidates.statements.candidate import interaction_type, participants
from relhash.candidates.statements.triggers import REGULATIONS
from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation, without_answers
from relhash.errors import StructureError

MODIFICATIONS = frozenset({"Phosphorylation", "Ubiquitination", "Acetylation", "Deacetylation", "Protein_modification"})
"""Types whose events may have a Cause of their own (GENIA 2013); others are given one by a Positive_regulation around them."""
DETOUR = 2
"""So many steps longer may the way to an entity be by the trigger of the event that is about it."""
STATES_INNER_CAUSE = "Positive_regulation"
"""What induces an expression is the cause of the expression; what inhibits it is not."""


@dataclass(slots=True)
class Plan:
    """An event to be written: that of the candidate ``key``, with the events that stand for entities in its roles."""

    key: str
    kind: str
    word: Mention
    roles: dict[str, str]
    inner: dict[str, Plan] = field(default_factory=dict)
    is_needed: bool = True

    @property
    def own_cause(self) -> bool:
        return self.kind in REGULATIONS or self.kind in MODIFICATIONS

    @property
    def themes(self) -> set[str]:
        return {self.roles[role] for role in (THEME, THEME2) if role in self.roles}


@dataclass(frozen=True, slots=True)
class Way:
    """The way from the trigger of a regulation to an entity: how far all tokens are from its two ends, and how long it is."""

    stage: Stage
    to_word: Sequence[int]
    to_entity: Sequence[int]
    straight: int

    @classmethod
    def between(cls, stage: Stage, word: Mention, entity: Mention) -> Way | None:
        """``None`` where the sentence is not parsed, or nothing joins the two."""
        if not stage.is_parsed:
            return None
        tokens = stage.tokens_of(word)
        to_word, to_entity = stage.graph.distances(tokens), stage.graph.distances(stage.tokens_of(entity))
        straight = min((to_entity[token] for token in tokens if to_entity[token] >= 0), default=-1)
        return None if straight < 0 else cls(stage, to_word, to_entity, straight)

    def by(self, word: Mention, *, nearer: bool = False) -> tuple[int, int] | None:
        """How long the way is by another trigger, and the first part of it; ``None`` if that is much longer, or not nearer."""
        ways = [(self.to_word[token], self.to_entity[token]) for token in self.stage.tokens_of(word)]
        lengths = [
            (first + rest, first)
            for first, rest in ways
            if first >= 0 and 0 <= rest <= self.straight - nearer and first + rest <= self.straight + DETOUR
        ]
        return min(lengths, default=None)


def plans_of(found: Sequence[Candidate]) -> list[Plan]:
    """The events of accepted candidates, those first that others are nested around."""
    plans: list[Plan] = []
    stages: dict[tuple[int, int], Stage] = {}
    for candidate in found:
        word = candidate.mentions[candidate.roles.index(TRIGGER)]
        roles = {role: mention.id for role, mention in participants(candidate).items()}
        plans.append(Plan(candidate.key, interaction_type(candidate), word, roles))
    fuller = {(plan.kind, plan.word.spans, plan.roles.get(THEME)) for plan in plans if len(plan.roles) > 1}
    for plan in plans:
        if len(plan.roles) == 1 and (plan.kind, plan.word.spans, plan.roles.get(THEME)) in fuller:
            plan.is_needed = False  # a fuller event says the same
    for candidate, plan in zip(found, plans, strict=True):
        if plan.kind in REGULATIONS and plan.is_needed:
            place = id(candidate.document), candidate.sentence
            if place not in stages:
                stages[place] = Stage.of(candidate.document, candidate.sentence)
            for role in (THEME, CAUSE):
                inner = _nested(candidate, plan, role, plans, stages[place])
                if inner is not None:
                    plan.inner[role] = inner
    for plan in plans:
        inner = plan.inner.get(THEME)
        if inner is not None and plan.kind == STATES_INNER_CAUSE and inner.roles.get(CAUSE, "") == plan.roles.get(CAUSE):
            inner.roles = {role: member for role, member in inner.roles.items() if role != CAUSE}  # the outer one says so
            inner.inner.pop(CAUSE, None)
    ordered: list[Plan] = []
    for plan in plans:
        if plan.is_needed:
            _put(plan, ordered)
    return ordered


def _put(plan: Plan, ordered: list[Plan]) -> None:
    if not any(plan is other for other in ordered):
        for inner in plan.inner.values():
            _put(inner, ordered)
        ordered.append(plan)


def _nested(candidate: Candidate, plan: Plan, role: str, plans: Sequence[Plan], stage: Stage) -> Plan | None:
    """The event that stands in a role of a regulation, in the place of the entity that it is about."""
    if role not in plan.roles:
        return None
    to_entity = Way.between(stage, plan.word, participants(candidate)[role])
    best: tuple[int, int, int] | None = None
    chosen = None
    for number, other in enumerate(plans):
        if to_entity is None or other is plan or not _may_be_inside(plan, role, other, plans):
            continue
        # of two causes only what is nearer: the cause of an event and that of its regulation are often the same
        length = to_entity.by(other.word, nearer=role == CAUSE)
        if length is not None and (best is None or (*length, number) < best):
            best, chosen = (*length, number), other
    return chosen


def _may_be_inside(plan: Plan, role: str, other: Plan, plans: Sequence[Plan]) -> bool:
    opposite = plan.roles.get(CAUSE if role == THEME else THEME, "")
    return (
        other.is_needed
        and other.word.spans != plan.word.spans
        and plan.roles[role] in other.themes
        and opposite not in other.themes
        and _covers(plan, role, other, plans)
        and not _contains(other, plan)
    )


def _covers(plan: Plan, role: str, inner: Plan, plans: Sequence[Plan]) -> bool:
    """Whether the same regulation was accepted of every theme of the inner event: nested, it is about all of them."""
    opposite = CAUSE if role == THEME else THEME
    said = {
        other.roles.get(role)
        for other in plans
        if (other.kind, other.word.spans, other.roles.get(opposite)) == (plan.kind, plan.word.spans, plan.roles.get(opposite))
    }
    return inner.themes <= said


def _contains(outer: Plan, inner: Plan) -> bool:
    return any(one is inner or _contains(one, inner) for one in outer.inner.values())


_NAMES = ((THEME, "Theme"), (THEME2, "Theme2"), (SITE, "Site"))


def with_interactions(
    document: Document, accepted: Iterable[Candidate], marks: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> Document:
    """The document with the ``accepted`` interaction candidates as its events, and no others.

    A regulation is nested around another event on its own theme, or cause, if that event's trigger lies on the way from the
    regulation's trigger to the entity (:mod:`relhash.candidates.statements.output`): *IL-4 induced expression of FOXP3*
    becomes a ``Positive_regulation`` of the ``Gene_expression``. A cause of an event that the shared task gives none (a
    binding, an expression) is that of a ``Positive_regulation`` around it: of one that is there, else of one by the same
    trigger word. Reading the file back states the same interactions.

    Parameters
    ----------
    marks
        Attributes (name, value) of the events of a candidate, by :attr:`Candidate.key`: negation, speculation, a probability.
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
