"""Which candidates count as labelled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import ParameterError
from relhash.learning.labels import draw_labelled, training_labels
from relhash.structures import candidates


@given(st.integers(4, 40), st.integers(2, 20), st.integers(0, 5))
def test_a_draw_has_both_classes_each_candidate_once_and_is_the_same_again(n, positive, seed):
    y = np.arange(60) < positive
    chosen = draw_labelled(y, n, seed)
    assert len(set(chosen.tolist())) == len(chosen) == n
    assert 2 <= y[chosen].sum() <= n - 2
    assert (np.diff(chosen) > 0).all()
    np.testing.assert_array_equal(chosen, draw_labelled(y, n, seed))


def test_draws_are_random():
    y = np.arange(60) < 20
    draws = {tuple(draw_labelled(y, 10, seed).tolist()) for seed in range(20)}
    assert len(draws) == 20
    assert draw_labelled(y, 100, 0).size == 60
    with pytest.raises(ParameterError, match="at least 4"):
        draw_labelled(y, 3, 0)


def test_labels_by_key_replace_those_of_the_corpus(abstracts):
    found = list(candidates(abstracts))[:30]
    chosen = {found[5].key: not found[5].is_positive, found[2].key: True}
    labelled, y = training_labels(found, chosen, 0)
    assert labelled.tolist() == [2, 5]
    assert y[5] != found[5].is_positive
    assert y[2]
    everything, gold = training_labels(found, None, 0)
    assert everything.tolist() == list(range(30))
    assert gold.tolist() == [candidate.is_positive for candidate in found]
