"""For those who run the server: is it well, and what does it do? Figures in the format of Prometheus."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import relhash
from relhash.curate.curation import Curation
from relhash.curate.messages import PlainJSON
from relhash.curate.server.work import Work
from relhash.model.fitted import FittedModel
from relhash.model.prediction import identity_of

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds at which the histogram of requests is cut."""


def operating_routes(model: FittedModel, curation: Curation | None, work: Work, figures: CollectorRegistry) -> APIRouter:
    """GET /health and GET /metrics."""
    router = APIRouter(tags=["operation"], default_response_class=PlainJSON)
    made_by = identity_of(model)

    @router.get("/health", summary="Is the server well?")
    def health() -> Any:
        """503 if nothing can be predicted, or if an answer could not be saved now; needs no token."""
        said = {"status": "ok", "version": relhash.__version__, "model": f"{made_by.name} {made_by.version}".strip()}
        problem = work.problem()
        if curation is not None and not problem:
            try:
                curation.store.check()
            except SQLAlchemyError as error:
                problem = f"the database takes no answers: {str(getattr(error, 'orig', None) or error)[:200]}"
        return PlainJSON({**said, "status": problem or "ok"}, status_code=503 if problem else 200)

    @router.get("/metrics", summary="Figures for Prometheus", response_class=PlainTextResponse)
    def metrics() -> Response:
        """Requests by route and status, how long they took, answers, time of a refit."""
        return Response(generate_latest(figures), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    return router


def figures_of(curation: Curation | None, work: Work) -> CollectorRegistry:
    """What is known at any time; :class:`Watcher` adds what passes."""
    figures = CollectorRegistry()
    gauges: dict[str, Any] = {"relhash_waiting": ("Requests that wait for their turn.", lambda: len(work.turns))}
    if curation is not None:
        gauges |= {
            "relhash_candidates": ("Candidates of the text.", lambda: len(curation.teaching.candidates)),
            "relhash_answers": ("Answers that stand.", lambda: len(curation.standing())),
            "relhash_refit_seconds": ("How long the last refit took.", lambda: curation.moment.seconds),
            "relhash_is_learning": ("Whether answers wait for a refit.", lambda: float(curation.is_learning)),
        }
    for name, (words, value) in gauges.items():
        Gauge(name, words, registry=figures).set_function(value)
    return figures


class Watcher:
    """Counts what passes. Routes are named by their pattern, so that requests cannot make up names without end."""

    def __init__(self, app: ASGIApp, figures: CollectorRegistry) -> None:
        self.app = app
        self.requests = Counter("relhash_requests", "Requests by route and status.", ["route", "status"], registry=figures)
        self.seconds = Histogram(
            "relhash_request_seconds", "How long requests took.", ["route"], buckets=BOUNDS, registry=figures
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self.requests.labels(route, status).inc()
            self.seconds.labels(route).observe(time.perf_counter() - start)
