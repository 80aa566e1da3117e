"""The compiled steps of the parser: spaCy's own parses, to the last arc."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

import relhash
from relhash.language.arc_eager import ArcEagerParser
from relhash.language.spacy_model import load_model
from relhash.resources import resource_path

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
    return load_model("embedded")._nlp


def both(nlp: Any, words: list[str], starts: list[bool | None]) -> tuple[Doc, Doc]:
    """The words parsed by spaCy and by us, from the same vectors."""
    theirs, ours = (Doc(nlp.vocab, words=words, sent_starts=starts) for _ in range(2))
    nlp.get_pipe("tok2vec")(theirs)
    ours.tensor = theirs.tensor
    parser = ArcEagerParser.of(nlp.get_pipe("parser"))
    assert parser is not None
    return nlp.get_pipe("parser")(theirs), parser(ours)


def assert_same(theirs: Doc, ours: Doc) -> None:
    columns = ["HEAD", "DEP", "SENT_START"]
    np.testing.assert_array_equal(ours.to_array(columns), theirs.to_array(columns))
    assert [(own.start, own.end) for own in ours.sents] == [(own.start, own.end) for own in theirs.sents]


def test_abstracts_are_parsed_as_by_spacy(nlp):
    for document in list(relhash.read(resource_path("demo") / "abstracts.jsonl.gz"))[:8]:
        words = [token.text for token in nlp.tokenizer(document.text) if not token.is_space]
        theirs, ours = both(nlp, words, [True] + [None] * (len(words) - 1))
        assert_same(theirs, ours)
        assert len(list(ours.sents)) > 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([None, None, None, False, True])), min_size=1, max_size=40))
def test_any_words_are_parsed_as_by_spacy(nlp, given_words):
    """Nonsense leads to states that text seldom does: words given back, heads changed, sentences that may not start."""
    words, starts = map(list, zip(*given_words, strict=True))
    assert_same(*both(nlp, words, starts))


def test_a_sentence_that_is_given_whole_stays_one(nlp):
    words = ["Ras", "binds", ".", "Raf", "does", "not", "."]
    _, ours = both(nlp, words, [True] + [False] * 6)
    assert len(list(ours.sents)) == 1


def test_other_kinds_of_parsers_are_left_to_spacy():
    blank = spacy.blank("en")
    beam = blank.add_pipe("beam_parser")
    beam.add_label("nsubj")
    plain = blank.add_pipe("parser")
    for label in ("nsubj", "dobj||prep"):
        plain.add_label(label)
    blank.initialize()
    assert ArcEagerParser.of(blank.get_pipe("beam_parser")) is None
    assert ArcEagerParser.of(blank.get_pipe("parser")) is None
    assert ArcEagerParser.of(blank.add_pipe("sentencizer")) is None
