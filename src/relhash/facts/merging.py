"""Statements about the same entities, merged: one fact per pair and relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from relhash.facts.belief import belief
from relhash.facts.entities import EntityKey
from relhash.facts.statements import Participant, Statement


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity under the name that most sentences use, with its type, its ids, and all names in order of use."""

    key: EntityKey
    name: str
    type: str
    ids: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence that speaks of the fact: of its rows, the one that the model was surest of."""

    document: str
    marked: str
    probability: float
    assertion: str
    evidence: str = ""


@dataclass(frozen=True)
class Fact:
    """What all sentences together say of a relation between two entities.

    ``sources`` begin with the best: those that state the relation before those that do not, the surest first.
    """

    first: Entity
    second: Entity
    relation: str
    is_directed: bool
    belief: float
    sources: tuple[Source, ...]

    @property
    def documents(self) -> int:
        return len({source.document for source in self.sources})

    def count(self, assertion: str) -> int:
        """How many sentences say it so."""
        return sum(source.assertion == assertion for source in self.sources)


def merge(statements: Iterable[Statement]) -> list[Fact]:
    """The facts, those that deserve most belief first. Statements that the model did not accept are left out.

    Directed relations are told apart by their direction, others are not.
    """
    participants: dict[EntityKey, list[Participant]] = {}
    groups: dict[tuple[EntityKey, EntityKey, str, bool], dict[tuple[str, str], Source]] = {}
    for statement in statements:
        if not statement.is_accepted:
            continue
        one, two = statement.participants
        swapped = not statement.is_directed and two.key < one.key
        for participant in (one, two):
            participants.setdefault(participant.key, []).append(participant)
        ends = (two.key, one.key) if swapped else (one.key, two.key)
        group = groups.setdefault((*ends, statement.relation, statement.is_directed), {})
        marked = _swapped(statement.marked) if swapped else statement.marked
        source = Source(statement.document, marked, statement.probability, statement.assertion, statement.evidence)
        place = (statement.document, statement.sentence)  # one sentence is one piece of evidence, however often it says so
        group[place] = max(source, group.get(place, source), key=lambda one: one.probability)
    entities = {key: _entity(key, mentions) for key, mentions in participants.items()}
    facts = [
        Fact(entities[one], entities[two], relation, is_directed, _belief(sources), tuple(sorted(sources, key=_best_first)))
        for (one, two, relation, is_directed), found in groups.items()
        for sources in [list(found.values())]
    ]
    return sorted(facts, key=lambda fact: (-fact.belief, -len(fact.sources), fact.first.key, fact.second.key, fact.relation))


def _belief(sources: Sequence[Source]) -> float:
    by_document: dict[str, list[tuple[float, str]]] = {}
    for source in sources:
        by_document.setdefault(source.document, []).append((source.probability, source.assertion))
    return belief(by_document.values())


_RANKS = {"asserted": 0, "speculative": 1, "questioned": 2, "negated": 3}


def _best_first(source: Source) -> tuple[int, float, str, str]:
    return _RANKS.get(source.assertion, 4), -source.probability, source.document, source.marked


def _entity(key: EntityKey, mentions: Sequence[Participant]) -> Entity:
    counts = Counter(mention.name for mention in mentions)
    names = sorted(counts, key=lambda name: (-counts[name], name))
    types = Counter(mention.type for mention in mentions)
    return Entity(key, names[0], min(types, key=lambda name: (-types[name], name)), mentions[0].ids, tuple(names))


def _swapped(marked: str) -> str:
    """The sentence with the numbers of its marks exchanged."""
    for one, two in (("[E1]", "[E2]"), ("[/E1]", "[/E2]")):
        marked = two.join(part.replace(two, one) for part in marked.split(one))
    return marked
