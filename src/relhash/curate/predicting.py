"""Text in, relations out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from fastapi import APIRouter, HTTPException, Request

from relhash.corpus.text import plain_document
from relhash.curate.asking import shown_evidence
from relhash.curate.messages import CheckBody, CheckedRows, PlainJSON, PredictBody, Relations, as_json
from relhash.curate.work import Work
from relhash.errors import RelHashError, StructureError
from relhash.model.answers.teaching import Teaching
from relhash.model.checking import Checker
from relhash.model.fitted import FittedModel
from relhash.model.reading.reader import REMEDY

AT_A_TIME = 64
"""Rows that are explained together."""


def predict_routes(work: Work) -> APIRouter:
    """POST /api/predict."""
    router = APIRouter(prefix="/api", tags=["predictions"], default_response_class=PlainJSON)

    @router.post("/predict", summary="Find relations in text", responses={200: {"model": Relations}})
    async def predict(body: PredictBody, request: Request) -> Any:
        """One row per relation, with the columns of relhash predict; offsets are characters of the text that was sent."""
        if (body.text is None) == (body.texts is None):
            raise HTTPException(422, "give either text or texts")
        texts = body.texts if body.texts is not None else [body.text or ""]
        wanted = {"types": body.types, "threshold": body.threshold, "keep": tuple(body.keep), "grounded": body.grounded}
        return await work(request, predicted, texts, body.all_candidates, body.evidence, wanted)

    @router.post("/check", summary="Judge statements against their sentences", responses={200: {"model": CheckedRows}})
    def check(body: CheckBody) -> Any:
        """Each row with a verdict, a probability, a reason, and what its sentence does support."""
        try:
            said = _checker().check(body.rows)
        except RelHashError as error:
            raise HTTPException(422, str(error)) from error
        return PlainJSON({"rows": [one.columns() for one in said]})

    return router


@cache
def _checker() -> Checker:
    """What checks statements; it does not change with what people teach, so it is made once."""
    return Checker.shipped()


def predicted(
    model: FittedModel,
    texts: list[str],
    all_candidates: bool = False,
    with_evidence: bool = False,
    wanted: Mapping[str, Any] | None = None,
) -> Iterator[bytes]:
    """The reply in pieces: rows, each with the number of its text, and with ``why`` if evidence is asked for."""
    if not model.parses.uses_pipeline:
        raise StructureError(f"this model reads annotated text only; for raw text {REMEDY}")
    before = b'{"relations":['
    reading = replace(model.adjusted(**wanted or {}), cache=None)  # other people's text is kept nowhere
    for row in _rows(reading, texts, all_candidates, with_evidence):
        yield before + as_json(row)
        before = b","
    yield (before if before != b"," else b"") + f'],"texts":{len(texts)}}}'.encode()


def _rows(model: FittedModel, texts: list[str], all_candidates: bool, with_evidence: bool) -> Iterator[dict[str, Any]]:
    # documents, never strings: a string may be taken for the name of a file
    documents = [plain_document(str(number), text) for number, text in enumerate(texts)]
    if not with_evidence:
        for one in model.stream(documents, all_candidates=all_candidates):
            yield _row(one.as_row())
        return
    candidates = model.candidates(documents)
    if not candidates:
        return
    text = Teaching(model, candidates)
    rows = [row for row in range(len(candidates)) if all_candidates or text.untaught.accepted[row]]
    for start in range(0, len(rows), AT_A_TIME):
        some = rows[start : start + AT_A_TIME]
        for row, why in zip(some, shown_evidence(text, text.untaught, some), strict=True):
            yield {**_row(text.prediction(row, text.untaught).as_row()), "why": why}


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {"text": int(row["document"]), **{name: value for name, value in row.items() if name != "document"}}
