"""The application: routes, and what stands before them. Pages are templates of Jinja, everything in them escaped."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import ChainableUndefined, Environment, PackageLoader
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

import relhash
from relhash.curate.api import Desk, curation_routes
from relhash.curate.asking import ALL_ORDERS, SECONDS, Asking, Leases
from relhash.curate.curation import Curation
from relhash.curate.exchange.exports import EXPORTS, file_routes
from relhash.curate.exchange.recommender import has_cassis, recommender_routes
from relhash.curate.messages import PROBLEMS, PlainJSON
from relhash.curate.predicting import predict_routes
from relhash.curate.server.limits import BodyLimit, Limits, Rates
from relhash.curate.server.operating import Watcher, figures_of, operating_routes
from relhash.curate.server.security import Guard
from relhash.curate.server.work import InThreads, Work
from relhash.curate.store import DatabaseGoneError
from relhash.curate.views import view_routes
from relhash.model.fitted import FittedModel
from relhash.model.prediction import identity_of
from relhash.visible import visible

_pages = Environment(loader=PackageLoader("relhash.curate"), autoescape=True, undefined=ChainableUndefined)


def render(template: str, page: str, state: dict[str, Any]) -> HTMLResponse:
    """A page."""
    title = f"{state['input']} · RelHash" if state.get("input") else "RelHash"
    text = _pages.get_template(template).render(page=page, state=state, title=title, version=relhash.__version__)
    return HTMLResponse(text.encode("utf-8", "replace"), headers={"Cache-Control": "no-store"})


def curation_pages(desk: Desk, about: dict[str, Any]) -> APIRouter:
    """The page of questions, the documents, the pairs; ``about`` is the state that every page has."""
    router = APIRouter(include_in_schema=False)
    documents = {document.id for document in desk.curation.documents}

    @router.get("/")
    def curate() -> HTMLResponse:
        return render("curate.html", "curate", about)

    @router.get("/documents")
    def all_documents() -> HTMLResponse:
        return render("document.html", "documents", {**about, "document": None})

    @router.get("/documents/{identifier:path}")
    def document(identifier: str) -> HTMLResponse:
        if identifier not in documents:
            raise HTTPException(404, "there is no such document")
        return render("document.html", "documents", {**about, "document": identifier})

    @router.get("/pairs")
    def pairs() -> HTMLResponse:
        return render("pairs.html", "pairs", about)

    return router


def state_of(desk: Desk, model: str, text: str, *, token_needed: bool) -> dict[str, Any]:
    """What a page knows from the start."""
    teaching = desk.curation.teaching
    return {
        "curator": desk.curator,
        "model": visible(model),
        "input": visible(text),
        "types": list(teaching.model.relation_types.names),
        "orders": list(ALL_ORDERS),
        "formats": list(EXPORTS),
        "assertions": sorted(set(desk.curation.assertions.tolist())),
        "token_needed": token_needed,
        "documents": len({candidate.document.id for candidate in teaching.candidates}),
        "candidates": len(teaching.candidates),
        "has_gold": desk.curation.held_out is not None,
    }


def api_page(about: dict[str, Any], *, is_home: bool = False) -> APIRouter:
    """The interface described on one page, without scripts from elsewhere; ``is_home`` leads people from / to it."""
    router = APIRouter(include_in_schema=False)

    if is_home:

        @router.get("/")
        def home() -> RedirectResponse:
            return RedirectResponse(f"{about['root']}/api")

    @router.get("/api")
    def described() -> HTMLResponse:
        return render("api.html", "api", about)

    return router


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How the application is run.

    Attributes
    ----------
    token
        What a request must know; ``None``: anyone on this machine may ask.
    curator
        The name of whoever started it, for requests that give none.
    input
        The name of the text, for people.
    names
        Further names under which the server may be asked (see :mod:`relhash.curate.server.security`).
    root
        The path under which a proxy shows the server of predictions (``/relhash``).
    lease_seconds
        How long a question is kept for a person.
    threads
        Requests that are worked on at a time.
    """

    token: str | None = None
    curator: str = "curator"
    input: str = ""
    names: tuple[str, ...] = ()
    root: str = ""
    lease_seconds: float = SECONDS
    threads: int = 16
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
    about: dict[str, Any] = {"model": f"{made_by.name} {made_by.version}".strip(), "input": visible(settings.input)}
    about["root"] = settings.root
    if curation is not None:
        desk = Desk(curation, Asking(curation, Leases(settings.lease_seconds)), settings.curator)
        about = state_of(desk, about["model"], settings.input, token_needed=settings.token is not None)
        app.include_router(curation_routes(desk))
        app.include_router(view_routes(desk))
        app.include_router(file_routes(desk))
        app.include_router(curation_pages(desk, about))

    app.include_router(predict_routes(work))
    if has_cassis():
        app.include_router(recommender_routes(work))
    figures = figures_of(curation, work)
    app.include_router(operating_routes(model, curation, work, figures))
    app.include_router(api_page(about, is_home=curation is None))
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
