"""Answers that were given elsewhere: in a sheet of RelHash, in another curation, in Label Studio, in INCEpTION."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from relhash.errors import CorpusError
from relhash.models.answers.answer import Answer, answer_of, read_answers
from relhash.web.curation import Curation
from relhash.web.exchange.inception import inception_relations
from relhash.web.exchange.label_studio import label_studio_relations
from relhash.web.exchange.linked_spans import LinkedSpans, Places
from relhash.web.requests import CuratorName
from relhash.web.store import Given

AT_MOST = 100_000
"""Answers of one file."""


@dataclass(slots=True)
class Imported:
    """Answers that fit the text, how many do not, and what there is to say."""

    answers: list[Given] = field(default_factory=list)
    skipped: int = 0
    detail: str = ""


def answers_from(content: bytes, format: str, curation: Curation, curator: str) -> Imported:
    """The answers of a file about candidates of the text.

    What the same person has answered here already stays as it is.
    """
    found = READERS[format](content, curation, curator)
    if len(found.answers) > AT_MOST:
        raise CorpusError(f"more than {AT_MOST:,} answers", remedy="cut the file")
    last = {(one.key, one.curator): one for one in found.answers}
    with curation.lock:
        found.answers = [one for one in last.values() if one.curator not in curation.answers.of(one.key)]
    known = len(last) - len(found.answers)
    found.detail = f"{known} were here already" if known else ""
    return found


def _own(content: bytes, curation: Curation, curator: str) -> Imported:
    """What ``relhash review`` wrote and somebody filled, or an export of another curation."""
    suffix = _suffix(content)
    found = Imported()
    if suffix == ".jsonl" and (rows := _rows_with_answers(content)) is not None:
        for line in rows:
            _add(found, curation, line["key"], line["answers"], line.get("draw"))
        return found
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"answers{suffix}"
        path.write_bytes(content)
        try:
            read = read_answers(path)
        except CorpusError as error:
            raise CorpusError(error.message, where=error.where, remedy=error.remedy) from error
    for one in read:
        row = curation.row(one.key)
        names = set() if row is None else {" ".join(m.text.split()) for m in curation.teaching.candidates[row].mentions}
        if row is None or (one.entities and not {" ".join(name.split()) for name in one.entities} <= names):
            found.skipped += 1
        else:
            found.answers.append(Given(one.key, curator, one.answer, draw=one.draw))
    return found


def _rows_with_answers(content: bytes) -> list[dict[str, Any]] | None:
    """Lines of an export that tell who answered what; ``None`` if the file is none."""
    try:
        rows = [json.loads(line) for line in content.decode("utf-8").split("\n") if line.strip()]
    except ValueError:
        return None
    is_export = bool(rows) and all(
        isinstance(row, dict) and isinstance(row.get("key"), str) and isinstance(row.get("answers"), list) for row in rows
    )
    return rows if is_export else None


def _add(found: Imported, curation: Curation, key: str, answers: Iterable[Any], draw: Any) -> None:
    types = curation.teaching.model.relation_types.names
    for one in answers:
        try:
            name = str(TypeAdapter(CuratorName).validate_python(one["curator"]))
            answer = answer_of(str(one["answer"]))
            drawn = float(draw) if draw not in (None, "") else None
        except (ValidationError, CorpusError, ValueError, TypeError, KeyError):
            found.skipped += 1
            continue
        if curation.row(key) is None or answer is None or (drawn is not None and not 0 < drawn <= 1):
            found.skipped += 1
            continue
        relation = one.get("type") if one.get("type") in types else None
        found.answers.append(Given(key, name, answer, relation, drawn))


def _suffix(content: bytes) -> str:
    """The kind of a file by its beginning."""
    if content.startswith(b"PK"):
        return ".xlsx"
    start = content[:2000].lstrip(b"\xef\xbb\xbf \r\n\t")
    if start.startswith((b"{", b"[")):
        return ".jsonl"
    return ".tsv" if b"\t" in start.partition(b"\n")[0] else ".csv"


def _linked(read: Callable[[Any], Iterable[LinkedSpans]]) -> Callable[[bytes, Curation, str], Imported]:
    """Answers from pairs of marked spans: a relation is a yes, one of a type that means no relation a no."""

    def take(content: bytes, curation: Curation, curator: str) -> Imported:
        try:
            data = json.loads(content.decode("utf-8-sig"))
        except ValueError as error:
            raise CorpusError(f"not JSON ({error})", remedy="export as JSON") from error
        places, found = Places(curation), Imported()
        types = curation.teaching.model.relation_types.names
        try:
            for link in read(data):
                key = places.find(link)
                if key is None:
                    found.skipped += 1
                    continue
                relation = link.type if link.type in types else None
                answer = Answer.NO if link.is_none else Answer.YES
                found.answers.append(Given(key, link.curator or curator, answer, relation))
        except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
            raise CorpusError(f"not such an export ({type(error).__name__}: {error})", remedy="export as JSON") from error
        return found

    return take


READERS: dict[str, Callable[[bytes, Curation, str], Imported]] = {
    "relhash": _own,
    "label-studio": _linked(label_studio_relations),
    "inception": _linked(inception_relations),
}
"""Formats by name."""
