"""IOB files of named entities → raw sentences with character spans → spaCy documents in the shipped tokenisation.

The files hold tokens only ("IL - 4"), so the raw text is put together again by the rules of English typography; entities are
measured on that text, with our own tokenizer, as a user's text would be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

__all__ = ["TYPES", "EntitySentence", "entity_document", "joined", "read_iob"]

TYPES = {"GENE": "protein", "protein": "protein", "Chemical": "chemical", "Disease": "disease"}
"""Label in the files → type of our mentions."""

NO_SPACE_BEFORE = frozenset(".,;:?!)]}%'’°′″-–/\\")
NO_SPACE_AFTER = frozenset("([{-–/\\")
QUOTES = frozenset("\"`'")


@dataclass(frozen=True)
class EntitySentence:
    """A raw sentence and its entities as (start, end, type)."""

    text: str
    entities: tuple[tuple[int, int, str], ...]


def joined(tokens: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """Raw text of a token list, and where each token stands in it.

    >>> joined(["IL", "-", "4", "(", "type", "2", ")", "."])[0]
    'IL-4 (type 2).'
    """
    text, spans = "", []
    for index, token in enumerate(tokens):
        previous = tokens[index - 1] if index else ""
        if text and token not in NO_SPACE_BEFORE and previous not in NO_SPACE_AFTER:
            text += " "
        spans.append((len(text), len(text) + len(token)))
        text += token
    return text, spans


def read_iob(path: Path) -> Iterator[EntitySentence]:
    """Sentences of a two-column IOB file; labels outside :data:`TYPES` are dropped."""
    tokens: list[str] = []
    labels: list[str] = []
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if line.strip():
            token, label = line.rstrip("\n").split("\t")[:2]
            tokens.append(token)
            labels.append(label)
        elif tokens:
            if tokens != ["-DOCSTART-"]:
                yield _entity_sentence(tokens, labels)
            tokens, labels = [], []


def _entity_sentence(tokens: list[str], labels: list[str]) -> EntitySentence:
    text, spans = joined(tokens)
    entities: list[tuple[int, int, str]] = []
    for (start, end), label in zip(spans, labels, strict=True):
        prefix, _, name = label.partition("-")
        kind = TYPES.get(name)
        if kind is None:
            continue
        if prefix == "I" and entities and entities[-1][2] == kind and text[entities[-1][1] : start].strip() == "":
            entities[-1] = (entities[-1][0], end, kind)
        else:
            entities.append((start, end, kind))
    return EntitySentence(text, tuple(entities))


def entity_document(nlp: Language, sentence: EntitySentence) -> Doc:
    """The sentence in our tokens with its entities; one that cuts a token is widened to it."""
    doc = nlp.make_doc(sentence.text)
    spans = []
    for start, end, kind in sentence.entities:
        span = doc.char_span(start, end, label=kind, alignment_mode="expand")
        if span is not None and not (spans and spans[-1].end > span.start):
            spans.append(span)
    doc.set_ents(spans)
    return doc
