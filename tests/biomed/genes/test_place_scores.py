"""Features found by their numbers are those that their names would find."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.biomed.genes.place_scores import PlaceTable, numbered, place_features, summed
from relhash.biomed.genes.tagger import GeneTagger, shipped_gene_tagger
from relhash.compilation import after
from relhash.errors import LanguageError

WORDS = ("the", "Ras", "IL", "-", "2", "receptor", "insulin", "(", ")", "[", "breast", "cancer", "p53", "β", "binds", "NF", ".")


@pytest.fixture(scope="module")
def tagger() -> GeneTagger:
    return shipped_gene_tagger()


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WORDS) | st.text(min_size=1, max_size=6), st.booleans()), max_size=25))
def test_scores_are_those_of_the_names(tagger, given_words):
    """To the last digit: sums run in the order of the names."""
    texts, spaces = [text for text, _ in given_words], [space for _, space in given_words]
    model = tagger.model
    spelled, rows = tagger._spellings(texts)
    expected = np.zeros((len(texts), spelled.weights.shape[2]))
    reach = spelled.weights.shape[1] // 2
    for t in range(len(texts)):
        for k in range(spelled.weights.shape[1]):
            at = t + k - reach
            expected[t] += spelled.weights[rows[at] if 0 <= at < len(texts) else 0, k]
    groups = [model.groups(text)[1] for text in texts]
    for t, names in enumerate(place_features(texts, spaces, tagger._known.classes(texts), groups)):
        for name in names:
            if name in model.places.rows:
                expected[t] += model.places.weights[model.places.rows[name]]
    np.testing.assert_array_equal(np.concatenate(tagger.scores(texts, spaces), axis=1), expected)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=4))
def test_what_stands_in_another_sentence_says_nothing(tagger, sentences):
    ends = tuple(np.cumsum([len(texts) for texts in sentences]).tolist())
    together = tagger._weights(tuple(chain.from_iterable(sentences)), [True] * ends[-1], ends)
    apart = [tagger._weights(tuple(texts), [True] * len(texts), (len(texts),)) for texts in sentences]
    np.testing.assert_array_equal(together, np.concatenate(apart))


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 8), max_size=5), min_size=1, max_size=5))
def test_sums_are_those_of_numpy_to_the_last_digit(rows):
    weights = np.random.default_rng(0).normal(size=(9, 7)).astype(np.float32)
    flat = np.array([row for own in rows for row in own], np.int64)
    for seconds in (0, float("inf")):
        with after(seconds):
            found = summed(weights, flat, np.cumsum([len(own) for own in rows]))
        for one, own in zip(found, rows, strict=True):
            np.testing.assert_array_equal(one, weights[own].sum(axis=0) if own else np.zeros(7, np.float32))


@given(st.text(max_size=8), st.text(max_size=8))
def test_numbers_of_parts_give_the_number_of_the_whole(first, second):
    (number, _), (later, power) = numbered(first), numbered(second)
    with np.errstate(over="ignore"):
        assert number * power + later == numbered(first + second)[0]


def test_features_with_the_same_number_are_refused():
    """An empty name has the number that stands for an empty place."""
    with pytest.raises(LanguageError, match="same number"):
        PlaceTable.of({"": 0, "b": 1})
    assert not PlaceTable.of({}).keys.any()
