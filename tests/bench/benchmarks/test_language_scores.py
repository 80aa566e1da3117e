"""Scores of a language pipeline, on a pipeline whose answers are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.bench.benchmarks.language import entity_scores, parse_scores
from relhash.corpus.document import Dependency, Document, Mention


class Answers:
    """A pipeline that gives prepared documents, whatever is asked."""

    def __init__(self, documents):
        self.documents = documents

    def annotate(self, documents):
        assert all(not document.sentences and not document.mentions for document in documents)  # gold is not shown
        return iter(self.documents)


def test_a_perfect_parse(gold):
    scores = parse_scores(Answers(gold), gold)
    assert (scores.unlabelled_attachment, scores.labelled_attachment, scores.tags, scores.sentences) == (1, 1, 1, 1)
    assert scores.n_tokens == 8


def test_each_kind_of_mistake_has_its_price(gold):
    first = gold[0].sentences[0]
    wrong_label = replace(first, dependencies=(Dependency(1, 0, "dobj"), *first.dependencies[1:]))
    parsed = [replace(gold[0], sentences=(wrong_label, gold[0].sentences[1])), gold[1]]
    scores = parse_scores(Answers(parsed), gold)
    assert scores.unlabelled_attachment == 1
    assert scores.labelled_attachment == pytest.approx(5 / 6)  # six words that are no punctuation
    wrong_head = replace(first, dependencies=(Dependency(2, 0, "nsubj"), *first.dependencies[1:]))
    parsed = [replace(gold[0], sentences=(wrong_head, gold[0].sentences[1])), gold[1]]
    assert parse_scores(Answers(parsed), gold).unlabelled_attachment == pytest.approx(5 / 6)
    assert parse_scores(Answers([replace(gold[0], sentences=()), gold[1]]), gold).sentences == pytest.approx(2 / 4)


def mention(start, end, kind="protein"):
    return Mention(f"T{start}", kind, ((start, end),), "x" * (end - start))


def test_entity_scores_are_exact_spans_of_annotated_types():
    gold = [Document("d", "x" * 20, mentions=(mention(0, 3), mention(5, 8)))]
    found = [Document("d", "x" * 20, mentions=(mention(0, 3), mention(5, 9), mention(12, 14, "disease")))]
    scores = entity_scores(Answers(found), gold)
    assert set(scores) == {"protein", "all"}
    assert (scores["protein"].precision, scores["protein"].recall, scores["protein"].f1) == (0.5, 0.5, 0.5)
