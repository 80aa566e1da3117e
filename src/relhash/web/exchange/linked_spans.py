"""Two marked stretches of a text that somebody joined, and the candidate that is meant."""

from __future__ import annotations

from dataclasses import dataclass

from relhash.corpus.tables.labels import meaning_of_label
from relhash.web.curation import Curation


@dataclass(frozen=True, slots=True)
class LinkedSpans:
    """A relation between two spans of a text, as an annotation tool exports it; ``document`` is an id, if the file has one."""

    text: str
    first: tuple[int, int]
    second: tuple[int, int]
    type: str = ""
    document: str = ""
    curator: str = ""

    @property
    def is_none(self) -> bool:
        """Whether the type says that there is no relation (``no``, ``none``, ``0``)."""
        return bool(self.type) and meaning_of_label(self.type)[0] == "no"


class Places:
    """Finds candidates by the places of their names, whichever of the two comes first."""

    def __init__(self, curation: Curation) -> None:
        self._documents = {document.id: document.text for document in curation.documents}
        self._by_text = {_plain(text): identifier for identifier, text in self._documents.items()}
        self._keys: dict[tuple[str, frozenset[tuple[int, int]]], str] = {}
        for candidate in curation.teaching.candidates:
            spans = frozenset((mention.start, mention.end) for mention in candidate.mentions)
            self._keys.setdefault((candidate.document.id, spans), candidate.key)

    def find(self, link: LinkedSpans) -> str | None:
        """The key of the candidate; ``None`` if the text has no such document or no such names."""
        identifier = link.document if self._documents.get(link.document) == link.text else self._by_text.get(_plain(link.text))
        if identifier is None:
            return None
        # a tool may have added or dropped blanks at the beginning
        shift = _lead(self._documents[identifier]) - _lead(link.text)
        spans = frozenset((start + shift, end + shift) for start, end in (link.first, link.second))
        return self._keys.get((identifier, spans))


def _plain(text: str) -> str:
    return text.strip()


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip())
