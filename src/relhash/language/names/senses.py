"""What a name may stand for, before anybody looks at the text around it: the ranking of its meanings.

A curated name counts more than a symbol, a symbol more than an alias or a previous symbol, these more than a synonym from
another species or database. Of names that are equally sure, those written the same way count more. What then still ties is
ambiguous, and stays so unless the text helps (:mod:`relhash.language.grounding`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from relhash.language.names.common_words import CLASS_NAMES, COMMON_WORDS
from relhash.language.names.spelling import Case, case_of, name_key
from relhash.language.names.table import Class, Concept, NamedConcept, NameKind, NameTable
from relhash.language.names.variants import Only, variants

GROUNDED_TYPES = ("protein", "chemical", "disease")
_LEVEL = {
    NameKind.CURATED: 0, NameKind.SYMBOL: 1, NameKind.NAME: 1, NameKind.ALIAS: 2, NameKind.PREVIOUS: 2,
    NameKind.ORTHOLOG: 3, NameKind.LINKED: 3,
}  # fmt: skip
_GROUPS = (Class.FAMILY, Class.COMPLEX)
_DATABASE_ORDER = ("HGNC", "FPLX", "CHEBI", "MESH", "MONDO", "DOID", "MGI", "RGD")
_SIZE = re.compile(r"^(?:human |mouse |an? )?[\d.]+[- ]?kDa?\b", re.IGNORECASE)
"""What is named by its size only ("55-kDa protein") has no name."""
_TAGGED = re.compile(r"^[hmr][A-Z][a-z]|^[hmr][A-Z]{2,}")
_UNSURE = 3
_LONG_ENOUGH = 5
"""Characters of the key of a simpler name from which on it may be of an unsure kind; "MDMs" is not the mouse's "MDM"."""
_SHORT = 2
"""Characters of a key up to which a name says too little without a long form."""


@dataclass(frozen=True, slots=True)
class Sense:
    """Equally good meanings of a name: one is an answer, several are an ambiguity, none is an unknown name."""

    concepts: tuple[Concept, ...] = ()
    numbers: tuple[int, ...] = ()
    level: int = 9
    """How sure the kind of name is; 0 is surest."""
    is_short: bool = False
    """Whether the name is so short that only a long form in the text makes it sure."""

    @property
    def is_one(self) -> bool:
        return len(self.concepts) == 1


class Senses:
    """Name and type of an entity → what it may stand for."""

    def __init__(self, table: NameTable) -> None:
        self.table = table
        self.of = lru_cache(maxsize=65536)(self._of)
        self._is_kinase = lru_cache(maxsize=4096)(self._named_kinase)

    def _of(self, name: str, kind: str) -> Sense:
        """The best meanings of the name or, if it has none, of the first simpler name that has any."""
        if _SIZE.match(name):
            return Sense()
        for number, (variant, only) in enumerate(variants(name, kind)):
            found = self._ranked(variant, kind, only)
            if found.concepts and (number == 0 or found.level < _UNSURE or len(name_key(variant)) >= _LONG_ENOUGH):
                return self._without_tag(variant, found) if kind == "protein" else found
        return self._agreed(name, kind)

    def _without_tag(self, name: str, found: Sense) -> Sense:
        """What "rSp1" means without its "r", if that is a sure name and the whole is not."""
        if found.level < _UNSURE - 1 or not _TAGGED.match(name):
            return found
        bare = self._ranked(name[1:], "protein", Only.SURE)
        return bare if bare.is_one else found

    def _ranked(self, name: str, kind: str, only: Only) -> Sense:
        written = case_of(name)
        key = name_key(name)
        if kind == "protein" and key in CLASS_NAMES:
            return Sense()
        is_word = key in COMMON_WORDS and written in (Case.LOWER, Case.CAPITALISED)
        meanings = [
            (meaning, concept)
            for meaning in self.table.find(name)
            if (concept := self.table.concept(meaning.number)).kind.type == kind
            and not (is_word and meaning.case is not Case.LOWER)
            and self._counts(meaning, concept, written, key, only)
        ]
        if not meanings:
            return Sense()
        best = _group_first(_best(meanings, written, kind))
        is_short = len(key) <= _SHORT and not any(self._is_own(meaning, concept, key, written) for meaning, concept in best)
        return Sense(
            tuple(concept for _, concept in best),
            tuple(meaning.number for meaning, _ in best),
            min(_LEVEL[meaning.name_kind] for meaning, _ in best),
            is_short,
        )

    def _counts(self, meaning: NamedConcept, concept: Concept, written: Case, key: str, only: Only) -> bool:
        """Whether a meaning is worth considering for a name written so."""
        if concept.kind is Class.LOCUS and (meaning.name_kind > NameKind.ALIAS or meaning.case is not written):
            return False
        if meaning.name_kind >= NameKind.ORTHOLOG and len(key) < 4 and meaning.case is not written:
            return False
        if only is Only.GROUPS:
            return concept.kind in _GROUPS
        if only is Only.SURE:
            return _LEVEL[meaning.name_kind] <= 1
        return only is Only.ANYTHING or self._is_kinase(meaning.number)

    def _is_own(self, meaning: NamedConcept, concept: Concept, key: str, written: Case) -> bool:
        """Whether two letters are enough: an approved symbol, a curated chemical or family, "Rb" for RB1."""
        if meaning.name_kind is NameKind.CURATED:
            return concept.kind is not Class.GENE or name_key(self.table.label(meaning.number)).startswith(key)
        return meaning.name_kind is NameKind.SYMBOL and meaning.case is written

    def _named_kinase(self, number: int) -> bool:
        keys = self.table.keys_of(number)
        return any("kinase" in key for key in keys) and not any("kinasekinase" in key for key in keys)

    def _agreed(self, name: str, kind: str) -> Sense:
        """Of two names side by side ("p65 RelA", "RelA/p65") their common meaning."""
        parts = name.replace("/", " ").split()
        if kind != "protein" or len(parts) != 2:
            return Sense()
        first, second = (self.of(part, kind) for part in parts)
        return first if first.is_one and first.numbers == second.numbers else Sense()


def _best(meanings: Sequence[tuple[NamedConcept, Concept]], written: Case, kind: str) -> list[tuple[NamedConcept, Concept]]:
    """The meanings of the surest kind of name; among them those written the same way, of the preferred database."""

    def rank(item: tuple[NamedConcept, Concept]) -> tuple[int, ...]:
        meaning, concept = item
        database = _DATABASE_ORDER.index(concept.id.partition(":")[0])
        level = _LEVEL[meaning.name_kind]
        if kind == "protein":
            is_other_species = database >= _DATABASE_ORDER.index("MGI")
            # "MKKS" is the gene, "MKKs" the family: between curated names and symbols the way of writing decides
            differs = meaning.case is not written
            level_by_case = 2 * level if level > 1 else int(differs) * 2 + level
            return int(is_other_species), int(concept.kind in (Class.RNA, Class.LOCUS)), level_by_case, int(differs)
        return (database, level) if kind == "disease" else (level, database)

    ranks = [rank(item) for item in meanings]
    best = min(ranks)
    return [item for item, own in zip(meanings, ranks, strict=True) if own == best]


def _group_first(best: list[tuple[NamedConcept, Concept]]) -> list[tuple[NamedConcept, Concept]]:
    """Where curators name both a family and a member of it, the family: less is said, and nothing wrong."""
    groups = [item for item in best if item[1].kind in _GROUPS]
    return groups if len(groups) == 1 and len(best) > 1 else best
