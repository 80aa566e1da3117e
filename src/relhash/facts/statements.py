"""The rows of ``relhash predict`` as statements: what one sentence says about two entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relhash.errors import CorpusError
from relhash.facts.entities import EntityKey, entity_key
from relhash.models.tables import read_rows

NEEDED = ("document", "entity1", "entity2", "relation", "probability")
REMEDY = "give a table that relhash predict wrote"


@dataclass(frozen=True, slots=True)
class Participant:
    """A mention: name, type and ids as the row has them, and the entity that it means."""

    name: str
    type: str
    ids: tuple[str, ...]
    key: EntityKey


@dataclass(frozen=True, slots=True)
class Statement:
    """One row; ``sentence``, without marks, tells a sentence from the others of its document."""

    document: str
    participants: tuple[Participant, Participant]
    relation: str
    probability: float
    assertion: str = "asserted"
    is_directed: bool = False
    marked: str = ""
    evidence: str = ""
    is_accepted: bool = True
    sentence: str = ""


def read_statements(paths: Iterable[Path]) -> Iterator[Statement]:
    """The statements of several tables, those that the model did not accept among them (:attr:`Statement.is_accepted`)."""
    for path in paths:
        for number, row in read_rows(path):
            if row.get("trigger") and not row.get("entity2"):
                continue  # an event about one entity relates nothing
            try:
                yield _statement(row)
            except (KeyError, TypeError, ValueError) as error:
                raise CorpusError(_problem(row, error), path=path, where=number, remedy=REMEDY) from error


def _problem(row: Mapping[str, Any], error: Exception) -> str:
    missing = [name for name in NEEDED if name not in row]
    return f"no column {missing[0]!r}" if missing else f"a row that cannot be understood ({error})"


def _statement(row: Mapping[str, Any]) -> Statement:
    probability = float(row["probability"])
    if not 0 <= probability <= 1:
        raise ValueError(f"probability {probability:g}")
    return Statement(
        document=_named(row, "document"),
        participants=(_participant(row, 1), _participant(row, 2)),
        relation=_named(row, "relation"),
        probability=probability,
        assertion=str(row.get("assertion") or "asserted"),
        is_directed=_truth(row.get("directed"), otherwise=False),
        marked=str(row.get("marked") or row.get("sentence") or ""),
        evidence=str(row.get("evidence") or ""),
        is_accepted=_truth(row.get("is_relation"), otherwise=True),
        sentence=str(row.get("sentence") or ""),
    )


def _named(row: Mapping[str, Any], column: str) -> str:
    """What stands in a column that must name something: a cell without a value is not the name "None"."""
    value = row[column]
    if value is None or value == "" or isinstance(value, list | dict):
        raise ValueError(f"{column} is {'empty' if value in (None, '') else 'no name'}")
    return str(value)


def _participant(row: Mapping[str, Any], number: int) -> Participant:
    name, kind = _named(row, f"entity{number}"), str(row.get(f"type{number}") or "")
    ids = tuple(one.strip() for one in str(row.get(f"ids{number}") or "").split(";") if one.strip())
    return Participant(name, kind, ids, entity_key(name, kind, ids))


def _truth(value: Any, *, otherwise: bool) -> bool:
    if value is None or value == "":
        return otherwise
    if str(value).lower() not in ("0", "1", "true", "false", "0.0", "1.0"):
        raise ValueError(f"{value!r} is neither 1 nor 0")
    return str(value).lower() in ("1", "true", "1.0")
