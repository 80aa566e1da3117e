"""A document made of named parts, such as title and abstract: each on a line of its own, each a passage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from relhash.corpus.document import Document, Passage


def document_of_parts(identifier: str, parts: Iterable[tuple[str, str]], metadata: Mapping[str, str] | None = None) -> Document:
    """The parts (kind and text) as one document; empty ones are left out.

    >>> document = document_of_parts("1", [("title", "TNF and p53."), ("abstract", ""), ("text", "They bind.")])
    >>> document.text, [(passage.type, passage.start) for passage in document.passages]
    ('TNF and p53.\\nThey bind.', [('title', 0), ('text', 13)])
    """
    lines: list[str] = []
    passages: list[Passage] = []
    start = 0
    for kind, text in parts:
        if text:
            lines.append(text)
            passages.append(Passage(kind, start, start + len(text)))
            start += len(text) + 1
    return Document(identifier, "\n".join(lines), passages=tuple(passages), metadata=dict(metadata or {}))
