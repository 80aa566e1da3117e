"""What a person says of a candidate, and the files in which answers come back: sheets, and lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from relhash.corpus.tables.columns import plain_heading
from relhash.corpus.tables.labels import meaning_of_label
from relhash.corpus.tables.rows import read_sheets
from relhash.errors import CorpusError


class Answer(StrEnum):
    """An answer to "does this sentence say that the two are related?"."""

    YES = "yes"
    NO = "no"
    SKIP = "skip"
    """I cannot tell: the question is not asked again, and nothing is learned from it."""
    WRONG_ENTITY = "entity wrong"
    """One of the names is none, or is cut wrongly: the row is wrong, whatever the sentence says."""
    NEGATED = "negated"
    """The sentence denies the relation: as for corpora that do not count such pairs, a no."""

    @property
    def label(self) -> bool | None:
        """Whether the pair is related; ``None`` if the answer does not say."""
        return {"yes": True, "no": False, "negated": False}.get(self.value)

    @property
    def is_right(self) -> bool | None:
        """Whether a row that claims the relation would be right; ``None`` if the answer does not say."""
        return None if self is Answer.SKIP else self is Answer.YES


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with the candidate that it is about.

    Attributes
    ----------
    key
        :attr:`Candidate.key <relhash.candidates.Candidate.key>`.
    draw
        The probability with which the question was drawn, if it was drawn at random (see ``questions.py``).
    entities
        The names that the person saw, to tell a file that belongs to another text; empty if the file does not say.
    where
        The place in the file.
    names
        What ``entity1``, ``entity2``, … should be, where they are wrong (:mod:`relhash.model.answers.corrections`).
    """

    key: str
    answer: Answer
    draw: float | None = None
    entities: tuple[str, ...] = ()
    where: int | str = ""
    names: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool | None:
        """Whether the row is right as it was found: with the right names."""
        return False if any(self.names) else self.answer.is_right


NAME_COLUMNS = ("right1", "right2")
"""Columns for the names as they should be."""
ANSWER_COLUMNS = ("answer", *NAME_COLUMNS, "key", "draw")
"""Columns that a sheet of questions has beside those of ``relhash predict``."""

_SHORT = {
    "y": Answer.YES,
    "n": Answer.NO,
    "s": Answer.SKIP,
    "skipped": Answer.SKIP,
    "g": Answer.WRONG_ENTITY,
    "entity": Answer.WRONG_ENTITY,
    "wrong entity": Answer.WRONG_ENTITY,
    "entities wrong": Answer.WRONG_ENTITY,
    "a": Answer.NEGATED,
    "denied": Answer.NEGATED,
}


def answer_of(text: str) -> Answer | None:
    """The answer that somebody wrote; ``None`` for an empty cell.

    The keys of the page (y, n, s, g, a) are understood, and whatever a column of labels may hold (1/0, ja/nein, a tick).

    >>> answer_of("Y"), answer_of("entity wrong"), answer_of("0"), answer_of("?"), answer_of(" ")
    (<Answer.YES: 'yes'>, <Answer.WRONG_ENTITY: 'entity wrong'>, <Answer.NO: 'no'>, <Answer.SKIP: 'skip'>, None)
    """
    plain = " ".join(text.lower().replace("_", " ").split())
    if not plain:
        return None
    if plain in _SHORT:
        return _SHORT[plain]
    try:
        return Answer(plain)
    except ValueError:
        meaning, relation = meaning_of_label(text)
        if meaning == "open":
            return Answer.SKIP
        if meaning == "no":
            return Answer.NO
        if relation != meaning_of_label("1")[1]:  # a word that names no answer would be taken for the name of a relation
            raise CorpusError(f"{text!r} is no answer", remedy=f"write one of {', '.join(Answer)}") from None
        return Answer.YES


def read_answers(path: Path) -> list[Answered]:
    """The answers of a file that ``relhash review`` or its page wrote, rows without an answer left out.

    A sheet may have been sorted, filtered, and saved by a spreadsheet in its own way. A question that has several different
    answers is an error.
    """
    if not path.is_file():
        raise CorpusError("there is no such file", path=path, remedy="relhash review MODEL TEXT -o review.xlsx makes a sheet")
    if path.suffix.lower() == ".html":
        raise CorpusError(
            "the page itself holds no answers", path=path, remedy="press 'Save answers' on it, and give the file that it saves"
        )
    given = _json_rows(path) if path.suffix.lower() in (".jsonl", ".ndjson", ".json") else _sheet_rows(path)
    found: dict[str, Answered] = {}
    for where, row in given:
        try:
            answer = answer_of(str(row.get("answer") or ""))
            draw = float(row["draw"]) if str(row.get("draw") or "").strip() else None
        except CorpusError as error:
            raise CorpusError(error.message, path=path, where=where, remedy=error.remedy) from None
        except ValueError:
            raise CorpusError(f"draw: {row['draw']!r} is no number", path=path, where=where) from None
        if answer is None:
            continue
        key = str(row.get("key") or "")
        if not key:
            raise CorpusError("the row has no key", path=path, where=where, remedy="keep the column 'key' as it was written")
        names = tuple(str(row[name]) for name in ("entity1", "entity2") if row.get(name))
        right = tuple(str(row.get(name) or "").strip() for name in NAME_COLUMNS)
        if key in found and (found[key].answer, found[key].names) != (answer, right):
            raise CorpusError(
                f"this question has another answer in {found[key].where}", path=path, where=where, remedy="decide for one"
            )
        found[key] = Answered(key, answer, draw, names, where, right)
    if not found:
        raise CorpusError("not one answer", path=path, remedy=f"fill the column 'answer' with {', '.join(Answer)}")
    return list(found.values())


def _sheet_rows(path: Path) -> Iterator[tuple[int | str, Mapping[str, Any]]]:
    wanted = {*ANSWER_COLUMNS, "entity1", "entity2"}
    for sheet in read_sheets(path, None, lambda cells: sum(plain_heading(cell) in wanted for cell in cells)):
        header: list[str] | None = None
        for record in sheet.records:
            if header is None:
                names = [plain_heading(cell) for cell in record.cells]
                header = names if {"answer", "key"} <= set(names) else None
            elif not record.is_blank:
                yield record.where, dict(zip(header, record.cells, strict=False))
        if header is not None:
            return
    raise CorpusError(
        "no columns 'answer' and 'key'", path=path, remedy="give the sheet that relhash review wrote, with its first row"
    )


def _json_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        lines: Iterable[str] = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise CorpusError("not UTF-8", path=path) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise CorpusError(f"not JSON ({error})", path=path, where=number) from error
        if not isinstance(row, dict):
            raise CorpusError("not an object", path=path, where=number)
        yield number, row
