"""Statements in the formats of the field: INDRA JSON (``.indra.json``), BEL (``.bel``), KGX edges (``.kgx.tsv``).

All are made of the rows of a table, so that ``predict`` streams into them. A row states something if it has a ``statement`` and
two participants; others are left out. INDRA and BEL have no word for a regulation whose sign is open, and BEL none for what a
sentence denies: such rows are left out there. Ids are the first of each participant, names its official symbol.
"""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from relhash.biomed.names.table import shipped_names
from relhash.model.tables.format import Row, TextTable
from relhash.model.tables.looks import marked_pieces

if TYPE_CHECKING:
    from relhash.candidates.statements.types import StatementType

OF_STATEMENTS = frozenset({"indra.json", "bel", "kgx.tsv"})
"""Suffixes of these formats."""
OWN_NAME = "relhash"
_INDRA_ROLES = {"modification": ("enz", "sub"), "activity": ("subj", "obj"), "amount": ("subj", "obj")}
_WITH_PREFIX = frozenset({"CHEBI", "MONDO", "DOID", "GO"})
"""Databases whose ids INDRA writes with their prefix, ``CHEBI:16236``."""
_ASSERTIONS = {"negated": {"negated": True}, "speculative": {"hypothesis": True}, "questioned": {"hypothesis": True}}
KNOWLEDGE = {"knowledge_level": "prediction", "agent_type": "text_mining_agent", "primary_knowledge_source": "infores:relhash"}
"""What Biolink wants to know of every edge."""
_PUBMED = re.compile(r"(?:PMID:?\s*)?(\d{4,9})\Z", re.IGNORECASE)


def without_marks(sentence: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """A sentence on one line without the marks of its entities, and where each stands.

    >>> without_marks("[E1]RAF1[/E1] binds [E2]MEK1[/E2].")
    ('RAF1 binds MEK1.', {'1': (0, 4), '2': (11, 15)})
    """
    text = ""
    spans: dict[str, tuple[int, int]] = {}
    for piece in marked_pieces(" ".join(sentence.split())):
        for entity in map(str, piece.within):
            spans[entity] = spans.get(entity, (len(text),))[0], len(text) + len(piece.text)
        text += piece.text
    return text, spans


def publication(document: str) -> str:
    """The paper that a document is, if its name tells, as a CURIE.

    >>> publication("8939848"), publication("PMID: 8939848"), publication("PMC-2222968")
    ('PMID:8939848', 'PMID:8939848', 'PMC-2222968')
    """
    paper = _PUBMED.match(document)
    return f"PMID:{paper[1]}" if paper else document


def _type_of(row: Row) -> StatementType:
    from relhash.candidates.statements.types import shipped_types  # predicting pairs needs none of this

    return shipped_types()[row["statement"]]


@lru_cache(maxsize=4096)
def _symbol(identifier: str, text: str) -> str:
    number = shipped_names().number_of(identifier) if identifier else None
    return text if number is None else shipped_names().label(number)


def _ends(row: Row) -> Iterator[tuple[str, str, str]]:
    """Text, first id and symbol of subject and object."""
    for number in (1, 2):
        text, identifier = str(row[f"entity{number}"]), str(row.get(f"ids{number}") or "").partition(";")[0]
        yield text, identifier, _symbol(identifier, text)


def _stated(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows that state something, each statement about two mentions once, whatever words say it."""
    document: Any = None
    seen: set[tuple[Any, ...]] = set()
    for row in rows:
        if row["document"] != document:
            document, seen = row["document"], set()
        key = tuple(row.get(name) for name in ("statement", "start1", "end1", "start2", "end2"))
        if row.get("statement") and row.get("entity2") and key not in seen:
            seen.add(key)
            yield row


class IndraJson(TextTable):
    """A JSON list of statements, as ``indra.statements.stmts_from_json`` reads it."""

    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        mark = "["
        for row in _stated(rows):
            if (statement := _indra(row)) is not None:
                yield mark + json.dumps(statement, ensure_ascii=False)
                mark = ","
        yield "]" if mark == "," else "[]"


def _indra(row: Row) -> dict[str, Any] | None:
    kind = _type_of(row)
    agents = [_agent(*end) for end in _ends(row)]
    own: dict[str, Any] = {"type": kind.name}
    if kind.kind == "complex":
        own["members"] = agents
    elif kind.name == "Autophosphorylation":
        own["enz"] = agents[0]
    elif kind.kind in _INDRA_ROLES:
        own |= dict(zip(_INDRA_ROLES[kind.kind], agents, strict=True))
        own |= {"obj_activity": "activity"} if kind.kind == "activity" else {}
    else:
        return None
    text, spans = without_marks(str(row["marked"]))
    paper = _PUBMED.match(str(row["document"]))
    evidence = {
        "source_api": OWN_NAME,
        "source_id": f"{row['document']}:{row['start1']}-{row['end1']}:{row['start2']}-{row['end2']}",
        "text": text,
        **({"pmid": paper[1]} if paper else {}),
        "annotations": {
            "agents": {
                "raw_text": [row["entity1"], row["entity2"]],
                "coords": [list(spans[number]) if number in spans else None for number in ("1", "2")],
            },
            OWN_NAME: {name: row[name] for name in ("probability", "trigger", "perturbation", "assertion")},
        },
        "epistemics": _ASSERTIONS.get(str(row["assertion"]), {}),
    }
    name = json.dumps([own, evidence["source_id"], text], sort_keys=True)
    return own | {"belief": row["probability"], "evidence": [evidence], "id": str(uuid.uuid5(uuid.NAMESPACE_URL, name))}


def _agent(text: str, identifier: str, symbol: str) -> dict[str, Any]:
    database, _, number = identifier.partition(":")
    refs = {database: identifier if database in _WITH_PREFIX else number} if number else {}
    return {"name": symbol, "db_refs": {"TEXT": text, **refs}}


class Bel(TextTable):
    """A BEL script: what each sentence states, with the sentence as its evidence."""

    header = 3

    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        yield 'SET DOCUMENT Name = "Statements found by RelHash"'
        yield 'SET DOCUMENT Version = "1.0.0"'
        yield 'DEFINE NAMESPACE HGNC AS PATTERN ".*"'
        for row in _stated(rows):
            stated = _bel(row)
            if stated is not None and row["assertion"] != "negated":
                text = without_marks(str(row["marked"]))[0].replace("\\", "\\\\").replace('"', '\\"')
                # one line per statement, so that lines count as rows do
                yield f'SET Citation = {{"PubMed", "{row["document"]}"}}\nSET Evidence = "{text}"\n{stated}'


def _bel(row: Row) -> str | None:
    kind = _type_of(row)
    subject, object = (f"p({_namespaced(identifier, symbol)})" for _, identifier, symbol in _ends(row))
    verb = "increases" if kind.sign > 0 else "decreases"
    if kind.kind == "complex":
        return f"complex({subject}, {object})"
    if kind.kind == "modification":
        return f"{subject} {verb} {object[:-1]}, {kind.bel})"
    return f"{subject} {verb} {f'act({object})' if kind.kind == 'activity' else object}" if kind.sign else None


def _namespaced(identifier: str, symbol: str) -> str:
    database = identifier.partition(":")[0] or "TEXT"
    return f"{database}:{symbol}" if re.fullmatch(r"\w+", symbol) else f'{database}:"{symbol.replace(chr(34), "")}"'


class KgxEdges(TextTable):
    """The edges of a knowledge graph in the words of the Biolink model, one row per statement."""

    header = 1
    columns = (
        "id", "subject", "predicate", "object", "category", "original_predicate", "subject_name", "object_name", "negated",
        "publications", *KNOWLEDGE, "belief", "supporting_text",
    )  # fmt: skip

    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        yield "\t".join(self.columns)
        for number, row in enumerate(_stated(rows)):
            (text, subject, name), (other_text, object, other) = _ends(row)
            cells = (
                f"relhash:s{number}", subject or f"relhash:{text}", _type_of(row).biolink,
                object or f"relhash:{other_text}", "biolink:Association", row["statement"], name, other,
                str(row["assertion"] == "negated").lower(), publication(str(row["document"])),
                *KNOWLEDGE.values(), row["probability"], without_marks(str(row["marked"]))[0],
            )  # fmt: skip
            line = io.StringIO()
            csv.writer(line, delimiter="\t", lineterminator="").writerow(" ".join(str(cell).split()) for cell in cells)
            yield line.getvalue()
