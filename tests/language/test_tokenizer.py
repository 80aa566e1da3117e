"""The tokenizer: spaCy's own tokens, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import relhash
from relhash.language import tokenizer as tokenizer_module
from relhash.language.embedded import network
from relhash.language.words import spans_of
from relhash.resources import resource_path
from tests.language.spacy_reference import shipped_in_spacy

RULES = sorted(shipped_in_spacy().tokenizer.rules)
PIECES = st.one_of(
    st.sampled_from(RULES),
    st.sampled_from(list("-‐–—/\\+:;=<>≤*%&@#|~^(){}[]\"“”'’‘`…?!,..· $€°µ\n\t\x1c\u2028\u00a0")),
    st.sampled_from(
        ["IL", "4", "10", "am", "E2F", "kappa", "B", "1,000", "0.05", "km", "mg", "and", "or", "i", "e", "g", "  ", "é"]
    ),
    st.text(max_size=5),
)


def assert_spacys(text):
    ours, theirs = network(resource_path("biomed_en")).tokenizer(text), spans_of(shipped_in_spacy().tokenizer(text))
    seen = [[text[start:end] for start, end in spans if not text[start:end].isspace()] for spans in (ours, theirs)]
    assert seen[0] == seen[1]
    assert [span for span in ours if not text[slice(*span)].isspace()] == [
        span for span in theirs if not text[slice(*span)].isspace()
    ]


@pytest.mark.parametrize(
    ("text", "tokens"), [("A b", ["A", "b"]), ("A  b\nc", ["A", " ", "b", "\n", "c"]), (" A", [" ", "A"]), ("\tA", ["\t", "A"])]
)
def test_one_blank_belongs_to_the_word_before_it(text, tokens):
    ours = network(resource_path("biomed_en")).tokenizer(text)
    assert [text[slice(*span)] for span in ours] == tokens == [token.text for token in shipped_in_spacy().tokenizer(text)]


def test_abstracts_are_cut_as_by_spacy():
    for document in relhash.read(resource_path("demo") / "abstracts.jsonl.gz"):
        assert_spacys(document.text)


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
@example("and/or (and/or) and / or ‘and/or’ i.e.,e.g. 10a.m.)")
@example("and/orand/or he'she's o'clockn't")
def test_any_text_is_cut_as_by_spacy(text):
    assert_spacys(text)


def test_each_special_case_is_cut_as_by_spacy():
    for case in RULES:
        for text in (case, f"({case})", f"a {case}, {case}{case}", f"{case}."):
            assert_spacys(text)


@pytest.mark.parametrize("bound", [1, 3])
def test_runs_that_are_remembered_change_nothing(monkeypatch, bound):
    monkeypatch.setattr(tokenizer_module, "REMEMBERED", bound)
    assert_spacys("Ras binds to Raf (and/or MEK). Ras binds to Raf (and/or MEK).")
