"""Things and their names while the list of names is being made (see ``make_lexicon.py``)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.names.spelling import case_of, name_key
from relhash.biomed.names.table import DATABASES, Class, NameKind

LONGEST = 60
"""Characters that a name may have; longer ones (systematic names of chemicals) are not written in sentences."""


@dataclass(slots=True)
class Entry:
    """A thing with its number in a database."""

    database: str
    local: int
    label: str
    kind: Class
    mouse: int = 0
    rat: int = 0
    mesh: int = 0
    """Of a chemical of ChEBI: its number in MeSH."""
    popularity: int = 0
    """How often its sure names stand in text."""


class Concepts:
    """All things, and for each key of a name the things that it may stand for."""

    def __init__(self) -> None:
        self.all: list[Entry] = []
        self.names: dict[str, dict[int, tuple[NameKind, int]]] = {}
        self.approved_names: dict[int, str] = {}
        self.seen: Counter[tuple[str, int]] = Counter()
        """How often annotators met a thing under a key."""
        self._counterparts: dict[tuple[str, int], int] = {}
        self._by_id: dict[tuple[str, int], int] = {}

    def add(self, database: str, local: int, label: str, kind: Class) -> int:
        self.all.append(Entry(database, local, label, kind))
        self._by_id[database, local] = len(self.all) - 1
        return len(self.all) - 1

    def add_orthologs(self, number: int, mouse: int, rat: int) -> None:
        self.all[number].mouse, self.all[number].rat = mouse, rat
        for database, local in (("MGI", mouse), ("RGD", rat)):
            if local:
                self._counterparts.setdefault((database, local), number)

    def counterpart(self, database: str, local: int) -> int | None:
        """The human gene that HGNC gives for a gene of mouse or rat."""
        return self._counterparts.get((database, local))

    def name(self, number: int, name: str, kind: NameKind) -> None:
        """Give a thing a name; of several kinds under one key the surest stays."""
        name = name.strip()
        key = name_key(name)
        if not 0 < len(name) <= LONGEST or len(key) < 2 or key.isdigit():
            return
        meanings = self.names.setdefault(key, {})
        known = meanings.get(number)
        if known is None or kind < known[0]:
            meanings[number] = kind, int(case_of(name))

    def met(self, number: int, name: str) -> None:
        """Annotators met a thing under this name."""
        self.name(number, name, NameKind.SEEN)
        self.seen[name_key(name.strip()), number] += 1

    def chemical(self, name: str) -> int | None:
        return self._only(name, Class.CHEMICAL, NameKind.NAME)

    def disease(self, name: str) -> int | None:
        return self._only(name, Class.DISEASE, NameKind.ALIAS)

    def in_database(self, database: str, identifier: str, kind: Class | None = None) -> int | None:
        """The thing with this id in ChEBI (a number) or MeSH (``D`` and digits), of any kind or of this."""
        local = mesh_number(identifier) if database == "MESH" else int(identifier) if identifier.isdigit() else 0
        number = self._by_id.get((database, local)) if local else None
        return number if number is not None and kind in (None, self.all[number].kind) else None

    def by_identifier(self, identifier: str) -> int:
        """The thing with an id as the software writes it; an error if there is none."""
        database, _, local = identifier.partition(":")
        if database == "FPLX":
            return next(n for n, one in enumerate(self.all) if one.database == "FPLX" and one.label == local)
        return self._by_id[database, mesh_number(local) if database == "MESH" else int(local)]

    def one_protein(self, names: list[str]) -> int | None:
        """The gene, family or complex that sure names among these stand for; nothing if they disagree."""
        votes: Counter[int] = Counter()
        for name in names:
            for ending in ("", " protein", " proteins", " gene product"):
                if name.lower().endswith(ending):
                    meanings = self.names.get(name_key(name[: len(name) - len(ending)]), {})
                    found = [
                        number
                        for number, (kind, _) in meanings.items()
                        if kind <= NameKind.ALIAS and self.all[number].kind.type == "protein"
                    ]
                    if len(found) == 1:
                        votes[found[0]] += 1
        ranked = votes.most_common(2)
        if not ranked or (len(ranked) > 1 and ranked[0][1] < 3 * ranked[1][1]):
            return None
        return ranked[0][0]

    def is_protein(self, name: str) -> bool:
        """Whether a gene, family or complex has this name."""
        return any(self.all[number].kind.type == "protein" for number in self.names.get(name_key(name), {}))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The table as plain arrays, as :class:`relhash.biomed.names.table.NameTable` reads it."""
        encoded = {key.encode(): meanings for key, meanings in self.names.items()}
        keys = sorted(encoded)
        entries = [(number, kind, case) for key in keys for number, (kind, case) in sorted(encoded[key].items())]
        return {
            "keys": _lines(key.decode() for key in keys),
            "meanings": np.array([len(encoded[key]) for key in keys], np.uint16),
            "concepts": np.array([number for number, _, _ in entries], np.int32),
            "kinds": np.array([kind << 2 | case for _, kind, case in entries], np.uint8),
            "seen": np.array(
                [min(self.seen[key.decode(), number], 255) for key in keys for number in sorted(encoded[key])], np.uint8
            ),
            "popularity": np.array([min(int(8 * math.log2(1 + one.popularity)), 255) for one in self.all], np.uint8),
            "mesh": np.array([one.mesh for one in self.all], np.int32),
            "labels": _lines(one.label for one in self.all),
            "families": _lines(one.label for one in self.all if one.database == "FPLX"),
            "database": np.array([DATABASES.index(one.database) for one in self.all], np.uint8),
            "number": np.array([one.local for one in self.all], np.int32),
            "class": np.array([one.kind for one in self.all], np.uint8),
            "mouse": np.array([one.mouse for one in self.all], np.int32),
            "rat": np.array([one.rat for one in self.all], np.int32),
        }

    def _only(self, name: str, kind: Class, at_least: NameKind) -> int | None:
        found = [
            number
            for number, (how, _) in self.names.get(name_key(name), {}).items()
            if self.all[number].kind is kind and how <= at_least
        ]
        return found[0] if len(found) == 1 else None


def mesh_number(identifier: str) -> int:
    """``D`` or ``C`` and six digits, or nine since they ran out of six, as one number; 0 for anything else."""
    letter, digits = identifier[:1], identifier[1:]
    if letter not in ("C", "D") or not digits.isdigit():
        return 0
    return int(digits) + (10**6 if len(digits) > 6 else 0) + (10**9 if letter == "C" else 0)


def _lines(texts: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8)
