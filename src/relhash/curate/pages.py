"""Routes that give pages: templates of Jinja, everything in them escaped."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import ChainableUndefined, Environment, PackageLoader

import relhash
from relhash.curate.api import Desk
from relhash.curate.asking import ALL_ORDERS
from relhash.curate.exchange.exports import EXPORTS
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
