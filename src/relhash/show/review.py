"""Questions for a person without a server: a sheet with an empty column of answers, or a page that saves its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from relhash.files import replacing
from relhash.model.answers.answer import ANSWER_COLUMNS, Answer
from relhash.model.answers.questions import Question
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.tables import check_writable, row_format, write_rows
from relhash.model.tables.columns import table_columns
from relhash.model.tables.page import bar, chip, marked, page_start, shown

_KEYS = {"y": Answer.YES, "n": Answer.NO, "s": Answer.SKIP, "g": Answer.WRONG_ENTITY, "a": Answer.NEGATED}


def question_rows(teaching: Teaching, taught: Taught, questions: Iterable[Question]) -> Iterator[dict[str, Any]]:
    """One row per question: what ``relhash predict`` says of it, an empty answer, and what is needed to take it back."""
    for question in questions:
        yield {
            "answer": "",
            **teaching.prediction(question.row, taught).as_row(),
            "why": question.why,
            "key": teaching.candidates[question.row].key,
            "draw": "" if question.draw is None else f"{question.draw:.6g}",
        }


def write_review(rows: Sequence[dict[str, Any]], path: Path, title: str) -> int:
    """Write the questions in the format that the suffix asks for: .xlsx, .tsv, .csv, .jsonl, or .html."""
    kind = row_format(path)
    check_writable(path, kind)
    if kind != "html":
        answer, *rest = ANSWER_COLUMNS
        return write_rows(rows, path, kind, [answer, *table_columns(), "why", *rest], title=title)
    with replacing(path) as handle:
        handle.write(review_page(rows, title))
    return len(rows)


def review_page(rows: Sequence[dict[str, Any]], title: str) -> str:
    """The page: one card per question, buttons and keys, and a button that saves the answers to a file."""
    lead = (
        "Does the sentence say that the two marked names are related? Answer with the buttons or the keys; then save the "
        "answers and give the file to relhash fit --answers. Nothing leaves this page by itself."
    )
    style, script = (files("relhash.show").joinpath(f"review.{kind}").read_text("utf-8") for kind in ("css", "js"))
    help_ = " · ".join(f"<kbd>{key}</kbd> {shown(answer)}" for key, answer in _KEYS.items())
    cards = "\n".join(_card(number, row) for number, row in enumerate(rows, 1))
    return (
        f"{page_start(title, lead)}<style>\n{style}</style>\n"
        f'<div class="bar-top"><span role="status" class="done">0 of {len(rows)} answered</span>'
        f'<button type="button" class="save">Save answers</button>'
        f'<span class="keys">{help_} · <kbd>u</kbd> undo · <kbd>↑</kbd> <kbd>↓</kbd> move</span></div>\n'
        f'<div class="cards">\n{cards}\n</div>\n'
        f"<noscript><p>This browser runs no scripts: print the page, or ask for a sheet (relhash review -o review.xlsx).</p>"
        f"</noscript>\n</main>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _card(number: int, row: dict[str, Any]) -> str:
    buttons = "".join(
        f'<button type="button" data-answer="{shown(answer)}" data-key="{key}">{shown(answer)}</button>'
        for key, answer in _KEYS.items()
    )
    entities = "".join(f' data-entity{n}="{shown(row[f"entity{n}"])}"' for n in (1, 2))
    return (
        f'<article tabindex="0" data-id="{shown(row["key"])}" data-draw="{shown(row["draw"])}"{entities}>'
        f'<p class="where">{number} · {shown(row["document"])} · {shown(row["relation"])} {bar(float(row["probability"]))} '
        f'· {chip(str(row["assertion"]))} · <span class="why">{shown(row["why"])}</span></p>'
        f'<p class="sentence">{marked(str(row["marked"]))}</p>'
        f'<p class="evidence">{shown(row["evidence"])}</p><div class="buttons">{buttons}</div></article>'
    )
