"""The compiled steps of the parser: spaCy's own parses, to the last arc."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

import relhash
from relhash.language.arc_eager import Trees
from relhash.language.embedded import network
from relhash.resources import resource_path
from tests.language.spacy_reference import shipped_in_spacy

WORDS = (
    "Ras",
    "binds",
    "to",
    "the",
    "Raf",
    "protein",
    ",",
    ".",
    "(",
    ")",
    "and",
    "which",
    "was",
    "by",
    "inhibited",
    "not",
    ";",
)


@pytest.fixture(scope="module")
def nlp() -> Any:
    return shipped_in_spacy()


def both(nlp: Any, words: list[str], starts: list[bool | None]) -> tuple[Doc, Trees]:
    """The words parsed by spaCy and by us, from the same vectors."""
    theirs = nlp.get_pipe("tok2vec")(Doc(nlp.vocab, words=words, sent_starts=starts))
    ours = network(resource_path("biomed_en")).parser(
        theirs.tensor, theirs.to_array("SENT_START").view(np.int64).astype(np.int8)
    )
    return nlp.get_pipe("parser")(theirs), ours


def assert_same(theirs: Doc, ours: Trees) -> None:
    assert ours.heads == [token.head.i for token in theirs]
    assert ours.labels == [token.dep_ for token in theirs]
    assert ours.starts == [sentence.start for sentence in theirs.sents]


def test_abstracts_are_parsed_as_by_spacy(nlp):
    for document in list(relhash.read(resource_path("demo") / "abstracts.jsonl.gz"))[:8]:
        words = [token.text for token in nlp.tokenizer(document.text) if not token.is_space]
        theirs, ours = both(nlp, words, [True] + [None] * (len(words) - 1))
        assert_same(theirs, ours)
        assert len(ours.starts) > 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([None, None, None, False, True])), min_size=1, max_size=40))
def test_any_words_are_parsed_as_by_spacy(nlp, given_words):
    """Nonsense leads to states that text seldom does: words given back, heads changed, sentences that may not start."""
    words, starts = map(list, zip(*given_words, strict=True))
    assert_same(*both(nlp, words, starts))


def test_a_sentence_that_is_given_whole_stays_one(nlp):
    words = ["Ras", "binds", ".", "Raf", "does", "not", "."]
    _, ours = both(nlp, words, [True] + [False] * 6)
    assert len(ours.starts) == 1
