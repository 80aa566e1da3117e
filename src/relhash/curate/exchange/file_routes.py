"""Files out of the page and into it: exports, and answers that were given elsewhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from relhash.curate.api import Desk
from relhash.curate.exchange.exports import EXPORTS, Rows
from relhash.curate.exchange.imports import READERS, answers_from
from relhash.curate.messages import CuratorName, PlainJSON, Problem, Saved
from relhash.curate.progress import progress_of
from relhash.errors import RelHashError

ExportFormat = Literal["jsonl", "tsv", "xlsx", "bioc", "brat", "model"]
ImportFormat = Literal["relhash", "label-studio", "inception"]
assert set(ExportFormat.__args__) == set(EXPORTS) and set(ImportFormat.__args__) == set(READERS)  # type: ignore[attr-defined]  # noqa: PT018
_FILES = {"description": "A file.", "content": {export.media_type: {} for export in EXPORTS.values()}}
_BYTES = {"type": "string", "format": "binary"}


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
        chosen = EXPORTS[format]
        try:
            content = chosen.make(curation, curation.settled(), rows)
        except RelHashError as error:
            raise HTTPException(409, f"this text cannot be written so: {error}") from error
        headers = {"Content-Disposition": f'attachment; filename="{chosen.name}"'}
        return Response(content, media_type=chosen.media_type, headers=headers)

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
