"""The application: its pages (templates of Jinja, everything in them escaped), its routes, and what stands before them."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from jinja2 import ChainableUndefined, Environment, PackageLoader
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import relhash
from relhash.curate.api import Desk, curation_routes
from relhash.curate.asking import ALL_ORDERS, SECONDS, Asking
from relhash.curate.curation import Curation
from relhash.curate.exports import EXPORTS, file_routes
from relhash.curate.guard import BodyLimit, Guard, Limits, Rates
from relhash.curate.messages import PROBLEMS, PlainJSON
from relhash.curate.predicting import predict_routes
from relhash.curate.recommender import has_cassis, recommender_routes
from relhash.curate.store import DatabaseGoneError
from relhash.curate.views import view_routes
from relhash.curate.work import InThreads, Work
from relhash.model.fitted import FittedModel
from relhash.model.prediction import identity_of
from relhash.visible import visible

_pages = Environment(loader=PackageLoader("relhash.curate"), autoescape=True, undefined=ChainableUndefined)


def render(template: str, state: dict[str, Any]) -> HTMLResponse:
    """A page; ``state`` is what its scripts know from the start."""
    title = f"{state['input']} · RelHash" if state.get("input") else "RelHash"
    page = {"curate": "curate", "document": "documents", "pairs": "pairs", "api": "api"}[template]
    text = _pages.get_template(f"{template}.html").render(page=page, state=state, title=title, version=relhash.__version__)
    return HTMLResponse(text.encode("utf-8", "replace"), headers={"Cache-Control": "no-store"})


def page_routes(desk: Desk | None, about: dict[str, Any]) -> APIRouter:
    """The page of questions, the documents, the pairs; the interface described, which is home where nothing is taught."""
    router = APIRouter(include_in_schema=False)

    @router.get("/api")
    def described() -> HTMLResponse:
        return render("api", about)

    if desk is None:

        @router.get("/")
        def home() -> RedirectResponse:
            return RedirectResponse(f"{about['root']}/api")

        return router
    documents = {document.id for document in desk.curation.documents}

    @router.get("/")
    def curate() -> HTMLResponse:
        return render("curate", about)

    @router.get("/documents")
    def all_documents() -> HTMLResponse:
        return render("document", {**about, "document": None})

    @router.get("/documents/{identifier:path}")
    def document(identifier: str) -> HTMLResponse:
        if identifier not in documents:
            raise HTTPException(404, "there is no such document")
        return render("document", {**about, "document": identifier})

    @router.get("/pairs")
    def pairs() -> HTMLResponse:
        return render("pairs", about)

    return router


def state_of(desk: Desk, *, token_needed: bool) -> dict[str, Any]:
    """What the page of questions knows from the start."""
    teaching = desk.curation.teaching
    return {
        "curator": desk.curator,
        "types": list(teaching.model.relation_types.names),
        "orders": list(ALL_ORDERS),
        "formats": list(EXPORTS),
        "assertions": sorted(set(desk.curation.assertions.tolist())),
        "token_needed": token_needed,
        "documents": len({candidate.document.id for candidate in teaching.candidates}),
        "candidates": len(teaching.candidates),
        "has_gold": desk.curation.held_out is not None,
    }


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How the application is run."""

    token: str | None = None
    """What a request must know; ``None``: anyone on this machine may ask."""
    curator: str = "curator"
    """The name of whoever started it, for requests that give none."""
    input: str = ""
    """The name of the text, for people."""
    names: tuple[str, ...] = ()
    """Further names under which the server may be asked (:mod:`relhash.curate.guard`)."""
    root: str = ""
    """The path under which a proxy shows the server of predictions (``/relhash``)."""
    lease_seconds: float = SECONDS
    threads: int = 16
    """Requests that are worked on at a time."""
    limits: Limits = Limits()  # noqa: RUF009 (frozen)


def create_application(
    model: FittedModel, curation: Curation | None = None, settings: ServerSettings | None = None, work: Work | None = None
) -> FastAPI:
    """The application on a model: with ``curation`` the page that teaches it, without only predictions.

    ``work`` is where these are made; by default in threads of this process.
    """
    settings = settings or ServerSettings()
    work = work or InThreads(lambda: model if curation is None else curation.moment.taught.model, settings.threads)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        yield
        await anyio.to_thread.run_sync(work.close)
        if curation is not None:
            await anyio.to_thread.run_sync(curation.close)

    made_by = identity_of(model)
    app = FastAPI(
        title="RelHash",
        version=relhash.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        default_response_class=PlainJSON,
        redirect_slashes=False,
        servers=[{"url": settings.root}] if settings.root else None,
        responses=PROBLEMS,
    )
    name = f"{made_by.name} {made_by.version}".strip()
    about: dict[str, Any] = {"model": visible(name), "input": visible(settings.input), "root": settings.root}
    desk = None
    if curation is not None:
        desk = Desk(curation, Asking(curation, settings.lease_seconds), settings.curator)
        about |= state_of(desk, token_needed=settings.token is not None)
        for routes in (curation_routes, view_routes, file_routes):
            app.include_router(routes(desk))
    app.include_router(predict_routes(work))
    if has_cassis():
        app.include_router(recommender_routes(work))
    figures = figures_of(curation, work)
    app.include_router(operating_routes(name, curation, work, figures))
    app.include_router(page_routes(desk, about))
    app.mount("/static", StaticFiles(packages=[("relhash.curate", "static")]))
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(SQLAlchemyError, _no_database)
    app.add_middleware(BodyLimit, limits=settings.limits)
    app.add_middleware(Watcher, figures=figures)
    rates = Rates(settings.limits.rate, settings.limits.burst)
    app.add_middleware(Guard, rates=rates, token=settings.token, names=settings.names)  # the last added is the first asked
    return app


async def _bad_request(request: Request, error: Exception) -> Response:
    """One sentence, and the list of problems for programs; what was sent is not sent back."""
    assert isinstance(error, RequestValidationError)
    problems = [{"where": list(map(str, one["loc"])), "problem": one["msg"]} for one in error.errors()]
    first = problems[0]
    return PlainJSON({"detail": f"{'.'.join(first['where'])}: {first['problem']}", "problems": problems}, status_code=422)


async def _no_database(request: Request, error: Exception) -> Response:
    """Nothing was changed: a client may try again."""
    logger.error("the database did not do it: %s", error)
    if isinstance(error, DatabaseGoneError):
        said = "the file of answers was removed or replaced, so nothing was saved; start relhash curate again"
    else:
        said = "the database did not do it, so nothing was saved; try again"
    return PlainJSON({"detail": said}, status_code=503)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainJSON({"detail": visible(str(error.detail))}, status_code=error.status_code, headers=error.headers)


BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds at which the histogram of requests is cut."""


def operating_routes(name: str, curation: Curation | None, work: Work, figures: CollectorRegistry) -> APIRouter:
    """GET /health and GET /metrics."""
    router = APIRouter(tags=["operation"], default_response_class=PlainJSON)

    @router.get("/health", summary="Is the server well?")
    def health() -> Any:
        """503 if nothing can be predicted, or if an answer could not be saved now; needs no token."""
        problem = work.problem()
        if curation is not None and not problem:
            try:
                curation.store.check()
            except SQLAlchemyError as error:
                problem = f"the database takes no answers: {str(getattr(error, 'orig', None) or error)[:200]}"
        said = {"status": problem or "ok", "version": relhash.__version__, "model": name}
        return PlainJSON(said, status_code=503 if problem else 200)

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
