"""The names that ship with RelHash: genes and their products, families and complexes, chemicals, diseases, with their ids.

One file of plain arrays (``resources/lexicon``, made by ``tools/make_lexicon.py``): keys of names (see
:func:`~relhash.biomed.names.spelling.name_key`) as one sorted text, searched by bisection, so that nothing is made of it in
memory. It is unpacked once (:mod:`relhash.kept_tables`), and read when the first name is looked up.
"""

from __future__ import annotations

import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.names.spelling import Case, case_of, name_key
from relhash.errors import LanguageError
from relhash.kept_tables import kept_tables, read_npz
from relhash.resources import resource_path

DATABASES = ("HGNC", "FPLX", "MGI", "RGD", "CHEBI", "MESH", "MONDO", "DOID", "NCBIGene")
"""Where ids come from; the order is that of the numbers in the file."""


class NameKind(IntEnum):
    """What a name is to the thing that it names, from the surest to the least sure."""

    CURATED = 0
    """FamPlex's curators met it in text and said what it stands for."""
    SYMBOL = 1
    """The approved symbol of a gene."""
    NAME = 2
    """The approved name, or the heading of an ontology."""
    ALIAS = 3
    """Another name in the same database."""
    PREVIOUS = 4
    """A symbol that the gene had before."""
    ORTHOLOG = 5
    """A name that only the gene's mouse or rat counterpart has."""
    LINKED = 6
    """A synonym of another database's entry for the same thing."""
    SEEN = 7
    """What annotators of a corpus met in text with this id."""


class Class(IntEnum):
    """What kind of thing an id stands for."""

    GENE = 0
    """A gene with a protein product, and that product."""
    RNA = 1
    """A gene of RNA."""
    LOCUS = 2
    """A pseudogene, region or phenotype."""
    FAMILY = 3
    COMPLEX = 4
    CHEMICAL = 5
    DISEASE = 6
    CELL = 7
    """A type or line of cells."""
    SPECIES = 8
    """An organism or a group of them, viruses included."""

    @property
    def type(self) -> str:
        """The type of entity that such a thing is in text."""
        return "protein" if self <= Class.COMPLEX else self.name.lower()


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing with an id; ``mouse`` and ``rat`` are the ids of the corresponding genes, ``mesh`` that of the chemical in MeSH;
    empty where there is none."""

    id: str
    kind: Class
    mouse: str = ""
    rat: str = ""
    mesh: str = ""


@dataclass(frozen=True, slots=True)
class NamedConcept:
    """One thing that a name may stand for, and in what way: kind of the name and how it is written there."""

    number: int
    """Of the concept in the table."""
    name_kind: NameKind
    case: Case
    seen: int = 0
    """How often annotators of corpora met the thing under this name."""


class NameTable:
    """Names → what they may stand for.

    >>> table = shipped_names()
    >>> [(table.concept(found.number).id, found.name_kind.name) for found in table.find("MEK1")]
    [('HGNC:6840', 'CURATED')]
    >>> "no such gene" in table
    False
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._arrays, self._keys = arrays, arrays["keys"].data
        self._ends, self._first = arrays["ends"], arrays["first"]
        self._concepts, self._kinds = arrays["concepts"], arrays["kinds"]
        self._database, self._number, self._class = arrays["database"], arrays["number"], arrays["class"]
        self._mouse, self._rat, self._mesh = arrays["mouse"], arrays["rat"], arrays["mesh"]
        self._seen, self._popularity = arrays["seen"], arrays["popularity"]
        self._families = arrays["families"].tobytes().decode().split("\n")
        self._first_family = int(np.flatnonzero(self._database == DATABASES.index("FPLX"))[0])
        self.find = lru_cache(maxsize=65536)(self._find)

    @classmethod
    def read(cls, path: Path) -> NameTable:
        try:
            return cls(kept_tables(path, lambda archive: with_places(read_npz(archive))))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise LanguageError(f"{path}: the list of names is damaged ({error}); reinstall relhash") from error

    def __len__(self) -> int:
        """How many keys it has."""
        return len(self._ends)

    def __contains__(self, name: str) -> bool:
        return bool(self.find(name))

    def _find(self, name: str) -> tuple[NamedConcept, ...]:
        """Everything that the name may stand for, in any type; the surest kinds of name first."""
        key = name_key(name)
        place = self._place(key.encode())
        found = [
            NamedConcept(
                int(self._concepts[entry]),
                NameKind(int(self._kinds[entry]) >> 2),
                Case(int(self._kinds[entry]) & 3),
                int(self._seen[entry]),
            )
            for entry in (() if place is None else range(self._first[place], self._first[place + 1]))
        ]
        written, identifier = _by_hand().get(key, ("", ""))
        number = self.number_of(identifier) if identifier else None
        if number is not None and (number, NameKind.CURATED) not in {(one.number, one.name_kind) for one in found}:
            found.append(NamedConcept(number, NameKind.CURATED, case_of(written)))
        return tuple(sorted(found, key=lambda meaning: (meaning.name_kind, meaning.number)))

    def concept(self, number: int) -> Concept:
        database = DATABASES[self._database[number]]
        if database == "FPLX":
            local = self._families[number - self._first_family]
        else:
            local = _local(database, int(self._number[number]))
        mouse, rat, mesh = int(self._mouse[number]), int(self._rat[number]), int(self._mesh[number])
        return Concept(
            f"{database}:{local}",
            Class(int(self._class[number])),
            f"MGI:{mouse}" if mouse else "",
            f"RGD:{rat}" if rat else "",
            f"MESH:{_local('MESH', mesh)}" if mesh else "",
        )

    def supplement(self, name: str) -> str:
        """The id of a chemical in MeSH's supplement; empty if it is not there.

        These names (``tools/make_supplement.py``) lie beside the list: texts are not searched for them.

        >>> shipped_names().supplement("lecozotan"), shipped_names().supplement("mouse")
        ('MESH:C500836', '')
        """
        keys, ends, numbers = (_supplement()[part] for part in ("keys", "ends", "mesh"))
        place = _place(keys.data, ends, name_key(name).encode())
        return "" if place is None else f"MESH:{_local('MESH', int(numbers[place]) + 10**9)}"

    def popularity(self, number: int) -> float:
        """The logarithm (base 2) of how often sure names of a concept stood in the text that was counted, plus one."""
        return float(self._popularity[number]) / 8

    def human_gene(self, identifier: str) -> str:
        """The id of the human gene that corresponds to a gene of mouse or rat; empty where none is known.

        >>> shipped_names().human_gene("MGI:98834")
        'HGNC:11998'
        """
        number = self.number_of(identifier)
        found = "" if number is None else self.concept(number).id
        return found if found.startswith("HGNC:") else ""

    def label(self, number: int) -> str:
        """What its database calls a concept: the approved symbol of a gene, the heading of a disease."""
        return self._labels[number]

    def labelled(self, label: str) -> tuple[int, ...]:
        """The concepts that their database calls so."""
        return self._by_label.get(label, ())

    @cached_property
    def _by_label(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for number, label in enumerate(self._labels[: len(self._class)]):
            found[label] = (*found.get(label, ()), number)
        return found

    @cached_property
    def _labels(self) -> list[str]:
        text: bytes = self._arrays["labels"].tobytes()
        return text.decode().split("\n")

    @property
    def sorted_keys(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """All keys as one text of lines, and where each line ends: for compiled search."""
        return self._arrays["keys"], self._ends

    @cached_property
    def meanings_by_key(self) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]:
        """Where the meanings of each key start; of each meaning the kind of its name and the class of its thing, as numbers."""
        return self._first, (self._kinds >> 2).astype(np.uint8), self._class[self._concepts]

    def keys_of(self, number: int) -> list[str]:
        """All keys under which a concept is found."""
        return [key for key, _ in self.names_of(number)]

    def names_of(self, number: int) -> list[tuple[str, NameKind]]:
        """All keys under which a concept is found, each with what the name is to it."""
        first, last = np.searchsorted(self._sorted_concepts, (number, number + 1))
        entries = np.sort(self._by_concept[first:last])
        places = np.searchsorted(self._first, entries, side="right") - 1
        return [
            (self._key(int(place)).decode(), NameKind(int(self._kinds[entry]) >> 2))
            for place, entry in zip(places, entries, strict=True)
        ]

    @cached_property
    def _by_concept(self) -> NDArray[np.int64]:
        """The entries of the table in the order of their concepts."""
        return np.argsort(self._concepts, kind="stable")

    @cached_property
    def _sorted_concepts(self) -> NDArray[Any]:
        return self._concepts[self._by_concept]

    def number_of(self, identifier: str) -> int | None:
        """The number of the concept with an id; of a mouse or rat gene that of the human gene, if it has one.

        >>> table = shipped_names()
        >>> table.number_of("MGI:1346858") == table.number_of("HGNC:6871"), table.number_of("UP:P28482")
        (True, None)
        >>> table.number_of("MESH:D004958") == table.number_of("CHEBI:23965")
        True
        """
        database, _, local = identifier.partition(":")
        database = database.upper()
        if database == "FPLX":
            found = [self._first_family + self._families.index(local)] if local in self._families else []
        elif database in DATABASES and (digits := local[local[:1] in _LETTERS.get(database, ()) :]).isdecimal():
            number = int(digits) + (10**6 if database == "MESH" and len(digits) > 6 else 0)
            number += 10**9 if local[0] == "C" else 0
            counterparts = {"MGI": self._mouse, "RGD": self._rat, "MESH": self._mesh}.get(database)
            found = [] if counterparts is None else np.flatnonzero(counterparts == number).tolist()
            own = (self._database == DATABASES.index(database)) & (self._number == number)
            found = [*found, *np.flatnonzero(own).tolist()]
        else:
            found = []
        return int(found[0]) if found else None

    def _key(self, place: int) -> bytes:
        return _line(self._keys, self._ends, place)

    def _place(self, key: bytes) -> int | None:
        return _place(self._keys, self._ends, key)


def _line(text: memoryview, ends: NDArray[np.int64], place: int) -> bytes:
    start = int(ends[place - 1]) + 1 if place else 0
    return bytes(text[start : int(ends[place])])


def _place(text: memoryview, ends: NDArray[np.int64], key: bytes) -> int | None:
    """The number of the line that is the key, of sorted lines."""
    place = bisect_left(range(len(ends)), key, key=lambda place: _line(text, ends, place)) if key else len(ends)
    return place if place < len(ends) and _line(text, ends, place) == key else None


def with_places(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays of the file, where each key ends, and where its meanings begin."""
    first = np.concatenate([[0], np.cumsum(arrays["meanings"], dtype=np.int64)])
    return {**arrays, "ends": np.flatnonzero(arrays["keys"] == ord("\n")), "first": first}


_LETTERS = {"MESH": "DC"}
"""What a number may begin with: a heading of MeSH, or an entry of its supplement."""


def _local(database: str, number: int) -> str:
    """The number as the database writes it. MeSH: D (C: supplement) and six digits, or nine since they ran out of six."""
    if database == "MESH":
        letter, number = ("D", number) if number < 10**9 else ("C", number - 10**9)
        return f"{letter}{number:06d}" if number < 10**6 else f"{letter}{number - 10**6:09d}"
    return f"{number:07d}" if database == "MONDO" else str(number)


@cache
def _by_hand() -> dict[str, tuple[str, str]]:
    """Key → how the name is written, and its id: the names that people added to those of the databases."""
    lines = resource_path("lexicon", "names_by_hand.tsv").read_text(encoding="utf-8").splitlines()
    return {name_key(name): (name, identifier) for name, identifier, *_ in (line.split("\t") for line in lines)}


@cache
def _supplement() -> Mapping[str, NDArray[Any]]:
    """Sorted keys of names, as lines, where each ends, and the number of each in MeSH's supplement."""
    return kept_tables(
        resource_path("lexicon", "supplement.npz"),
        lambda path: {**(arrays := read_npz(path)), "ends": np.flatnonzero(arrays["keys"] == ord("\n"))},
    )


@cache
def shipped_names() -> NameTable:
    """The table that ships, read once."""
    return NameTable.read(resource_path("lexicon", "names.npz"))
