"""A document with all its candidates, and the list of documents."""

from __future__ import annotations

from typing import Any

from relhash.corpus.document import Document, Mention
from relhash.visible import visible
from relhash.web.agreement import decided
from relhash.web.asking import word_of
from relhash.web.curation import Curation
from relhash.web.shown_text import ShownText

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
        found = [document for document in self._documents.values() if _holds(document, words)]
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
        document = self._documents.get(identifier)
        if document is None:
            return None
        text = ShownText(document.text, keep_lines=True)
        rows = self._rows.get(identifier, [])
        mentions = {mention.id: mention for mention in document.entities}
        for row in rows:  # triggers are no entities of the document
            mentions |= {mention.id: mention for mention in self.curation.teaching.candidates[row].mentions}
        return {
            "id": document.id,
            "text": text.text,
            "sentences": text.spans((sentence.start, sentence.end) for sentence in document.sentences),
            "entities": [_entity(mention, text) for mention in mentions.values()],
            "relations": [self._relation(row) for row in rows],
        }

    def _relation(self, row: int) -> dict[str, Any]:
        teaching, taught = self.curation.teaching, self.curation.moment.taught
        candidate = teaching.candidates[row]
        given = self.curation.answers_of(candidate.key)
        ends = [mention for _, mention in sorted(zip(candidate.roles, candidate.mentions), key=lambda pair: pair[0])]
        ends = [mention for mention in ends if not mention.is_trigger] or ends
        chosen = next((one.relation for one in reversed(given.values()) if one.relation), None)
        return {
            "key": candidate.key,
            "from": ends[0].id,
            "to": ends[-1].id,
            "probability": float(taught.probabilities[row]),
            "accepted": bool(taught.accepted[row]),
            "answer": word_of(decided(one.answer for one in given.values())) if given else None,
            "type": visible(chosen or teaching.relation(row)),
        }


def _holds(document: Document, words: list[str]) -> bool:
    return not words or all(word in document.id.casefold() or word in document.text.casefold() for word in words)


def _entity(mention: Mention, text: ShownText) -> dict[str, Any]:
    return {
        "id": mention.id,
        "text": visible(mention.text),
        "type": visible(mention.type),
        "ids": [visible(one) for one in mention.ids],
        "spans": text.spans(mention.spans),
    }
