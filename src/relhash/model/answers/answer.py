"""What a person says of a candidate: an answer, corrected names, and the files in which they come back.

A correction is written as one would say it: the words as they stand in the sentence, ids in brackets behind them, or ids alone.
The words share a character with the name that they correct, which tells where they stand, so a sheet can hold a correction too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from relhash.candidates.candidate import Candidate, overlap
from relhash.corpus.document import Document, Mention
from relhash.corpus.tables.columns import plain_heading
from relhash.corpus.tables.labels import meaning_of_label
from relhash.corpus.tables.sheets import read_sheets
from relhash.errors import CorpusError, ParameterError


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
    draw
        The probability with which the question was drawn, if it was drawn at random (see ``questions.py``).
    entities
        The names that the person saw, to tell a file that belongs to another text; empty if the file does not say.
    where
        The place in the file.
    names
        What ``entity1``, ``entity2``, … should be, where they are wrong.
    relation
        The type of the relation, if one was chosen.
    """

    key: str
    answer: Answer
    draw: float | None = None
    entities: tuple[str, ...] = ()
    where: int | str = ""
    names: tuple[str, ...] = ()
    relation: str | None = None

    @property
    def is_right(self) -> bool | None:
        """Whether the row is right as it was found: with the right names."""
        return False if any(self.names) else self.answer.is_right


NAME_COLUMNS = ("right1", "right2")
"""Columns for the names as they should be."""
ANSWER_COLUMNS = ("answer", *NAME_COLUMNS, "key", "draw")
"""Columns that a sheet of questions has beside those of ``relhash predict``."""

_SHORT = {
    **dict.fromkeys(("y",), Answer.YES),
    **dict.fromkeys(("n",), Answer.NO),
    **dict.fromkeys(("s", "skipped"), Answer.SKIP),
    **dict.fromkeys(("g", "entity", "wrong entity", "entities wrong"), Answer.WRONG_ENTITY),
    **dict.fromkeys(("a", "denied"), Answer.NEGATED),
}


def answer_of(text: str) -> Answer | None:
    """The answer that a person wrote; ``None`` for an empty cell.

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
        except (ValueError, TypeError, OverflowError):
            raise CorpusError(f"draw: {row['draw']!r:.40} is no number", path=path, where=where) from None
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
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise CorpusError("not an object", path=path, where=number)
                yield number, row
    except UnicodeDecodeError as error:
        raise CorpusError("not UTF-8", path=path) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"not JSON ({error})", path=path, where=number) from error


LONGEST = 300
"""Characters of a correction, and how far from the name its words are looked for."""

Corrections = Mapping[str, Document]
"""Document id → the document with its names as they should be."""


def corrected_mention(mention: Mention, said: str, text: str) -> Mention:
    """The mention as a person says it should be, in its ``text``; the ids of other words are not its ids.

    >>> text = "The IL-2\\nreceptor binds JAK1."
    >>> found = corrected_mention(Mention("T1", "protein", ((4, 8),), "IL-2", ("HGNC:6001",)), "IL-2 receptor", text)
    >>> found.spans, found.text, found.ids
    (((4, 17),), 'IL-2\\nreceptor', ())
    >>> corrected_mention(found, "[HGNC:6008]", text).ids
    ('HGNC:6008',)
    """
    words, bracket, ids = said.strip().removesuffix("]").rpartition("[") if said.strip().endswith("]") else (said, "", "")
    named = tuple(one.strip() for one in ids.split(";") if one.strip())
    if not words.strip():
        return replace(mention, ids=named, certainty=1.0)
    span = _place(mention, words, text)
    if span is None:
        raise ParameterError(
            f"{words.strip()!r} is no other cut of {mention.text!r}; give words of the sentence that overlap it, or [an id]"
        )
    if (span,) == mention.spans:
        return replace(mention, ids=named if bracket else mention.ids, certainty=1.0)
    return replace(mention, spans=(span,), text=text[slice(*span)], ids=named, certainty=1.0, name="")


def _place(mention: Mention, words: str, text: str) -> tuple[int, int] | None:
    """Where the words stand, whatever blanks are between them: of several places the one that shares most with the mention."""
    around = range(max(0, mention.start - LONGEST), min(len(text), mention.end + LONGEST))
    solid = [place for place in around if not text[place].isspace()]
    looked_at, wanted = "".join(text[place] for place in solid), "".join(words.split())
    best, span, begin = 0, None, looked_at.find(wanted) if len(wanted) <= LONGEST else -1
    while begin >= 0:
        start, end = solid[begin], solid[begin + len(wanted) - 1] + 1
        shared = min(end, mention.end) - max(start, mention.start)
        if shared > best:
            best, span = shared, (start, end)
        begin = looked_at.find(wanted, begin + 1)
    return span


def corrections(said: Iterable[tuple[Candidate, Sequence[str]]]) -> Corrections:
    """The documents as they should be, by what was said of each candidate's participants; of a name the last counts."""
    found: dict[str, tuple[Document, dict[str, Mention]]] = {}
    for candidate, names in said:
        for mention, name in zip(candidate.participants, names, strict=False):
            if name:
                _, own = found.setdefault(candidate.document.id, (candidate.document, {}))
                with suppress(ParameterError):  # what was said before of a name that is cut in another way now
                    own[mention.id] = corrected_mention(mention, name, candidate.document.text)
    return {
        name: replace(document, mentions=tuple(own.get(one.id, one) for one in document.mentions))
        for name, (document, own) in found.items()
    }


def corrected(candidate: Candidate, found: Corrections) -> Candidate:
    """The same candidate in the corrected document."""
    document = found.get(candidate.document.id, candidate.document)
    mentions = tuple(document.mention_by_id.get(one.id, one) for one in candidate.mentions)
    return candidate if document is candidate.document else replace(candidate, document=document, mentions=mentions)


def check_names(candidate: Candidate, names: Sequence[str]) -> None:
    """Raise if a correction cannot be understood, or makes both names one."""
    text = candidate.document.text
    said = zip(candidate.participants, chain(names, repeat("")), strict=False)
    first, *others = [corrected_mention(mention, name, text) if name else mention for mention, name in said]
    if any(names) and any(overlap(first, other) for other in others):
        raise ParameterError("the names would overlap: a pair has two")
