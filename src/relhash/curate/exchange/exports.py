"""What people take away: answers as lines or tables, the text with checked relations, the model that learned."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from relhash.corpus import write
from relhash.curate.asking import shown_answer
from relhash.curate.curation import Curation, Moment
from relhash.curate.standing import decided
from relhash.curate.store import Given
from relhash.model.answers.answer import Answer
from relhash.model.prediction import Prediction, annotated
from relhash.model.tables import write_rows
from relhash.model.tables.columns import table_columns

Rows = Literal["answers", "accepted", "all"]
COLUMNS = ("answer", "curators")
"""Columns of a table of answers before those of ``relhash predict``."""


@dataclass(frozen=True, slots=True)
class Export:
    """A format: how it is made, the name of its file, and its media type."""

    make: Callable[[Curation, Moment, Rows], bytes]
    name: str
    media_type: str


def export_rows(curation: Curation, moment: Moment, rows: Rows = "answers") -> Iterator[dict[str, Any]]:
    """One row per question that was answered (``"answers"``), accepted row (``"accepted"``) or candidate (``"all"``).

    Each has the columns of ``relhash predict``, the answer, who gave it, and what ``relhash fit --answers`` needs. Where people
    are divided the answer is *skip*. A row with an answer is accepted if the answer says so, whatever the model says.
    """
    teaching = curation.teaching
    given = _given(curation)
    for row, candidate in enumerate(teaching.candidates):
        own = given.get(candidate.key, {})
        if rows == "answers" and not own:
            continue
        prediction = _checked(teaching.prediction(row, moment.taught), own)
        if rows == "accepted" and not prediction.is_relation:
            continue
        yield {
            "answer": str(_answer(own)) if own else "",
            "curators": "; ".join(own),
            **prediction.as_row(),
            "key": candidate.key,
            "draw": next((f"{one.draw:.6g}" for one in own.values() if one.draw), ""),
            "answers": [{**shown_answer(one), "seconds": one.seconds} for one in own.values()],
        }


def checked_predictions(curation: Curation, moment: Moment) -> list[Prediction]:
    """What the model says of every candidate, with people's answers in the place of its own where there are some."""
    given = _given(curation)
    return [
        _checked(curation.teaching.prediction(row, moment.taught), given.get(candidate.key, {}))
        for row, candidate in enumerate(curation.teaching.candidates)
    ]


def _given(curation: Curation) -> dict[str, dict[str, Given]]:
    with curation.lock:
        return curation.answers.by_key()


def _answer(own: dict[str, Given]) -> Answer:
    return decided(one.answer for one in own.values())


def _checked(prediction: Prediction, own: dict[str, Given]) -> Prediction:
    is_right = _answer(own).is_right if own else None
    if is_right is None:
        return prediction
    relation = next((one.relation for one in reversed(own.values()) if one.relation), prediction.relation)
    return replace(prediction, is_relation=is_right, relation=relation if is_right else prediction.relation)


def _table(kind: str) -> Callable[[Curation, Moment, Rows], bytes]:
    def make(curation: Curation, moment: Moment, rows: Rows) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"answers.{kind}"
            columns = [*COLUMNS, *table_columns(), "key", "draw"]
            write_rows(export_rows(curation, moment, rows), path, kind, columns, title="Answers")
            return path.read_bytes()

    return make


def _bioc(curation: Curation, moment: Moment, rows: Rows) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "relations.xml"
        write(annotated(curation.documents, checked_predictions(curation, moment)), path, "bioc-xml")
        return path.read_bytes()


def _brat(curation: Curation, moment: Moment, rows: Rows) -> bytes:
    packed = BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "relations"
        write(annotated(curation.documents, checked_predictions(curation, moment)), place, "brat")
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(place.rglob("*")):
                archive.write(path, path.relative_to(folder))
    return packed.getvalue()


def _model(curation: Curation, moment: Moment, rows: Rows) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "taught.relhash"
        moment.taught.model.save(path)
        return path.read_bytes()


EXPORTS: dict[str, Export] = {
    "jsonl": Export(_table("jsonl"), "answers.jsonl", "application/x-ndjson"),
    "tsv": Export(_table("tsv"), "answers.tsv", "text/tab-separated-values; charset=utf-8"),
    "xlsx": Export(_table("xlsx"), "answers.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "bioc": Export(_bioc, "relations.xml", "application/xml"),
    "brat": Export(_brat, "relations.brat.zip", "application/zip"),
    "model": Export(_model, "taught.relhash", "application/octet-stream"),
}
"""Formats by name."""
