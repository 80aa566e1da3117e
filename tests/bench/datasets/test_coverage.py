"""How much of an annotation the candidates can reach, and where the rest is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.bench.datasets.bionlp import InteractionCoverage, interaction_coverage
from relhash.candidates.statements import InteractionPolicy, TriggerLexicon
from tests.bench.datasets.toy_documents import toy_document, toy_parse


@pytest.fixture
def documents():
    verbs = ("activates", "activates", "resembles")
    return list(toy_parse(toy_document(f"d{number}", "MEK", "ERK", verb, "here") for number, verb in enumerate(verbs)))


def test_everything_that_is_stated_is_reached_with_a_lexicon_that_knows_its_words(documents):
    found = interaction_coverage(documents, InteractionPolicy(TriggerLexicon.learn(documents)))
    assert (found.events, found.mapped_events, found.interactions) == (2, 2, 2)
    assert (found.in_one_sentence, found.known_trigger, found.reached) == (2, 2, 2)
    assert found.candidates >= found.reached


def test_unknown_words_and_text_without_a_parse_are_not_reached(documents):
    unknown = interaction_coverage(documents, InteractionPolicy(TriggerLexicon().extended({"Binding": ["xyzzy"]})))
    assert (unknown.interactions, unknown.known_trigger, unknown.reached) == (2, 0, 0)
    bare = [replace(one, sentences=tuple(replace(s, dependencies=(), parser="") for s in one.sentences)) for one in documents]
    unparsed = interaction_coverage(bare, InteractionPolicy(TriggerLexicon.learn(documents)))
    assert (unparsed.in_one_sentence, unparsed.reached, unparsed.candidates) == (2, 0, 0)


def test_counts_add_up():
    one, other = InteractionCoverage(events=3, reached=1), InteractionCoverage(events=4, candidates=2)
    assert one + other == InteractionCoverage(events=7, reached=1, candidates=2)
