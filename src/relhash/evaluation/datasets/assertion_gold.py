"""Gold for assertion: the events of the BioNLP shared tasks, with their marks of negation and speculation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from relhash.corpus.document import Document, Mention, Relation, Sentence
from relhash.evaluation.datasets.bionlp import development_documents, training_documents
from relhash.language import ParseCache, Pipeline
from relhash.language.cue_scope import CueScope, Statement
from relhash.language.schemes import collapse_document

FREE_YEARS = ("2013", "2009")
"""Years whose annotation may be used for what ships; that of 2011 is for non-profit research."""


@dataclass(frozen=True, slots=True)
class MarkedEvent:
    """An event in its sentence, and what the annotators marked it as."""

    document: str
    scope: CueScope
    statement: Statement
    negated: bool
    speculative: bool


def training_events(root: Path) -> list[MarkedEvent]:
    """Events of the training folders of 2009 and 2013."""
    return list(marked_events(training_documents(root, FREE_YEARS)))


def development_events(root: Path) -> list[MarkedEvent]:
    """Events of the development set of 2013."""
    return list(marked_events(development_documents(root)))


def marked_events(documents: Iterable[Document]) -> Iterator[MarkedEvent]:
    """All events with a trigger; documents are parsed as a shipped model reads text: entities blinded, trees collapsed."""
    pipeline = Pipeline(entities="none", blind=True, cache=ParseCache())
    for document in map(collapse_document, pipeline.annotate(documents)):
        yield from _events(document)


def _events(document: Document) -> Iterator[MarkedEvent]:
    marks: dict[str, set[str]] = {}
    for attribute in document.attributes:
        marks.setdefault(attribute.target, set()).add(attribute.type)
    scopes = [CueScope.of(sentence) for sentence in document.sentences]
    for event in document.relations:
        trigger = _named(document, event.id)
        number = None if trigger is None else _sentence_of(document, trigger)
        if trigger is None or number is None:
            continue
        sentence = document.sentences[number]
        head = _tokens(sentence, trigger)
        mentions = [_named(document, argument.target) for argument in event.arguments]
        around = {token for mention in mentions if mention is not None for token in _tokens(sentence, mention)}
        statement = Statement(_heads_first(sentence, head), tuple(sorted(around.difference(head))))
        own = marks.get(event.id, set())
        yield MarkedEvent(document.id, scopes[number], statement, "Negation" in own, "Speculation" in own)


def _named(document: Document, target: str) -> Mention | None:
    """A mention by its id, or the trigger of an event."""
    event: Relation | None = document.relation_by_id.get(target)
    return document.mention_by_id.get((event.trigger or "") if event else target)


def _sentence_of(document: Document, mention: Mention) -> int | None:
    return next((n for n, sentence in enumerate(document.sentences) if sentence.start <= mention.start < sentence.end), None)


def _tokens(sentence: Sentence, mention: Mention) -> list[int]:
    return [
        number
        for number, token in enumerate(sentence.tokens)
        if any(token.start < end and start < token.end for start, end in mention.spans)
    ]


def _heads_first(sentence: Sentence, tokens: list[int]) -> tuple[int, ...]:
    """Tokens that are not governed from among them first, the rightmost of these first of all."""
    inside = {arc.dependent for arc in sentence.dependencies if arc.head in tokens}
    return tuple(sorted(tokens, key=lambda token: (token in inside, -token)))
