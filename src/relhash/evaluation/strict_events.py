"""Events judged as a whole: type, trigger, and every participant in its role, as the shared tasks do.

An event is right if the gold has one of its type whose trigger shares text with its own, and whose themes and causes are the
same. *With nesting* an event that takes part must be right itself; *without* it stands for the entities that it is about. Sites
are left aside, and members of an equivalence are taken for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relhash.corpus.document import Document, Relation
from relhash.structures.candidate import overlap
from relhash.structures.direction import CAUSE, THEME, role_of


@dataclass(frozen=True, slots=True)
class EventScore:
    """How many events the gold has, were found, and are right."""

    gold: int = 0
    found: int = 0
    right: int = 0

    def __add__(self, other: EventScore) -> EventScore:
        return EventScore(self.gold + other.gold, self.found + other.found, self.right + other.right)

    @property
    def precision(self) -> float:
        return self.right / max(self.found, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.gold, 1)

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def as_dict(self) -> dict[str, float | int]:
        return {
            "precision": self.precision, "recall": self.recall, "f1": self.f1,
            "gold": self.gold, "found": self.found, "right": self.right,
        }  # fmt: skip


def event_score(gold: Document, found: Document, *, nesting: bool, one_participant: bool) -> EventScore:
    """The events of ``found`` against those of ``gold``, two annotations of one text with the same entities.

    Without ``one_participant`` only events that are about two entities or more count, on either side.
    """
    matcher = _Matcher(gold, found, nesting)
    least = 1 if one_participant else 2
    wanted = [event for event in _events(gold) if len(matcher.about(event, gold)) >= least]
    given = [event for event in _events(found) if len(matcher.about(event, found)) >= least]
    left = list(wanted)
    right = 0
    for event in given:
        match = next((other for other in left if matcher.same(event, other)), None)
        if match is not None:
            left.remove(match)
            right += 1
    return EventScore(len(wanted), len(given), right)


def _events(document: Document) -> Iterator[Relation]:
    return (relation for relation in document.relations if relation.trigger is not None and relation.arguments)


class _Matcher:
    def __init__(self, gold: Document, found: Document, nesting: bool) -> None:
        self.gold, self.found, self.nesting = gold, found, nesting
        self.group_of = {member: min(group) for group in gold.equivalences for member in group}

    def same(self, event: Relation, other: Relation, depth: int = 0) -> bool:
        """Whether an event that was found is the ``other``, of the gold."""
        if event.type != other.type or depth > 5 or event.trigger is None or other.trigger is None:
            return False
        if not overlap(self.found.mention_by_id[event.trigger], self.gold.mention_by_id[other.trigger]):
            return False
        if not self.nesting:
            return self.flat(event, self.found) == self.flat(other, self.gold)
        mine = [(role, argument.target) for argument in event.arguments if (role := role_of(argument.role)) in (CAUSE, THEME)]
        theirs = [(role, argument.target) for argument in other.arguments if (role := role_of(argument.role)) in (CAUSE, THEME)]
        if len(mine) != len(theirs):
            return False
        for role, target in mine:
            match = next((one for one in theirs if one[0] == role and self._same_target(target, one[1], depth)), None)
            if match is None:
                return False
            theirs.remove(match)
        return True

    def _same_target(self, target: str, other: str, depth: int) -> bool:
        inner, gold_inner = self.found.relation_by_id.get(target), self.gold.relation_by_id.get(other)
        if inner is not None and gold_inner is not None:
            return self.same(inner, gold_inner, depth + 1)
        return inner is None and gold_inner is None and self._one(target) == self._one(other)

    def about(self, event: Relation, document: Document) -> frozenset[str]:
        """The entities in the roles of an event."""
        return frozenset(mention for _, mention in self.flat(event, document))

    def flat(self, event: Relation, document: Document, seen: frozenset[str] = frozenset()) -> frozenset[tuple[str, str]]:
        """Roles and entities, of an event in a role the themes."""
        found = set()
        for argument in event.arguments:
            role, inner = role_of(argument.role), document.relation_by_id.get(argument.target)
            if role not in (CAUSE, THEME):
                continue
            if inner is None:
                found.add((role, self._one(argument.target)))
            elif inner.id not in seen:
                own = self.flat(inner, document, seen | {event.id})
                found.update((role, mention) for inner_role, mention in own if inner_role == THEME)
        return frozenset(found)

    def _one(self, mention: str) -> str:
        return self.group_of.get(mention, mention)
