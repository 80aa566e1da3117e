"""Text in, relations out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, HTTPException

from relhash.corpus.document import Document
from relhash.corpus.text import plain_document
from relhash.curate.messages import PlainJSON, PredictBody, Relations
from relhash.curate.question_evidence import shown_evidence
from relhash.errors import RelHashError, StructureError
from relhash.model.answers.teaching import Teaching
from relhash.model.fitted import FittedModel
from relhash.model.reading.parses import REMEDY


def predict_routes(model: Callable[[], FittedModel]) -> APIRouter:
    """POST /api/predict with the model of the moment."""
    router = APIRouter(prefix="/api", tags=["predictions"], default_response_class=PlainJSON)

    @router.post("/predict", summary="Find relations in text", responses={200: {"model": Relations}})
    def predict(body: PredictBody) -> Any:
        """One row per relation, with the columns of relhash predict; offsets are characters of the text that was sent."""
        if (body.text is None) == (body.texts is None):
            raise HTTPException(422, "give either text or texts")
        texts = body.texts if body.texts is not None else [body.text or ""]
        # documents, never strings: a string may be taken for the name of a file
        documents = [plain_document(str(number), text) for number, text in enumerate(texts)]
        try:
            rows = predicted(model(), documents, all_candidates=body.all_candidates, with_evidence=body.evidence)
        except RelHashError as error:
            raise HTTPException(422, str(error)) from error
        return PlainJSON({"relations": rows, "texts": len(texts)})

    return router


def predicted(
    model: FittedModel, documents: list[Document], *, all_candidates: bool = False, with_evidence: bool = False
) -> list[dict[str, Any]]:
    """The rows, each with the number of its text, and with ``why`` if evidence is asked for."""
    if not model.parses.uses_pipeline:
        raise StructureError(f"this model reads annotated text only; for raw text {REMEDY}")
    reading = replace(model, cache=None)  # other people's text is kept nowhere
    if not with_evidence:
        found = reading.stream(documents, all_candidates=all_candidates)
        return [_row(one.as_row()) for one in found]
    candidates = reading.candidates(documents)
    if not candidates:
        return []
    text = Teaching(reading, candidates)
    rows = [row for row in range(len(candidates)) if all_candidates or text.untaught.accepted[row]]
    shown = [text.prediction(row, text.untaught).as_row() for row in rows]
    why = shown_evidence(text, text.untaught, rows) if rows else []
    return [{**_row(row), "why": one} for row, one in zip(shown, why, strict=True)]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {"text": int(row["document"]), **{name: value for name, value in row.items() if name != "document"}}
