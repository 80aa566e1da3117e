"""The types of statements, in the words of the field, and what other vocabularies call them: one table that people can extend.

``resources/statements/types.tsv`` has one row per type: INDRA's name, what kind of thing it is, its sign and its opposite, and
the names in BioNLP, BEL and Biolink and in plain English. A file with the same columns adds rows, or words to a row.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from relhash.errors import CorpusError, OutputError
from relhash.resources import resource_path

COLUMNS = ("type", "kind", "sign", "opposite", "bionlp", "bel", "biolink", "words")
KINDS = ("complex", "modification", "activity", "amount", "localization", "regulation")
SIGNS = {"+": 1, "-": -1, "0": 0, "": 0}
_WORDS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class StatementType:
    """One row of the table.

    Attributes
    ----------
    kind
        ``complex``, ``modification``, ``activity``, ``amount``, ``localization``, or ``regulation``, where a sentence does not
        say whether the amount or the activity is meant.
    sign
        1 if more of the subject is more of what the object does or is, -1 for the opposite, 0 where a type has no sign.
    opposite
        The type of the other sign, if there is one.
    bionlp
        The events of the shared tasks that state it.
    """

    name: str
    kind: str
    sign: int
    opposite: str
    bionlp: tuple[str, ...]
    bel: str
    biolink: str
    words: tuple[str, ...]

    @property
    def has_order(self) -> bool:
        """Whether subject and object differ."""
        return self.kind != "complex"


class StatementTypes(Mapping[str, StatementType]):
    """The table, by name.

    >>> types = shipped_types()
    >>> types["Inhibition"].opposite, types.named("down-regulates").name, types.named("is bound by")
    ('Activation', 'DecreaseAmount', None)
    >>> types.with_sign("amount", -1).name, types.of_event("Protein_catabolism").name
    ('DecreaseAmount', 'DecreaseAmount')
    """

    def __init__(self, rows: Iterable[StatementType]) -> None:
        self._types = {row.name: row for row in rows}
        self._named: dict[str, StatementType] = {}
        for row in self._types.values():
            for word in (row.name, *row.bionlp[:1], row.biolink, *row.words):
                self._named.setdefault(_plain(word), row)

    def __getitem__(self, name: str) -> StatementType:
        return self._types[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def named(self, given: str) -> StatementType | None:
        """The type of this name in any of the vocabularies; ``None`` if no row has the word."""
        return self._types.get(given) or self._named.get(_plain(given))

    def with_sign(self, kind: str, sign: int) -> StatementType:
        """The regulation of this kind and sign; ``Regulation`` where either is open."""
        found = (one for one in self._types.values() if one.kind == kind and one.sign == sign and one.sign and one.opposite)
        return next(found, self._types["Regulation"])

    def of_event(self, event: str) -> StatementType:
        """What an event of the shared tasks states; ``Regulation`` for one that the table does not have."""
        own = (one for one in self._types.values() if event in one.bionlp)
        return self._types.get(event) or next(own, self._types["Regulation"])

    def stated(self, event: str, sign: int, aspect: str) -> StatementType:
        """The type of statement that an event makes whose sign is composed and whose object's aspect is known.

        *Promotes phosphorylation of B* states a phosphorylation (its aspect is the name of that type), *promotes degradation of
        B* a smaller amount, *promotes translocation of B* a translocation.
        """
        kind = self.of_event(event)
        if kind.kind in ("complex", "localization") or event == "Regulation":
            return kind if event != "Regulation" else self._types["Regulation"]
        if kind.kind != "modification" and aspect in self._types:
            kind = self._types[aspect]
            sign *= kind.sign
            kind = kind if kind.sign > 0 or not kind.opposite else self._types[kind.opposite]
        if kind.kind == "modification":
            return kind if kind.sign == sign or not kind.opposite else self._types[kind.opposite]
        return self.of_event("Localization") if aspect == "localization" else self.with_sign(aspect or "activity", sign)

    def extended(self, path: Path) -> StatementTypes:
        """With the rows of a file; a row of a type that is known adds its words."""
        rows = dict(self._types)
        for row in _read(path):
            known = rows.get(row.name)
            if known is None:
                rows[row.name] = row
            else:
                joined = (*known.words, *row.words, *row.bionlp)
                rows[row.name] = StatementType(
                    known.name, known.kind, known.sign, known.opposite, known.bionlp, known.bel, known.biolink, joined
                )
        return StatementTypes(rows.values())


@cache
def shipped_types() -> StatementTypes:
    """The table that ships."""
    return StatementTypes(_read(resource_path("statements", "types.tsv")))


def _plain(word: str) -> str:
    return _WORDS.sub(" ", word.lower().removeprefix("biolink:")).strip()


def _read(path: Path) -> list[StatementType]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise OutputError(f"{path}: cannot be read as a table of types ({error})") from error
    found = []
    for number, row in enumerate(rows, 2):
        if row.get("kind") not in KINDS or row.get("sign") not in SIGNS or not row.get("type"):
            remedy = f"columns {', '.join(COLUMNS)}; kind is one of {', '.join(KINDS)}, sign +, - or 0"
            raise CorpusError("not a row of a table of types", path=path, where=number, remedy=remedy)
        cells = {name: row.get(name) or "" for name in COLUMNS}
        words, bionlp = (tuple(filter(None, cells[name].split("|"))) for name in ("words", "bionlp"))
        found.append(
            StatementType(
                cells["type"], cells["kind"], SIGNS[cells["sign"]], cells["opposite"], bionlp, cells["bel"], cells["biolink"],
                words,
            )
        )  # fmt: skip
    return found
