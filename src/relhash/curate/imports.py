"""Answers that were given elsewhere: in a sheet of RelHash, in another curation, in Label Studio, in INCEpTION.

The annotation tools export two marked stretches of a text that are joined; the candidate that is meant is found by its place.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from relhash.candidates.candidate import Candidate
from relhash.corpus.tables.labels import meaning_of_label
from relhash.curate.curation import Curation
from relhash.curate.messages import CuratorName
from relhash.curate.store import Given
from relhash.errors import CorpusError
from relhash.model.answers.answer import Answer, answer_of, corrections, read_answers
from relhash.model.answers.teaching import is_about


@dataclass(frozen=True, slots=True)
class LinkedSpans:
    """A relation between two spans of a text, as an annotation tool exports it; ``document`` is an id, if the file has one."""

    text: str
    first: tuple[int, int]
    second: tuple[int, int]
    type: str = ""
    document: str = ""
    curator: str = ""

    @property
    def is_none(self) -> bool:
        """Whether the type says that there is no relation (``no``, ``none``, ``0``)."""
        return bool(self.type) and meaning_of_label(self.type)[0] == "no"


class Places:
    """Finds candidates by the places of their names, whichever of the two comes first."""

    def __init__(self, curation: Curation) -> None:
        self._documents = {document.id: document.text for document in curation.documents}
        self._by_text = {text.strip(): identifier for identifier, text in self._documents.items()}
        self._candidates: dict[str, list[Candidate]] = {}
        for candidate in curation.teaching.candidates:
            if len(candidate.participants) == 2:
                self._candidates.setdefault(candidate.document.id, []).append(candidate)

    def find(self, link: LinkedSpans) -> tuple[str, tuple[str, ...]] | None:
        """The key of the candidate, and its names where they are cut in another way; ``None`` if the text has no such names."""
        identifier = link.document if self._documents.get(link.document) == link.text else self._by_text.get(link.text.strip())
        if identifier is None:
            return None
        # a tool may have added or dropped blanks at the beginning
        shift = _lead(self._documents[identifier]) - _lead(link.text)
        spans = sorted((start + shift, end + shift) for start, end in (link.first, link.second))
        best, key, names = 0.0, "", tuple[str, ...]()
        for candidate in self._candidates.get(identifier, ()):
            mentions = sorted(candidate.participants, key=lambda one: one.start)
            shared = min(_shared((one.start, one.end), span) for one, span in zip(mentions, spans, strict=True))
            if shared > best:
                text = self._documents[identifier]
                own = {one.id: "" if (one.start, one.end) == span else text[slice(*span)] for one, span in zip(mentions, spans)}
                best, key, names = shared, candidate.key, tuple(own[one.id] for one in candidate.participants)
        return (key, names) if key else None


def _shared(one: tuple[int, int], other: tuple[int, int]) -> float:
    """The share of characters that both have, of those that one of them has: 1 if they are the same."""
    return (min(one[1], other[1]) - max(one[0], other[0])) / (max(one[1], other[1]) - min(one[0], other[0]))


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip())


def inception_relations(cas: Any) -> Iterator[LinkedSpans]:
    """The relations of a document in "UIMA CAS JSON" (0.4), feature structures that refer to each other by number.

    A relation is whatever has a ``Governor`` and a ``Dependent`` that are spans; its type is its first feature that is a text.
    The dependency layer is left out: it is grammar. Offsets of UIMA are UTF-16 units; they become characters.
    """
    structures = cas["%FEATURE_STRUCTURES"]
    by_number = {one["%ID"]: one for one in structures} if isinstance(structures, list) else structures
    by_number = {int(number): one for number, one in by_number.items()}
    text = next(str(one["sofaString"]) for one in by_number.values() if one.get("%TYPE", "").endswith("Sofa"))
    places = _utf16_places(text)
    named = (str(one[name]) for name in ("documentTitle", "documentId") for one in by_number.values() if one.get(name))
    title = next(named, "")
    for one in by_number.values():
        ends = [by_number.get(one.get(name, -1)) for name in ("@Governor", "@Dependent")]
        if ".dependency." in one.get("%TYPE", "") or not all(end is not None and "begin" in end for end in ends):
            continue
        first, second = ((places[end["begin"]], places[end["end"]]) for end in ends if end is not None)
        labels = (value for name, value in one.items() if isinstance(value, str) and not name.startswith("%"))
        yield LinkedSpans(text, first, second, next(labels, ""), title)


def _utf16_places(text: str) -> list[int]:
    """UTF-16 unit → character."""
    places: list[int] = []
    for number, character in enumerate(text):
        places += [number] * (2 if ord(character) > 0xFFFF else 1)
    return [*places, len(text)]


def label_studio_relations(tasks: Any) -> Iterator[LinkedSpans]:
    """The relations of all annotations that were not cancelled, of tasks in the JSON of Label Studio.

    The text is the value of ``data`` that is a text and not an id; its document is found by ``data.id`` or ``data.document``,
    or by the text itself. Offsets are those of Label Studio's ``<Text>``: characters.
    """
    if not isinstance(tasks, list):
        raise TypeError("a list of tasks is expected")
    for task in tasks:
        data = task["data"]
        document = str(data.get("document") or data.get("id") or "")
        text = str(data["text"]) if "text" in data else max((str(value) for value in data.values()), key=len)
        for annotation in task.get("annotations") or task.get("completions") or []:
            if annotation.get("was_cancelled"):
                continue
            result = annotation.get("result") or []
            regions = {
                one["id"]: (int(one["value"]["start"]), int(one["value"]["end"]))
                for one in result
                if one.get("type") != "relation" and "start" in one.get("value", {})
            }
            for one in result:
                if one.get("type") == "relation" and one["from_id"] in regions and one["to_id"] in regions:
                    label = next(iter(one.get("labels") or []), "")
                    ends = regions[one["from_id"]], regions[one["to_id"]]
                    yield LinkedSpans(text, *ends, str(label), document, _who(annotation))


def _who(annotation: dict[str, Any]) -> str:
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("id")
    return "" if by in (None, "") else f"label-studio {str(by)[:60]}"


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
    try:
        found = READERS[format](content, curation, curator)
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RuntimeError) as error:
        raise CorpusError(f"not such a file ({type(error).__name__}: {error})", remedy="export it again") from error
    if len(found.answers) > AT_MOST:
        raise CorpusError(f"more than {AT_MOST:,} answers", remedy="cut the file")
    last = {(one.key, one.curator): one for one in found.answers}
    with curation.lock:
        found.answers = [one for one in last.values() if one.curator not in curation.answers.of(one.key)]
    known = len(last) - len(found.answers)
    found.detail = f"{known} were here already" if known else ""
    return found


def _own(content: bytes, curation: Curation, curator: str) -> Imported:
    """A sheet of ``relhash review`` with answers, or an export of another curation."""
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
    by_key = {candidate.key: candidate for candidate in curation.teaching.candidates}
    right = corrections((by_key[one.key], one.names) for one in read if one.key in by_key)
    for one in read:
        if one.key not in by_key or not is_about(one, by_key[one.key], right):
            found.skipped += 1
        else:
            found.answers.append(Given(one.key, curator, one.answer, draw=one.draw, names=one.names))
    return found


def _rows_with_answers(content: bytes) -> list[dict[str, Any]] | None:
    """Lines of an export that tell who answered what; ``None`` if the file is none."""
    try:
        rows = [json.loads(line) for line in content.decode("utf-8").split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return None
    is_export = bool(rows) and all(
        isinstance(row, dict) and isinstance(row.get("key"), str) and isinstance(row.get("answers"), list) for row in rows
    )
    return rows if is_export else None


def _add(found: Imported, curation: Curation, key: str, answers: Iterable[Any], draw: Any) -> None:
    types = curation.teaching.model.relation_types.names
    for one in answers:
        try:
            name, answer = _curator(one["curator"]), answer_of(str(one["answer"]))
            drawn = float(draw) if draw not in (None, "") else None
        except (CorpusError, ValueError, TypeError, KeyError):
            name = answer = drawn = None
        if curation.row(key) is None or name is None or answer is None or (drawn is not None and not 0 < drawn <= 1):
            found.skipped += 1
            continue
        relation = one.get("type") if one.get("type") in types else None
        names = tuple(str(said) for said in one.get("names") or ())
        found.answers.append(Given(key, name, answer, relation, drawn, names=names))


def _curator(name: Any) -> str | None:
    """The name, if it is one that the page would take: with nothing in it that cannot be seen."""
    try:
        return str(TypeAdapter(CuratorName).validate_python(name))
    except ValidationError:
        return None


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
        for link in read(data):
            place, name = places.find(link), _curator(link.curator or curator)
            if place is None or name is None:
                found.skipped += 1
                continue
            key, names = place
            relation = link.type if link.type in types else None
            answer = Answer.NO if link.is_none else Answer.YES
            found.answers.append(Given(key, name, answer, relation, names=names))
        return found

    return take


READERS: dict[str, Callable[[bytes, Curation, str], Imported]] = {
    "relhash": _own,
    "label-studio": _linked(label_studio_relations),
    "inception": _linked(inception_relations),
}
"""Formats by name."""
