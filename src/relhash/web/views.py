"""Other looks at the text: one question with its evidence and its like, a document with its relations, pairs over all of it."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, HTTPException, Query

from relhash.hashing.hamming import hamming_distances
from relhash.web.api import Desk
from relhash.web.document_view import DocumentViews
from relhash.web.pair_view import PairViews
from relhash.web.question_evidence import evidence_of
from relhash.web.replies import Listed, Question
from relhash.web.responses import PlainJSON

Search = Annotated[str, Query(max_length=200)]


def view_routes(desk: Desk) -> APIRouter:
    """GET /api/questions/…, /api/documents/…, /api/pairs."""
    router = APIRouter(prefix="/api", tags=["views"], default_response_class=PlainJSON)
    curation, asking = desk.curation, desk.asking
    documents, pairs = DocumentViews(curation), PairViews(curation)

    @router.get("/questions/{key:path}/evidence", summary="Why the model says so")
    def evidence(key: str) -> Any:
        """What moved the decision (terms that sum to the log-odds), the hash functions, the nearest answers, coverage."""
        return PlainJSON(evidence_of(curation, desk.row(key)))

    @router.get("/questions/{key:path}/similar", summary="Sentences of the same kind", responses={200: {"model": Listed}})
    def similar(key: str, n: Annotated[int, Query(ge=1, le=100)] = 20) -> Any:
        """The nearest other candidates by Hamming distance of their hashcodes; those with an answer show it."""
        row = desk.row(key)
        codes = curation.teaching.codes
        if codes is None:
            return PlainJSON({"questions": []})
        distances = hamming_distances(codes[[row]], codes)[0].astype(np.int64)
        nearest = [int(other) for other in np.argsort(distances, kind="stable") if other != row][:n]
        return PlainJSON({"questions": [{**asking.shown(other), "distance": int(distances[other])} for other in nearest]})

    @router.get("/questions/{key:path}", summary="One question", responses={200: {"model": Question}})
    def question(key: str) -> Any:
        """With all answers to it, and its probability now."""
        return PlainJSON(asking.shown(desk.row(key)))

    @router.get("/documents", summary="The documents")
    def list_documents(search: Search = "", page: Annotated[int, Query(ge=1, le=1_000_000)] = 1) -> Any:
        """Fifty at a time; ``search`` is part of an id, or words of the text."""
        return PlainJSON(documents.listed(search, page))

    @router.get("/documents/{identifier:path}", summary="One document")
    def document(identifier: str) -> Any:
        """Its text, entities, and all candidates as relations with their probability and answer."""
        found = documents.shown(identifier)
        if found is None:
            raise HTTPException(404, "there is no such document")
        return PlainJSON(found)

    @router.get("/pairs", summary="Pairs of entities")
    def list_pairs(search: Search = "") -> Any:
        """All sentences for a pair merged to a belief; answers count. The most believed first, at most 500."""
        return PlainJSON({"pairs": pairs.listed(search)})

    return router
