"""Where a text names a thing whose name or id is given: by every name that the shipped list has for it.

This is how a given statement is checked: it finds both participants of 93 % of judged statements, a tagger and its ids of 71 %.
What is not named itself may be named by its family, or by a member of it; that is recorded, because less is then sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache

from relhash.biomed.names.spelling import continued_key, name_key, shipped_members
from relhash.biomed.names.table import NameKind, NameTable, shipped_names

MOST_PIECES = 7
LONGEST = 60
"""Pieces and characters of the longest name that is looked for."""
_PIECE = re.compile(r"[^\W_]+\+?|\+")
_TAG = re.compile(r"(?:phospho|pro|anti|rh|si|sh|Ad|[phmrcvd])(?=[A-Z])")
_LEVEL = {NameKind.CURATED: 0, NameKind.SYMBOL: 1, NameKind.NAME: 1, NameKind.ALIAS: 2, NameKind.PREVIOUS: 2}
_OTHER_LEVEL = 3


class How(IntEnum):
    """In which way a place names the thing; the surest first."""

    NAME = 0
    RELATIVE = 1
    """It names the family of it, or a member."""
    LITERAL = 2
    """No list knows the name; the text has the very string."""
    SIBLING = 3
    """It names another member of the same family."""
    NOWHERE = 9


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of text that names the thing; ``level`` tells how sure the kind of name is (0 is surest)."""

    start: int
    end: int
    how: How
    level: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """A thing to look for: its name as somebody gave it, and the numbers of the concepts that this may be."""

    name: str
    concepts: frozenset[int]


class Names:
    """Looks for things by all their names.

    >>> names = Names(shipped_names())
    >>> text = "Extracellular signal-regulated kinase 2 is activated by MEK1."
    >>> [text[place.start : place.end] for place in names.places(text, names.wanted("MAPK1"))]
    ['Extracellular signal-regulated kinase 2']
    """

    def __init__(self, table: NameTable) -> None:
        self.table = table
        self.wanted = lru_cache(maxsize=65536)(self._wanted)
        self._keys = lru_cache(maxsize=65536)(self._keys_of)
        self.meanings = lru_cache(maxsize=65536)(self._meanings)
        self._number_of = lru_cache(maxsize=65536)(table.number_of)
        self._relatives = lru_cache(maxsize=65536)(self._relatives_of)

    def _wanted(self, name: str, ids: tuple[str, ...] = ()) -> Wanted:
        """What a name, and ids if there are any, may stand for: an id decides; else a symbol, else a sure name."""
        by_id = self._numbers(ids)
        if by_id:
            return Wanted(name, by_id)
        named = self.table.find(name)
        own = {
            found.number
            for found in named
            if self.table.label(found.number).upper() == name.upper()
            or self.table.concept(found.number).id.upper() == f"FPLX:{name.upper()}"
        }
        sure = {found.number for found in named if found.name_kind <= NameKind.NAME}
        return Wanted(name, frozenset(own or sure or {found.number for found in named}))

    def _numbers(self, ids: Iterable[str]) -> frozenset[int]:
        return frozenset(number for one in ids if (number := self._number_of(one)) is not None)

    def ids(self, wanted: Wanted) -> frozenset[str]:
        """The ids of what is looked for, those of mouse and rat among them."""
        found = (self.table.concept(number) for number in wanted.concepts)
        return frozenset(one for concept in found for one in (concept.id, concept.mouse, concept.rat) if one)

    def places(self, text: str, wanted: Wanted) -> list[Place]:
        """Where the text names it, by the first of the ways of :class:`How` that finds anything."""
        pieces = _pieces(text)
        found = self._by_keys(text, pieces, self._keys(wanted.concepts), How.NAME)
        if not found:
            found = self._literal(text, wanted.name)
        relatives, siblings = self._relatives(wanted.concepts)
        for numbers, how in ((relatives, How.RELATIVE), (siblings, How.SIBLING)):
            if not found and numbers:
                found = self._by_keys(text, pieces, self._keys(numbers), how)
        return found

    def _by_keys(self, text: str, pieces: list[_Piece], keys: Mapping[str, int], how: How) -> list[Place]:
        """Places whose key is one of ``keys``; of those that overlap, the longest."""
        found: list[Place] = []
        for start, end, key, penalty in _runs(text, pieces):
            level = keys.get(key)
            if level is not None:
                found.append(Place(start, end, how, level + penalty))
        kept: list[Place] = []
        for place in sorted(found, key=lambda one: (one.start - one.end, one.level)):
            if not any(place.start < other.end and other.start < place.end for other in kept):
                kept.append(place)
        return sorted(kept, key=lambda one: one.start)

    def _literal(self, text: str, name: str) -> list[Place]:
        pattern = re.escape(name.strip()).replace(r"\-", "[- ]?").replace(r"\ ", r"[- ]?")
        if not name.strip():
            return []
        matches = re.finditer(rf"(?<![^\W_]){pattern}(?![^\W_])", text, re.IGNORECASE)
        return [Place(one.start(), one.end(), How.LITERAL, _OTHER_LEVEL) for one in matches]

    def _keys_of(self, concepts: frozenset[int]) -> dict[str, int]:
        """Keys of all names of some concepts, with the level of the name."""
        found: dict[str, int] = {}
        for number in concepts:
            for key, kind in self.table.names_of(number):
                level = _LEVEL.get(kind, _OTHER_LEVEL)
                if len(key) > 1 and (level < _OTHER_LEVEL or len(key) > 2):
                    found[key] = min(level, found.get(key, level))
        return found

    def _meanings(self, name: str) -> dict[str, int]:
        """Every id that a stretch of text may stand for, with the level of the name: to tell what else it may be."""
        found: dict[str, int] = {}
        for variant, penalty in _variants(name):
            for one in self.table.find(variant):
                concept = self.table.concept(one.number)
                level = _LEVEL.get(one.name_kind, _OTHER_LEVEL) + penalty
                found[concept.id] = min(level, found.get(concept.id, level))
        return found

    def _relatives_of(self, concepts: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
        """Families and members of the concepts; and what else belongs to the families."""
        ids = {self.table.concept(number).id for number in concepts}
        members, families = shipped_members(), _families()
        above = {family for one in ids for family in families.get(one, ())}
        below = {member for one in ids for member in members.get(one, ())}
        beside = {member for family in above for member in members[family]} - ids
        return self._numbers(above | below), self._numbers(beside)


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    key: str
    continued: str


def _pieces(text: str) -> list[_Piece]:
    found = []
    for match in _PIECE.finditer(text):
        key = name_key(match.group())
        found.append(_Piece(match.start(), match.end(), key, continued_key(key)))
    return found


def _runs(text: str, pieces: list[_Piece]) -> Iterator[tuple[int, int, str, int]]:
    """Start, end, key and penalty of everything in a text that might be a name, as :func:`name_key` would have its key."""
    for first, piece in enumerate(pieces):
        key, end = piece.key, piece.end
        for start, own, penalty in ((piece.start, key, 0), *_without_tag(text, piece)):
            yield start, end, own, penalty
            if own.endswith("s") and len(own) > 3:
                yield start, end, own[:-1], penalty + 1
        for following in pieces[first + 1 : first + MOST_PIECES]:
            if following.end - piece.start > LONGEST or len(text[end : following.start].strip()) > 1:
                break
            key += (
                f"-{following.continued}" if key[-1:].isdigit() and following.continued[:1].isdigit() else following.continued
            )
            end = following.end
            yield piece.start, end, key, 0
            if key.endswith("s"):
                yield piece.start, end, key[:-1], 1


def _without_tag(text: str, piece: _Piece) -> Iterator[tuple[int, str, int]]:
    """*pSTAT3* and *siSmad4* without what stands before the name."""
    match = _TAG.match(text, piece.start, piece.end)
    if match and piece.end - match.end() > 1:
        yield match.end(), name_key(text[match.end() : piece.end]), 1


def _variants(name: str) -> Iterator[tuple[str, int]]:
    yield name, 0
    match = _TAG.match(name)
    if match and len(name) - match.end() > 1:
        yield name[match.end() :], 1
    if name.endswith("s") and len(name) > 3:
        yield name[:-1], 1


@cache
def _families() -> Mapping[str, frozenset[str]]:
    """Id → the families and complexes that it belongs to."""
    found: dict[str, set[str]] = {}
    for family, members in shipped_members().items():
        for member in members:
            found.setdefault(member, set()).add(family)
    return {member: frozenset(families) for member, families in found.items()}


def best(places: Iterable[Place]) -> tuple[How, int]:
    """The surest way and level among places."""
    return min(((place.how, place.level) for place in places), default=(How.NOWHERE, 9))


@cache
def shipped_finder() -> Names:
    """The finder with the list that ships."""
    return Names(shipped_names())
