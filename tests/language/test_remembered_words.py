"""Vectors of words in context: spaCy's to rounding, and always the same digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from relhash.language import remembered_words
from relhash.language.remembered_words import BLOCK, RememberedWords
from relhash.language.spacy_model import load_model

TEXT = [
    "Ras", "binds", "to", "Raf", "-", "1", "in", "vitro", ",", "but", "p85α", "(", "PI3K", ")", "does", "not", "bind", "H", "-",
    "Ras", ".",
]  # fmt: skip


@pytest.fixture(scope="module")
def nlp() -> Any:
    return load_model("embedded")._nlp


def vectors(nlp: Any, component: Any, words: list[str]) -> np.ndarray:
    return np.asarray(component(Doc(nlp.vocab, words=words)).tensor)


def fresh(nlp: Any) -> RememberedWords:
    component = RememberedWords.of(nlp.get_pipe("tok2vec"))
    assert component is not None
    return component


@pytest.mark.parametrize("words", [["Ras"], TEXT, [f"p{number}" for number in range(3 * BLOCK)]])
def test_vectors_are_those_of_spacy(nlp, words):
    np.testing.assert_allclose(vectors(nlp, fresh(nlp), words), vectors(nlp, nlp.get_pipe("tok2vec"), words), atol=2e-5)


def test_digits_do_not_depend_on_what_was_read_before(nlp):
    first = vectors(nlp, fresh(nlp), TEXT)
    other = fresh(nlp)
    vectors(nlp, other, [f"word{number}" for number in range(50)] + TEXT[::-1])
    np.testing.assert_array_equal(vectors(nlp, other, TEXT), first)


def test_words_are_forgotten_before_they_are_too_many(nlp, monkeypatch):
    monkeypatch.setattr(remembered_words, "REMEMBERED", 40)
    component = fresh(nlp)
    first = vectors(nlp, component, TEXT)
    for number in range(5):
        vectors(nlp, component, [f"word{number}x{other}" for other in range(30)])
    assert len(component._rows) <= 40
    np.testing.assert_array_equal(vectors(nlp, component, TEXT), first)


def test_the_table_grows_with_the_words(nlp):
    component = fresh(nlp)
    many = [f"word{number}" for number in range(2500)]
    both = vectors(nlp, component, many), vectors(nlp, component, many)
    np.testing.assert_array_equal(*both)
    np.testing.assert_allclose(both[0], vectors(nlp, nlp.get_pipe("tok2vec"), many), atol=2e-5)


def test_networks_of_another_kind_are_left_to_spacy():
    blank = spacy.blank("en")
    wide = {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 96, "depth": 2, "embed_size": 50,
            "window_size": 2, "maxout_pieces": 3, "subword_features": True}  # fmt: skip
    blank.add_pipe("tok2vec", config={"model": wide})
    blank.initialize()
    assert RememberedWords.of(blank.get_pipe("tok2vec")) is None
    assert RememberedWords.of(blank.add_pipe("sentencizer")) is None
