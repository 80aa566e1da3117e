"""Other looks at the text: one question with its evidence and its like, documents with all their candidates, and pairs.

All evidence for a pair of entities is merged to a belief (:mod:`relhash.show.facts`); answers count more than the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, HTTPException, Query

from relhash.corpus.document import Document, Mention
from relhash.curate.api import Desk
from relhash.curate.asking import ShownText, evidence_of, word_of
from relhash.curate.curation import Curation
from relhash.curate.messages import Listed, PlainJSON, QuestionReply
from relhash.model.answers.alike import SAME
from relhash.model.answers.answer import Answer, corrected
from relhash.show.facts.merging import Entity, EntityKey, FactRow, merge
from relhash.visible import visible

ON_A_PAGE = 50
BEGINNING = 160
"""Characters of a text that a list shows."""


class DocumentViews:
    """Looks at documents."""

    def __init__(self, curation: Curation) -> None:
        self.curation = curation
        self._documents = {document.id: document for document in curation.documents}
        self._rows: dict[str, list[int]] = {}
        for row, candidate in enumerate(curation.teaching.candidates):
            self._rows.setdefault(candidate.document.id, []).append(row)

    def listed(self, search: str, page: int) -> dict[str, Any]:
        """Documents whose id or text holds all words of ``search``."""
        words = search.casefold().split()
        found = [one for one in self._documents.values() if all(word in f"{one.id}\n{one.text}".casefold() for word in words)]
        pages = max(1, -(-len(found) // ON_A_PAGE))
        page = min(page, pages)
        shown = [self._line(document) for document in found[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]]
        return {"documents": shown, "page": page, "pages": pages, "total": len(found)}

    def _line(self, document: Document) -> dict[str, Any]:
        rows = self._rows.get(document.id, [])
        accepted = self.curation.moment.taught.accepted
        keys = [self.curation.teaching.candidates[row].key for row in rows]
        with self.curation.lock:
            answered = sum(key in self.curation.answers for key in keys)
        return {
            "id": document.id,
            "text": visible(" ".join(document.text[: 2 * BEGINNING].split())[:BEGINNING]),
            "candidates": len(rows),
            "accepted": int(accepted[rows].sum()) if rows else 0,
            "answered": answered,
        }

    def shown(self, identifier: str) -> dict[str, Any] | None:
        """The document; ``None`` if there is none of this id."""
        if identifier not in self._documents:
            return None
        right = self.curation.corrections
        document = right.get(identifier, self._documents[identifier])
        text = ShownText(document.text, keep_lines=True)
        rows = self._rows.get(identifier, [])
        mentions = {mention.id: mention for mention in document.entities}
        for row in rows:  # triggers are no entities of the document
            mentions |= {one.id: one for one in corrected(self.curation.teaching.candidates[row], right).mentions}
        return {
            "id": document.id,
            "text": text.text,
            "sentences": text.spans((sentence.start, sentence.end) for sentence in document.sentences),
            "entities": [
                {
                    "id": mention.id,
                    "text": visible(mention.text),
                    "type": visible(mention.type),
                    "ids": [visible(one) for one in mention.ids],
                    "spans": text.spans(mention.spans),
                }
                for mention in mentions.values()
            ],
            "relations": [self._relation(row) for row in rows],
        }

    def _relation(self, row: int) -> dict[str, Any]:
        teaching, taught = self.curation.teaching, self.curation.moment.taught
        candidate = teaching.candidates[row]
        said = self.curation.said(candidate.key)
        ends = [mention for _, mention in sorted(zip(candidate.roles, candidate.mentions), key=lambda pair: pair[0])]
        ends = [mention for mention in ends if not mention.is_trigger] or ends
        return {
            "key": candidate.key,
            "from": ends[0].id,
            "to": ends[-1].id,
            "probability": float(taught.probabilities[row]),
            "accepted": bool(taught.accepted[row]),
            "answer": word_of(said.answer) if said else None,
            "type": visible((said and said.relation) or teaching.relation(row)),
        }


AT_MOST = 500
Ends = tuple[Entity, Entity]


def pairs_of(curation: Curation, search: str) -> list[dict[str, Any]]:
    """Pairs that some sentence states, by the model or by an answer; ``search`` is part of a name or an id."""
    teaching, probabilities = curation.teaching, curation.moment.taught.probabilities
    with curation.lock:
        answers, right = {key: one.answer for key, one in curation.answers.said.items()}, curation.corrections
    participants = [_ends(corrected(candidate, right).mentions) for candidate in teaching.candidates]
    rows: dict[frozenset[EntityKey], list[int]] = {}
    for row in np.argsort(-probabilities, kind="stable").tolist():
        if (ends := participants[row]) is not None:
            rows.setdefault(frozenset(one.key for one in ends), []).append(row)
    shown: list[dict[str, Any]] = []
    for fact in merge(_statements(curation, participants, answers)):
        names = [name for entity in (fact.first, fact.second) for name in (*entity.names, *entity.ids)]
        if len(shown) == AT_MOST or not any(search.casefold() in name.casefold() for name in names):
            continue
        keys = [teaching.candidates[row].key for row in rows[frozenset((fact.first.key, fact.second.key))]]
        shown.append(
            {
                "a": visible(fact.first.name),
                "b": visible(fact.second.name),
                "type": visible(fact.relation),
                "belief": fact.belief,
                "sentences": len(fact.sources),
                "documents": fact.documents,
                "answered": sum(key in answers for key in keys),
                "keys": keys,
            }
        )
    return shown


def _statements(curation: Curation, participants: Sequence[Ends | None], answers: dict[str, Answer]) -> Iterator[FactRow]:
    teaching, taught = curation.teaching, curation.moment.taught
    for row, ends in enumerate(participants):
        candidate = teaching.candidates[row]
        answer = answers.get(candidate.key, Answer.SKIP)
        is_judged = answer.is_right is not None
        is_stated = answer.is_right if is_judged else taught.accepted[row]
        if ends is None or not (is_stated or answer is Answer.NEGATED):
            continue
        assertion = "asserted" if is_judged else str(curation.assertions[row])
        yield FactRow(
            candidate.document.id,
            ends,
            teaching.relation(row),
            1.0 if is_judged else float(taught.probabilities[row]),
            assertion="negated" if answer is Answer.NEGATED else assertion,
            is_directed=False,  # one line for a pair, whichever way its relations run
            sentence=str(candidate.sentence),
        )


def _ends(mentions: tuple[Mention, ...]) -> Ends | None:
    """The two entities; ``None`` for an event about one."""
    named = [mention for mention in mentions if not mention.is_trigger]
    if len(named) < 2:
        return None
    one, two = (Entity.of(m.text, m.type, m.ids) for m in (named[0], named[1]))
    return one, two


Search = Annotated[str, Query(max_length=200)]


def view_routes(desk: Desk) -> APIRouter:
    """GET /api/questions/…, /api/documents/…, /api/pairs."""
    router = APIRouter(prefix="/api", tags=["views"], default_response_class=PlainJSON)
    curation, asking = desk.curation, desk.asking
    documents = DocumentViews(curation)

    @router.get("/questions/{key:path}/evidence", summary="Why the model says so")
    def evidence(key: str) -> Any:
        """What moved the decision (terms that sum to the log-odds), the hash functions, the nearest answers, coverage."""
        return PlainJSON(evidence_of(curation, desk.row(key)))

    @router.get("/questions/{key:path}/similar", summary="Sentences of the same kind", responses={200: {"model": Listed}})
    def similar(key: str, n: Annotated[int, Query(ge=1, le=100)] = 20) -> Any:
        """The other candidates most like it, by the exact kernels; those with an answer show it.

        ``in_group`` are so similar that one look may judge them together.
        """
        alike = curation.teaching.alike
        near = [] if alike is None else alike.near(desk.row(key), n)
        shown = [{**asking.shown(row), "similarity": round(value, 3), "in_group": value >= SAME} for row, value in near]
        return PlainJSON({"questions": shown})

    @router.get("/questions/{key:path}", summary="One question", responses={200: {"model": QuestionReply}})
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
        return PlainJSON({"pairs": pairs_of(curation, search)})

    return router
