"""Files out of the page (answers as lines or tables, the text with checked relations, the model) and into it (answers)."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from relhash.candidates.scene import scenes
from relhash.corpus import Document, write
from relhash.curate.api import Desk, progress_of
from relhash.curate.asking import shown_answer
from relhash.curate.curation import Curation, Moment
from relhash.curate.imports import answers_from
from relhash.curate.messages import CuratorName, PlainJSON, Problem, Saved
from relhash.errors import RelHashError
from relhash.model.answers.answer import NAME_COLUMNS, Answered, corrected
from relhash.model.prediction import Prediction, annotated
from relhash.model.tables import write_rows
from relhash.model.tables.columns import table_columns

Rows = Literal["answers", "accepted", "all"]
COLUMNS = ("answer", "curators")
"""Columns of a table of answers before those of ``relhash predict``."""
OF_TABLE = ("table_precision", "table_recall")
"""What is estimated of the whole table, with its 95 % interval."""


def export_rows(curation: Curation, moment: Moment, rows: Rows = "answers") -> Iterator[dict[str, Any]]:
    """One row per question that was answered (``"answers"``), accepted row (``"accepted"``) or candidate (``"all"``).

    Each has the columns of ``relhash predict``, the answer, who gave it, and what ``relhash fit --answers`` needs. Where people
    are divided the answer is *skip*. A row with an answer is accepted if the answer says so, whatever the model says. Once
    questions drawn at random tell, each says how many accepted rows of the table are right, and how many relations they are.
    """
    with curation.lock:
        answered = curation.answers.decided()
    found = curation.teaching.warranty(moment.taught, answered)
    of_table = ("", "") if found is None else (str(found.precision), str(found.recall))
    for prediction, said in _checked_rows(curation, moment):
        if (rows == "answers" and not said) or (rows == "accepted" and not prediction.is_relation):
            continue
        own = curation.answers_of(prediction.candidate.key)
        yield {
            "answer": str(said.answer) if said else "",
            "curators": "; ".join(own),
            **prediction.as_row(),
            **dict(zip_longest(NAME_COLUMNS, said.names[: len(NAME_COLUMNS)] if said else (), fillvalue="")),
            "key": prediction.candidate.key,
            "draw": f"{said.draw:.6g}" if said and said.draw else "",
            **dict(zip(OF_TABLE, of_table, strict=True)),
            "answers": [{**shown_answer(one), "seconds": one.seconds} for one in own.values()],
        }


def _checked_rows(curation: Curation, moment: Moment) -> Iterator[tuple[Prediction, Answered | None]]:
    """What the model says of every candidate, people's answers and names in the place of its own, and what they say."""
    with curation.lock:
        answers, right = dict(curation.answers.said), curation.corrections
    for row, candidate in enumerate(curation.teaching.candidates):
        prediction, said = curation.teaching.prediction(row, moment.taught), answers.get(candidate.key)
        if said is not None and (is_right := said.answer.is_right) is not None:
            relation = said.relation if is_right and said.relation else prediction.relation
            prediction = replace(prediction, is_relation=is_right, relation=relation)
        if candidate.document.id in right:
            prediction = replace(prediction, scene=next(iter(scenes([corrected(candidate, right)]))))
        yield prediction, said


def _checked_text(curation: Curation, moment: Moment) -> Iterator[Document]:
    right = curation.corrections
    predictions = [prediction for prediction, _ in _checked_rows(curation, moment)]
    return annotated((right.get(one.id, one) for one in curation.documents), predictions)


EXPORTS = {
    "jsonl": ("answers.jsonl", "application/x-ndjson"),
    "tsv": ("answers.tsv", "text/tab-separated-values; charset=utf-8"),
    "xlsx": ("answers.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "bioc": ("relations.xml", "application/xml"),
    "brat": ("relations.brat.zip", "application/zip"),
    "model": ("taught.relhash", "application/octet-stream"),
}
"""Formats by name: the name of the file, and its media type."""
ExportFormat = Literal["jsonl", "tsv", "xlsx", "bioc", "brat", "model"]
ImportFormat = Literal["relhash", "label-studio", "inception"]
_FILES = {"description": "A file.", "content": {media_type: {} for _, media_type in EXPORTS.values()}}
_BYTES = {"type": "string", "format": "binary"}


def exported(curation: Curation, moment: Moment, format: ExportFormat, rows: Rows) -> bytes:
    """The content of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / EXPORTS[format][0]
        if format == "model":
            moment.taught.model.save(path)
        elif format == "bioc":
            write(_checked_text(curation, moment), path, "bioc-xml")
        elif format == "brat":
            place = Path(folder) / "relations"
            write(_checked_text(curation, moment), place, "brat")
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for file in sorted(place.rglob("*")):
                    archive.write(file, file.relative_to(folder))
        else:
            columns = [*COLUMNS, *table_columns(), *NAME_COLUMNS, "key", "draw", *OF_TABLE]
            write_rows(export_rows(curation, moment, rows), path, format, columns, title="Answers")
        return path.read_bytes()


def file_routes(desk: Desk) -> APIRouter:
    """GET /api/export, POST /api/import."""
    router = APIRouter(prefix="/api", tags=["files"], default_response_class=PlainJSON)
    curation = desk.curation

    @router.get(
        "/export", summary="Take the answers away", response_class=Response, responses={200: _FILES, 409: {"model": Problem}}
    )
    def export(format: ExportFormat = "jsonl", rows: Rows = "answers") -> Response:
        """Tables of answers (or of ``accepted`` or ``all`` rows), the text with checked relations, or the taught model, which
        knows all answers given so far."""
        name, media_type = EXPORTS[format]
        try:
            content = exported(curation, curation.settled(), format, rows)
        except RelHashError as error:
            raise HTTPException(409, f"this text cannot be written so: {error}") from error
        return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    @router.post(
        "/import",
        summary="Take answers in",
        responses={200: {"model": Saved}},
        openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": _BYTES}}}},
    )
    async def take_in(
        request: Request, format: ImportFormat = "relhash", curator: Annotated[CuratorName, Query()] = desk.curator
    ) -> Any:
        """The body is a file: answers of RelHash (JSON Lines, or a sheet), an export of Label Studio or INCEpTION (JSON). All
        answers are saved or none; those about nothing in this text are counted as skipped."""
        content = await request.body()
        return await run_in_threadpool(_take_in, content, format, curator)

    def _take_in(content: bytes, format: str, curator: str) -> Response:
        try:
            found = answers_from(content, format, curation, curator)
        except RelHashError as error:
            raise HTTPException(422, str(error)) from error
        if found.answers:
            _, version = curation.add(found.answers)
            curation.wait(version)
        said = {"saved": len(found.answers), "skipped": found.skipped, "detail": found.detail}
        return PlainJSON({**said, "progress": progress_of(curation, curator)})

    return router
