"""Which gold relations join two mentions of a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from relhash.corpus.document import Document, Relation

__all__ = ["GoldPairs", "gold_pairs", "joined_mentions"]

SYMMETRIC_ROLES = frozenset({"e1", "e2"})


class GoldPairs:
    """Relation types by the ids of the two mentions they join."""

    def __init__(self) -> None:
        self._types: dict[tuple[str, str], dict[str, None]] = {}

    def add(self, source: str, target: str, relation_type: str) -> None:
        self._types.setdefault((source, target), {})[relation_type] = None

    def between(self, source: str, target: str, *, directed: bool = False) -> tuple[str, ...]:
        """Types of the relations from ``source`` to ``target``, or in either direction, without repetition."""
        if not self._types:
            return ()
        forward = self._types.get((source, target), {})
        if directed:
            return tuple(forward)
        return tuple(forward | self._types.get((target, source), {}))


def gold_pairs(document: Document) -> GoldPairs:
    """All pairs of mentions that the relations of ``document`` join.

    A relation joins the mentions of any two of its arguments; it runs from the earlier argument to the later one, or both ways
    where the roles are the symmetric ``e1`` and ``e2``. An argument that is itself a relation (a nested event) stands for its
    participants; any member of an equivalence stands for the others.
    """
    pairs = GoldPairs()
    for relation in document.relations:
        symmetric = SYMMETRIC_ROLES.issuperset(argument.role for argument in relation.arguments)
        for source, target in joined_mentions(relation, document):
            pairs.add(source, target, relation.type)
            if symmetric:
                pairs.add(target, source, relation.type)
    return pairs


def joined_mentions(relation: Relation, document: Document) -> Iterator[tuple[str, str]]:
    """Ids of the mentions that one relation joins, as :func:`gold_pairs` says; the earlier argument's comes first."""
    group_of = {member: group for group in document.equivalences for member in group}
    participants = [
        list(_mentions(argument.target, document, group_of, frozenset({relation.id}))) for argument in relation.arguments
    ]
    for sources, targets in combinations(participants, 2):
        yield from product(sources, targets)


def _mentions(target: str, document: Document, group_of: dict[str, tuple[str, ...]], seen: frozenset[str]) -> Iterable[str]:
    """Ids of the mentions that ``target``, a mention or a relation, stands for."""
    if target in document.mention_by_id:
        return group_of.get(target, (target,))
    relation: Relation | None = document.relation_by_id.get(target)
    if relation is None or target in seen:  # an event that contains itself adds nothing
        return ()
    inner = seen | {target}
    return dict.fromkeys(
        mention for argument in relation.arguments for mention in _mentions(argument.target, document, group_of, inner)
    )
