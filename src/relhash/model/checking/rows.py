"""Claims out of files: JSON Lines, tables, INDRA's JSON, and corpora whose relations join ids.

=================================  ===================================================================================
file                               one claim per
=================================  ===================================================================================
JSON Lines, or a JSON list         object with ``sentence``, ``subject``, ``object``, ``type``
CSV, TSV, .xlsx                    row; columns by their headings, or as ``--map subject=gene_a`` says
table of ``relhash predict``       row
INDRA Statement JSON               evidence of a statement
BioC, PubTator, JSON documents, …  relation; every sentence that has both is looked at, and the best counts
=================================  ===================================================================================
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from relhash.candidates.gold import CAUSE, role_of
from relhash.corpus.document import Document, Mention, Relation
from relhash.corpus.read_write import stream
from relhash.corpus.remarks import check_characters, errors_at
from relhash.corpus.source import content_name, open_text
from relhash.corpus.tables.columns import plain_heading
from relhash.corpus.tables.sheets import read_sheets
from relhash.errors import CorpusError, ParameterError
from relhash.language.sentences import split_sentences
from relhash.model.tables.statements import without_marks

UNKNOWN_NAMES = frozenset({"", "?", "none", "null", "unknown", "-"})


@dataclass(frozen=True, slots=True)
class Claim:
    """Subject, type and object, and the sentence that is said to state them.

    Attributes
    ----------
    subject, object
        Names, as symbols or as the text has them. An empty one is unknown: then the statement is about the other alone.
    subject_ids, object_ids
        Database ids, if the row has any; they decide what is looked for.
    subject_span, object_span
        Where the row says that they stand in the sentence, if it does.
    row
        The row as it was given, to be handed back.
    """

    sentence: str
    subject: str
    object: str
    type: str
    subject_ids: tuple[str, ...] = ()
    object_ids: tuple[str, ...] = ()
    subject_span: tuple[int, int] | None = None
    object_span: tuple[int, int] | None = None
    row: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        check_characters((self.sentence, self.subject, self.object, self.type, *self.subject_ids, *self.object_ids))

    @property
    def has_subject(self) -> bool:
        return self.subject.strip().lower() not in UNKNOWN_NAMES

    @property
    def has_object(self) -> bool:
        return self.object.strip().lower() not in UNKNOWN_NAMES


HEADINGS: dict[str, tuple[str, ...]] = {
    "sentence": ("sentence", "text", "evidence", "evidencetext", "sentencetext", "passage", "quote", "context", "marked"),
    "subject": (
        "subject", "subj", "subjectname", "source", "agent", "regulator", "head", "entity1", "cause", "enzyme", "enz", "from",
        "gene1", "protein1", "genea", "proteina", "tf", "e1",
    ),
    "object": (
        "object", "obj", "objectname", "target", "patient", "tail", "entity2", "theme", "substrate", "sub", "to", "gene2",
        "protein2", "geneb", "proteinb", "tg", "e2",
    ),
    "type": ("type", "relation", "predicate", "statementtype", "stmttype", "relationtype", "interaction", "verb"),
    "subject_ids": ("subjectid", "subjectids", "subjid", "sourceid", "ids1", "id1", "headid", "agentid"),
    "object_ids": ("objectid", "objectids", "objid", "targetid", "ids2", "id2", "tailid"),
}  # fmt: skip
"""What a claim needs, and what a column with it may be called; compared without case, blanks and punctuation."""
NEEDED = ("sentence", "subject", "object", "type")
VERDICTS = ("verdict", "correct", "label", "judgement", "judgment", "answer", "gold", "right")
PAPERS = ("pmid", "paper", "document", "pmcid", "doi")
_RIGHT = frozenset({"correct", "yes", "y", "true", "1", "x", "right", "supported"})
_INDRA_ROLES = (("subj", "obj"), ("enz", "sub"), ("gef", "ras"), ("gap", "ras"), ("agent",))
_INDRA_DATABASES = ("HGNC", "FPLX", "CHEBI", "MESH", "MGI", "RGD", "MONDO", "DOID")


@dataclass(frozen=True, slots=True)
class Rows:
    """The claims of a file, grouped as its rows: of the claims of one group the best counts.

    ``statements`` is INDRA's own list, if the file is one, so that it can be written back with the verdicts in it.
    """

    groups: Iterable[Sequence[Claim]]
    columns: tuple[str, ...] = ()
    statements: list[dict[str, Any]] | None = None


def read_claims(path: Path, mapped: Mapping[str, str] | None = None, encoding: str | None = None) -> Rows:
    """The claims of a file in any of the forms above.

    Parameters
    ----------
    mapped
        ``subject``, ``object``, ``sentence``, ``type`` (and ``subject_ids``, ``object_ids``) → the column that holds it, where
        the heading is not known.
    """
    mapped = dict(mapped or {})
    unknown = sorted(set(mapped) - set(HEADINGS))
    if unknown:
        raise ParameterError(f"--map {unknown[0]}=…: a claim has {', '.join(HEADINGS)}")
    name = content_name(path).lower()
    if name.endswith((".csv", ".tsv", ".xlsx", ".txt", ".tab")) or str(path) == "-":
        return _of_table(path, mapped, encoding)
    if name.endswith((".jsonl", ".ndjson", ".json")):
        records = _json_records(path)
        if records is not None:
            return _of_records(records, path, mapped)
    return Rows(_of_documents(stream(path)), ("document", "subject", "object", "type", "sentence"))


def claims_of(records: Iterable[Mapping[str, Any]], mapped: Mapping[str, str] | None = None) -> list[Claim]:
    """The claims of records with ``sentence``, ``subject``, ``object``, ``type``; an error says which record lacks what."""
    numbered = list(enumerate(records, 1))
    return [claim for group in _of_records(numbered, None, dict(mapped or {})).groups for claim in group]


def judged_rows(claims: Iterable[Claim], path: Path) -> tuple[list[Claim], list[bool], list[str]]:
    """Claims with verdicts, whether each was found right, and its paper (its sentence, where no column names papers).

    Right is what the column ``verdict`` (or ``correct``, ``label``, …) calls so: *correct*, *yes*, *true*, *1*, *x*; everything
    else that is not empty is wrong.
    """
    kept, right, papers = [], [], []
    for claim in claims:
        cells = {plain_heading(str(name)): value for name, value in claim.row.items()}
        verdict = next((cells[name] for name in VERDICTS if name in cells), None)
        if verdict is None:
            remedy = f"a column {', '.join(VERDICTS[:3])} … with correct, yes, 1 or x for right rows"
            raise CorpusError("no column holds the verdicts", path=path, remedy=remedy)
        if str(verdict).strip():
            kept.append(claim)
            right.append(str(verdict).strip().lower() in _RIGHT)
            papers.append(str(next((cells[name] for name in PAPERS if cells.get(name)), claim.sentence)))
    return kept, right, papers


def _json_records(path: Path) -> list[tuple[int, Any]] | None:
    """The objects of JSON Lines or of a JSON list with their line or place; ``None`` for documents of our own or of BioC."""
    with open_text(path) as handle:
        try:
            text = handle.read()
        except UnicodeDecodeError as error:
            raise CorpusError(f"not UTF-8 ({error})", path=path, remedy="convert it to UTF-8") from None
    records: list[tuple[int, Any]] = []
    try:
        if text.lstrip()[:1] == "[":
            records = list(enumerate(json.loads(text), 1))
        else:
            lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
            records = [(number, json.loads(line)) for number, line in lines]
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] == "{" and not records:
            return None  # one object over many lines: BioC
        remedy = "one JSON object per line, or a list of them"
        raise CorpusError(f"not JSON ({error})", path=path, where=len(records) + 1, remedy=remedy) from None
    first = records[0][1] if records else {}
    is_document = isinstance(first, dict) and ({"documents", "passages", "mentions"} & first.keys()) and "sentence" not in first
    return None if is_document else records


def _of_records(records: Sequence[tuple[int, Any]], path: Path | None, mapped: Mapping[str, str]) -> Rows:
    if not records:
        raise CorpusError("no rows", path=path)
    if all(isinstance(record, dict) and "evidence" in record and "type" in record and _agents(record) for _, record in records):
        statements = [record for _, record in records]
        return Rows(_of_indra(statements, path), statements=statements)
    names = list(dict.fromkeys(key for _, record in records if isinstance(record, Mapping) for key in record))
    columns = _columns(names, path, mapped)
    return Rows(([_claim(record, columns, path, number)] for number, record in records), tuple(names))


def _of_table(path: Path, mapped: Mapping[str, str], encoding: str | None) -> Rows:
    wanted = {plain_heading(column) for column in mapped.values()} | {name for names in HEADINGS.values() for name in names}
    for sheet in read_sheets(path, encoding, lambda cells: sum(plain_heading(cell) in wanted for cell in cells)):
        records = (record for record in sheet.records if not record.is_blank)
        header = next(records, None)
        if header is None:
            continue
        names = [cell.strip() for cell in header.cells]
        columns = _columns(names, path, mapped)
        rows = ([_claim(dict(zip(names, one.cells, strict=False)), columns, path, one.where)] for one in records)
        return Rows(rows, tuple(names))
    raise CorpusError("no rows", path=path)


def _columns(names: Sequence[str], path: Path | None, mapped: Mapping[str, str]) -> dict[str, str]:
    """What a claim needs → the column that holds it."""
    plain = {plain_heading(name): name for name in reversed(names)}
    found = {}
    for part, headings in HEADINGS.items():
        if part in mapped:
            if mapped[part] not in names:
                raise CorpusError(f"--map {part}={mapped[part]}: there is no such column", path=path, remedy=_listed(names))
            found[part] = mapped[part]
        else:
            known = next((plain[heading] for heading in headings if heading in plain), None)
            if known is not None:
                found[part] = known
    missing = [part for part in NEEDED if part not in found]
    if missing:
        remedy = f"say which column it is: --map {missing[0]}=COLUMN; {_listed(names)}"
        raise CorpusError(f"no column holds the {missing[0]}", path=path, where=1, remedy=remedy)
    return found


def _listed(names: Sequence[str]) -> str:
    return f"columns found: {', '.join(map(repr, names[:12]))}"


def _claim(record: Any, columns: Mapping[str, str], path: Path | None, where: int | str) -> Claim:
    if not isinstance(record, Mapping):
        raise CorpusError("not a JSON object", path=path, where=where)
    cells = {part: record.get(column) for part, column in columns.items()}
    for part in NEEDED:
        if not isinstance(cells[part], str | None) or (part == "sentence" and not (cells[part] or "").strip()):
            raise CorpusError(f"the {part} is missing or no text", path=path, where=where)
    sentence, spans = without_marks(str(cells["sentence"]))
    if "marked" in record and isinstance(record["marked"], str) and not spans:
        same, own = without_marks(record["marked"])
        spans = own if same == sentence else {}
    with errors_at(path, where):
        return Claim(
            sentence, cells["subject"] or "", cells["object"] or "", cells["type"] or "",
            _ids(cells.get("subject_ids")), _ids(cells.get("object_ids")), spans.get("1"), spans.get("2"), record,
        )  # fmt: skip


def _ids(given: Any) -> tuple[str, ...]:
    """Ids of a cell (``HGNC:6840;MGI:1346866``), of a list, or of an object by database, as INDRA has them."""
    if isinstance(given, Mapping):
        return _indra_ids(given)
    if isinstance(given, str):
        return tuple(filter(None, re.split(r"[;,|\s]+", given)))
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def _agents(statement: Mapping[str, Any]) -> list[Mapping[str, Any] | None]:
    """The agents of an INDRA statement, subject first; a complex has members."""
    members = statement.get("members")
    if isinstance(members, list):
        return members
    return next(([statement.get(role) for role in roles] for roles in _INDRA_ROLES if roles[-1] in statement), [])


def _indra_ids(refs: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{name}:{str(refs[name]).removeprefix(name + ':')}" for name in _INDRA_DATABASES if refs.get(name))


def _of_indra(statements: Sequence[dict[str, Any]], path: Path | None) -> Iterator[list[Claim]]:
    """One group per evidence; of a complex of more than two the first two are taken, as readers do."""
    for number, statement in enumerate(statements, 1):
        try:
            with errors_at(path, f"statement {number}"):
                claims = list(_of_statement(statement))
        except (AttributeError, TypeError, ValueError) as error:
            raise CorpusError(f"not a statement of INDRA ({error})", path=path, where=f"statement {number}") from None
        yield from ([claim] for claim in claims)


def _of_statement(statement: dict[str, Any]) -> Iterator[Claim]:
    agents = [*_agents(statement), None][:2]
    subject, object = (str((agent or {}).get("name", "")) for agent in agents)
    ids, other_ids = (_indra_ids((agent or {}).get("db_refs", {})) for agent in agents)
    for evidence in statement.get("evidence") or ():
        text = str(evidence.get("text") or "")
        coords = evidence.get("annotations", {}).get("agents", {}).get("coords") or [None, None]
        span, other = (
            (int(one[0]), int(one[1])) if isinstance(one, list) and len(one) == 2 else None for one in [*coords, None, None][:2]
        )
        row = {"statement": statement, "evidence": evidence}
        yield Claim(text, subject, object, str(statement["type"]), ids, other_ids, span, other, row)


def _of_documents(documents: Iterable[Document]) -> Iterator[list[Claim]]:
    """One group per relation: a claim for every sentence that has mentions of both."""
    for document in documents:
        split = split_sentences(document)
        joined: dict[object, tuple[str, Mention, Mention]] = {}  # a relation between ids joins their mentions in every sentence
        for relation in document.relations:
            ends = _ends(relation, document)
            if ends is not None:
                joined.setdefault((relation.type, *(one.ids or one.id for one in ends)), (relation.type, *ends))
        for kind, first, second in joined.values():
            yield _in_sentences(split, kind, first, second)


def _ends(relation: Relation, document: Document) -> tuple[Mention, Mention] | None:
    """The first two entities of a relation; what is said to be the cause comes first."""
    given = [
        (one.role, document.mention_by_id[one.target]) for one in relation.arguments if one.target in document.mention_by_id
    ]
    if len(given) < 2:
        return None
    (_, first), (_, second) = sorted(given[:2], key=lambda one: role_of(one[0]) != CAUSE)
    return first, second


def _in_sentences(document: Document, kind: str, first: Mention, second: Mention) -> list[Claim]:
    row = {"document": document.id, "subject": first.text, "object": second.text, "type": kind}
    claims = []
    for sentence in document.sentences:
        inside = [m for m in document.entities if sentence.start <= m.start and m.end <= sentence.end]
        ones, others = ([m for m in inside if m is end or set(m.ids) & set(end.ids)] for end in (first, second))
        pairs = [(a, b) for a in ones for b in others if a is not b]
        if pairs:
            a, b = min(pairs, key=lambda pair: abs(pair[0].start - pair[1].start))
            text = document.text[sentence.start : sentence.end]
            span, other = ((m.start - sentence.start, m.end - sentence.start) for m in (a, b))
            claims.append(Claim(text, a.text, b.text, kind, a.ids, b.ids, span, other, {**row, "sentence": text}))
    return claims or [Claim(document.text, first.text, second.text, kind, first.ids, second.ids, row={**row, "sentence": ""})]
