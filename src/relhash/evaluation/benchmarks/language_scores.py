"""How well a pipeline reads raw text: attachment, tags, sentences, entities and speed.

Everything is compared by character offsets, so what the tokenizer gets wrong counts against the parser and the recognizer, as
it would for a user.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from relhash.corpus.document import Document, Sentence, Span
from relhash.language import Pipeline
from relhash.learning.metrics import rates


@dataclass(frozen=True, slots=True)
class ParseScores:
    """Shares between 0 and 1; attachment without punctuation, as F1 over arcs (tokens may differ in number)."""

    unlabelled_attachment: float
    labelled_attachment: float
    tags: float
    lemmas: float
    sentences: float
    n_tokens: int


@dataclass(frozen=True, slots=True)
class EntityScore:
    """Exact spans of one type."""

    precision: float
    recall: float
    f1: float
    n_gold: int


def parse_scores(pipeline: Pipeline, gold: Sequence[Document]) -> ParseScores:
    """Parse the texts of ``gold`` (its sentences and tokens are not shown to the pipeline) and compare."""
    counts: Counter[str] = Counter()
    for reference, parsed in zip(gold, pipeline.annotate(_raw(gold)), strict=True):
        true, found = _arcs(reference.sentences), _arcs(parsed.sentences)
        counts["gold"] += len(true)
        counts["found"] += len(found)
        for span, (head, label) in found.items():
            if span in true and true[span][0] == head:
                counts["unlabelled"] += 1
                counts["labelled"] += true[span][1] == label
        true_tokens, found_tokens = _tokens(reference.sentences), _tokens(parsed.sentences)
        counts["tokens"] += len(true_tokens)
        for span, (tag, lemma) in found_tokens.items():
            if span in true_tokens:
                counts["tags"] += true_tokens[span][0] == tag
                counts["lemmas"] += true_tokens[span][1].lower() == lemma.lower()
        true_bounds, found_bounds = _bounds(reference.sentences), _bounds(parsed.sentences)
        counts["gold sentences"] += len(true_bounds)
        counts["found sentences"] += len(found_bounds)
        counts["sentences"] += len(true_bounds & found_bounds)
    return ParseScores(
        rates(counts["gold"], counts["found"], counts["unlabelled"])[2],
        rates(counts["gold"], counts["found"], counts["labelled"])[2],
        counts["tags"] / max(counts["tokens"], 1),
        counts["lemmas"] / max(counts["tokens"], 1),
        rates(counts["gold sentences"], counts["found sentences"], counts["sentences"])[2],
        counts["tokens"],
    )


def entity_scores(pipeline: Pipeline, gold: Sequence[Document]) -> dict[str, EntityScore]:
    """Scores of each type that ``gold`` annotates, and under ``"all"`` of these types together."""
    true: Counter[str] = Counter()
    found: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    types = {mention.type for document in gold for mention in document.mentions}
    for reference, read in zip(gold, pipeline.annotate(_raw(gold)), strict=True):
        expected = {(mention.spans, mention.type) for mention in reference.mentions}
        predicted = {(mention.spans, mention.type) for mention in read.mentions if mention.type in types}
        for counter, mentions in ((true, expected), (found, predicted), (correct, expected & predicted)):
            for _, kind in mentions:
                counter.update((kind, "all"))
    return {
        kind: EntityScore(*rates(true[kind], found[kind], correct[kind]), n_gold=true[kind]) for kind in (*sorted(types), "all")
    }


def sentences_per_second(pipeline: Pipeline, texts: Sequence[str], sentences: int) -> float:
    """Sentences per second of processor time over ``texts`` that hold ``sentences`` (one core: ``OMP_NUM_THREADS=1``)."""
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    list(pipeline.annotate(documents[:5]))
    started = time.process_time()
    for _ in pipeline.annotate(documents):
        pass
    return sentences / max(time.process_time() - started, 1e-9)


def _raw(gold: Iterable[Document]) -> list[Document]:
    return [Document(document.id, document.text) for document in gold]


def _arcs(sentences: Iterable[Sentence]) -> dict[Span, tuple[Span | None, str]]:
    """Span of a token → (span of its head or ``None``, label), punctuation left out."""
    arcs: dict[Span, tuple[Span | None, str]] = {}
    for sentence in sentences:
        spans = [(token.start, token.end) for token in sentence.tokens]
        heads = {arc.dependent: (spans[arc.head], arc.label) for arc in sentence.dependencies}
        for index, span in enumerate(spans):
            head = heads.get(index)
            if head is None:
                arcs[span] = (None, "ROOT")
            elif head[1] != "punct":
                arcs[span] = head
    return arcs


def _tokens(sentences: Iterable[Sentence]) -> dict[Span, tuple[str, str]]:
    return {(token.start, token.end): (token.pos, token.lemma) for sentence in sentences for token in sentence.tokens}


def _bounds(sentences: Iterable[Sentence]) -> set[Any]:
    return {(sentence.tokens[0].start, sentence.tokens[-1].end) for sentence in sentences if sentence.tokens}
