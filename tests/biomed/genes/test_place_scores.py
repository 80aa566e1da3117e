"""Features found by their numbers are those that their names would find."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.biomed.genes.place_scores import PlaceTable, numbered, place_features
from relhash.biomed.genes.tagger import GeneTagger, shipped_gene_tagger
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
