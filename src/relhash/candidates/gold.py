"""Which gold relations join two mentions of a document, and which way they run: by roles, not by their order in a file.

=========================================  ======================================================================
roles                                      direction
=========================================  ======================================================================
a cause and a theme, by any of their       from the cause to the theme: ``Theme:T1 Cause:T2`` runs from T2 to T1
names (agent, catalyst, regulator, source;
patient, affected, target, object)
one name with numbers (``Arg1``, ``Arg2``)  from the lower number to the higher
two themes, ``e1`` and ``e2``, others      both ways: no direction is stated
=========================================  ======================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product

from relhash.corpus.concepts import Concepts
from relhash.corpus.document import Document, Relation

CAUSE, THEME, THEME2, SITE = "cause", "theme", "theme2", "site"
_NAMES = {
    CAUSE: ("cause", "causer", "catalyst", "agent", "actor", "regulator", "controller", "effector", "source", "subject",
            "from"),
    THEME: (
        "theme", "affected", "entity", "patient", "regulated", "controlled", "target", "object", "substrate", "product", "to",
    ),
    SITE: ("site", "csite"),
}  # fmt: skip
_MEANINGS = {name: meaning for meaning, names in _NAMES.items() for name in names}
_NUMBERED = re.compile(r"((?:.*\D)?+)(\d+)\Z")
_WITHOUT_ORDER = frozenset({"e", "entity", "theme", "participant", "member"})
"""Names whose numbers only tell participants apart."""


@lru_cache(maxsize=4096)
def role_of(name: str) -> str | None:
    """What the role of some annotation means here, without its number; ``None`` for roles that do not count.

    >>> role_of("Theme2"), role_of("catalyst"), role_of("AtLoc")
    ('theme', 'cause', None)
    """
    return _MEANINGS.get(name.lower().rstrip("0123456789"))


@lru_cache(maxsize=4096)
def runs(role: str, other: str) -> tuple[bool, bool]:
    """Whether a relation runs from the participant in ``role`` to the one in the ``other`` role, and whether back.

    >>> runs("Cause", "Theme"), runs("Theme", "Agent"), runs("Arg1", "Arg2"), runs("Theme", "Theme2"), runs("e1", "e2")
    ((True, False), (False, True), (True, False), (True, True), (True, True))
    """
    if {role_of(role), role_of(other)} == {CAUSE, THEME}:
        return role_of(role) == CAUSE, role_of(role) == THEME
    one, two = _NUMBERED.match(role.lower()), _NUMBERED.match(other.lower())
    if one and two and one[1] == two[1] and one[1] not in _WITHOUT_ORDER and one[2] != two[2]:
        return int(one[2]) < int(two[2]), int(one[2]) > int(two[2])
    return True, True


class GoldPairs:
    """Relation types by the ids of the two mentions they join."""

    def __init__(self) -> None:
        self._types: dict[tuple[str, str], dict[str, None]] = {}

    def add(self, source: str, target: str, relation_type: str) -> None:
        self._types.setdefault((source, target), {})[relation_type] = None

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The ids of all pairs that a relation joins, from the one to the other."""
        return iter(self._types)

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

    A relation joins the mentions of any two of its arguments, and runs between them as their roles say
    (:mod:`relhash.candidates.gold`), whatever their order. An argument that is itself a relation (a nested event) stands
    for its participants; any member of an equivalence stands for the others.
    """
    pairs = GoldPairs()
    if document.concept_relations:  # every two mentions of the two ids, however the text was split into sentences
        concepts = Concepts(document.entities)
        for relation in document.concept_relations:
            for one, other in concepts.joined(relation):
                _add(pairs, relation.type, *((m.id, a.role) for m, a in zip((one, other), relation.arguments)))
    for relation in document.relations:
        for first, second in _joined(relation, document):
            _add(pairs, relation.type, first, second)
    return pairs


def _add(pairs: GoldPairs, kind: str, first: tuple[str, str], second: tuple[str, str]) -> None:
    forward, backward = runs(first[1], second[1])
    if forward:
        pairs.add(first[0], second[0], kind)
    if backward:
        pairs.add(second[0], first[0], kind)


def joined_mentions(relation: Relation, document: Document) -> Iterator[tuple[str, str]]:
    """Ids of the mentions that one relation joins, as :func:`gold_pairs` says, in no particular order."""
    return ((first, second) for (first, _), (second, _) in _joined(relation, document))


def _joined(relation: Relation, document: Document) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Mentions that a relation joins, each with its role in it."""
    group_of = {member: group for group in document.equivalences for member in group}
    participants = [
        [(mention, argument.role) for mention in _mentions(argument.target, document, group_of, frozenset({relation.id}))]
        for argument in relation.arguments
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
