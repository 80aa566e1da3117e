"""Routes for those who run the server: is it well, and what does it do?"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from sqlalchemy.exc import SQLAlchemyError

import relhash
from relhash.curate.curation import Curation
from relhash.curate.messages import PlainJSON
from relhash.curate.server.metrics import Metrics
from relhash.model.fitted import FittedModel
from relhash.model.identity import identity_of_fit


def operating_routes(model: FittedModel, curation: Curation | None, metrics: Metrics) -> APIRouter:
    """GET /health and GET /metrics."""
    router = APIRouter(tags=["operation"], default_response_class=PlainJSON)
    made_by = model.identity or identity_of_fit(model.preset, model.card)

    @router.get("/health", summary="Is the server well?")
    def health() -> Any:
        """503 if the database cannot be reached; needs no token."""
        said = {"status": "ok", "version": relhash.__version__, "model": f"{made_by.name} {made_by.version}".strip()}
        if curation is not None:
            try:
                curation.store.check()
            except SQLAlchemyError:
                return PlainJSON({**said, "status": "the database cannot be reached"}, status_code=503)
        return PlainJSON(said)

    @router.get("/metrics", summary="Figures for Prometheus", response_class=PlainTextResponse)
    def figures() -> Response:
        """Requests by route and status, how long they took, answers, time of a refit."""
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return router


def gauges_of(curation: Curation | None) -> dict[str, Any]:
    """What a curation adds to the figures."""
    if curation is None:
        return {}
    return {
        "relhash_candidates": ("Candidates of the text.", lambda: len(curation.teaching.candidates)),
        "relhash_answers": ("Answers that stand.", lambda: len(curation.standing())),
        "relhash_refit_seconds": ("How long the last refit took.", lambda: curation.moment.seconds),
        "relhash_is_learning": ("Whether answers wait for a refit.", lambda: float(curation.is_learning)),
    }
