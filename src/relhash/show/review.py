"""Questions for a person without a server: a sheet with an empty column of answers, or a page that saves its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from relhash.files import replacing
from relhash.model.answers.answer import ANSWER_COLUMNS, Answer
from relhash.model.answers.questions import Question
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.tables import check_writable, row_format, write_rows
from relhash.model.tables.columns import table_columns
from relhash.show.pages import render

_KEYS = {"y": Answer.YES, "n": Answer.NO, "s": Answer.SKIP, "g": Answer.WRONG_ENTITY, "a": Answer.NEGATED}


def question_rows(
    teaching: Teaching, taught: Taught, questions: Iterable[tuple[Question, Sequence[int]]]
) -> Iterator[dict[str, Any]]:
    """One row per question: what ``relhash predict`` says of it, an empty answer, and what is needed to take it back.

    The rows that say nearly the same follow it, with the same number of a group: they may have the same answer.
    """
    for number, (question, group) in enumerate(questions, 1):
        alike = [Question(row, f"nearly the same as question {number}") for row in group]
        for one in (question, *alike):
            yield {
                "answer": "",
                **teaching.prediction(one.row, taught).as_row(),
                "why": one.why,
                "group": number if group else "",
                "key": teaching.candidates[one.row].key,
                "draw": "" if one.draw is None else f"{one.draw:.6g}",
            }


def write_review(rows: Sequence[dict[str, Any]], path: Path, title: str) -> int:
    """Write the questions in the format that the suffix asks for: .xlsx, .tsv, .csv, .jsonl, or .html."""
    kind = row_format(path)
    check_writable(path, kind)
    if kind != "html":
        answer, *rest = ANSWER_COLUMNS
        return write_rows(rows, path, kind, [answer, *table_columns(), "why", "group", *rest], title=title)
    with replacing(path) as handle:
        handle.write(review_page(rows, title))
    return len(rows)


def review_page(rows: Sequence[dict[str, Any]], title: str) -> str:
    """The page: one card per question, buttons and keys, and a button that saves the answers to a file."""
    return render("review", title=title, rows=rows, keys=_KEYS)
