"""``relhash benchmark assertion``: negation and speculation of the events of BioNLP 2013, against plain rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from relhash.bench.benchmarks import Asked
from relhash.bench.datasets.bionlp import development_documents, training_documents
from relhash.bench.datasets.dataset import data_root
from relhash.bench.tables import Report, Table
from relhash.biomed.assertion import Assertion, AssertionModel, assertion_by_rules, shipped_model
from relhash.biomed.cues import NEGATIONS, Cue, CueScope, Statement
from relhash.corpus.document import Document, Mention, Relation, Sentence
from relhash.language import ParseCache, Pipeline
from relhash.language.schemes import collapse_document
from relhash.learn.metrics import rates

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


Found = tuple[bool, bool]
"""Negated, speculative."""
Judge = Callable[[MarkedEvent], Found]


@dataclass(frozen=True, slots=True)
class AssertionFigure:
    """One row: a way to judge, the class it looks for, and how well it finds it."""

    judge: str
    marked: str
    precision: float
    recall: float
    f1: float
    gold: int
    found: int
    milliseconds: float
    """Per event, the parse not counted."""


def assertion_figures(data: Path | None = None) -> list[AssertionFigure]:
    """All judges on the development set of 2013."""
    return list(figures_of(list(marked_events(development_documents(data_root(data))))))


def run(asked: Asked) -> Report:
    """The benchmark."""
    asked.say("parsing BioNLP 2013 devel")
    return report_of(assertion_figures(asked.data))


def report_of(figures: Sequence[AssertionFigure]) -> Report:
    """The figures as a table."""
    headings = ["judge", "class", "P", "R", "F1", "gold", "found", "ms per event"]
    rows = [[f.judge, f.marked, f.precision, f.recall, f.f1, f.gold, f.found, f.milliseconds] for f in figures]
    title = "Negation and speculation, events of BioNLP 2013 devel"
    return Report("assertion", title, figures, [Table(headings, rows, left=(0, 1))])


def figures_of(events: Sequence[MarkedEvent], model: AssertionModel | None = None) -> Iterator[AssertionFigure]:
    """One row per judge and class; ``model`` is the one that ships, if none is given."""
    asked = model or shipped_model()
    judges: dict[str, Judge] = {"model": lambda event: _found(asked.of(event.scope, event.statement)), **RIVALS}
    for name, judge in judges.items():
        started = time.process_time()
        found = [judge(event) for event in events]
        milliseconds = 1000 * (time.process_time() - started) / max(len(events), 1)
        for number, marked in enumerate(("negation", "speculation")):
            gold = [(event.negated, event.speculative)[number] for event in events]
            yield _figure(name, marked, gold, [one[number] for one in found], milliseconds)


def _figure(judge: str, marked: str, gold: list[bool], found: list[bool], milliseconds: float) -> AssertionFigure:
    right = sum(a and b for a, b in zip(gold, found, strict=True))
    return AssertionFigure(judge, marked, *rates(sum(gold), sum(found), right), sum(gold), sum(found), milliseconds)


def _by_rules(event: MarkedEvent) -> Found:
    return _found(assertion_by_rules(event.scope, event.statement))


def _found(assertion: Assertion) -> Found:
    return assertion is Assertion.NEGATED, assertion in (Assertion.SPECULATIVE, Assertion.QUESTIONED)


def _in_sentence(event: MarkedEvent) -> Found:
    return _by_words(event, range(len(event.scope.tokens)))


def _between(event: MarkedEvent) -> Found:
    around = (*event.statement.head, *event.statement.participants)
    return _by_words(event, range(min(around), max(around) + 1))


def _by_words(event: MarkedEvent, where: range) -> Found:
    words = {event.scope.tokens[number].text.lower() for number in where}
    doubts = (Cue.MODAL, Cue.HEDGE, Cue.QUESTION, Cue.STUDY)
    return not words.isdisjoint(NEGATIONS), any(cue.kind in doubts for cue in event.scope.cues if cue.token in where)


RIVALS: dict[str, Judge] = {
    "rules": _by_rules,
    "a cue stands between": _between,
    "a cue stands in the sentence": _in_sentence,
    "majority (all asserted)": lambda event: (False, False),
}
