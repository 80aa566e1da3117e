"""Vectors of words in context: spaCy's to rounding, and always the same digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from spacy.tokens import Doc

from relhash.language import remembered_words
from relhash.language.embedded import network
from relhash.language.remembered_words import BLOCK, RememberedWords
from relhash.resources import resource_path
from tests.language.spacy_reference import shipped_in_spacy

TEXT = [
    "Ras", "binds", "to", "Raf", "-", "1", "in", "vitro", ",", "but", "p85α", "(", "PI3K", ")", "does", "not", "bind", "H", "-",
    "Ras", ".",
]  # fmt: skip


def spacys(words: list[str]) -> Any:
    nlp = shipped_in_spacy()
    return nlp.get_pipe("tok2vec")(Doc(nlp.vocab, words=words)).tensor


def fresh() -> RememberedWords:
    shipped = network(resource_path("biomed_en")).words
    return RememberedWords(shipped._of_words, shipped._layers, shipped._pad)


@pytest.mark.parametrize("words", [["Ras"], TEXT, [f"p{number}" for number in range(3 * BLOCK)]])
def test_vectors_are_those_of_spacy(words):
    np.testing.assert_allclose(fresh()(words), spacys(words), atol=2e-5)


def test_digits_do_not_depend_on_what_was_read_before():
    first = fresh()(TEXT)
    other = fresh()
    other([f"word{number}" for number in range(50)] + TEXT[::-1])
    np.testing.assert_array_equal(other(TEXT), first)


def test_words_are_forgotten_before_they_are_too_many(monkeypatch):
    monkeypatch.setattr(remembered_words, "REMEMBERED", 40)
    component = fresh()
    first = component(TEXT)
    for number in range(5):
        component([f"word{number}x{other}" for other in range(30)])
    assert len(component._rows) <= 40
    np.testing.assert_array_equal(component(TEXT), first)


def test_the_table_grows_with_the_words():
    component = fresh()
    many = [f"word{number}" for number in range(2500)]
    both = component(many), component(many)
    np.testing.assert_array_equal(*both)
    np.testing.assert_allclose(both[0], spacys(many), atol=2e-5)
