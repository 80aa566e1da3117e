"""Text like that a model knows, and text that is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.errors import ModelFileError
from relhash.model.adaptation import MOST, UNLIKE, Familiarity, share_is_far, some_of

N_BITS = 120


def text(shares, sentences, seed, of_each=4):
    """Candidates whose bits follow ``shares``; those of a sentence are near-copies."""
    rng = np.random.default_rng(seed)
    heads = rng.random((sentences, N_BITS)) < shares
    bits = np.repeat(heads, of_each, axis=0)
    fresh = rng.random(bits.shape) < shares
    return np.where(rng.random(bits.shape) < 0.2, fresh, bits), np.repeat(np.arange(sentences), of_each)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(20, 300))
def test_more_of_the_same_is_not_unlike(seed, sentences):
    shares = np.full(N_BITS, 0.5)
    known, more = Familiarity.of(*text(shares, 400, seed)), Familiarity.of(*text(shares, sentences, seed + 1))
    assert known.difference(more) < UNLIKE / 2
    assert known.difference(known) == 0


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_other_shares_are_unlike(seed):
    rng = np.random.default_rng(seed)
    other = np.clip(0.5 + rng.normal(0, 0.25, N_BITS), 0, 1)
    known = Familiarity.of(*text(np.full(N_BITS, 0.5), 400, seed))
    assert known.difference(Familiarity.of(*text(other, 100, seed))) > UNLIKE


def test_copies_of_a_sentence_are_no_evidence():
    """Ten thousand candidates of two sentences say no more than two."""
    known = Familiarity.of(*text(np.full(N_BITS, 0.5), 400, 0))
    assert known.difference(Familiarity.of(*text(np.full(N_BITS, 0.5), 4, 1, of_each=2500))) < UNLIKE


def test_looks_at_whole_sentences_from_all_over_the_text():
    sentences = np.repeat([f"d|{number}" for number in range(2000)], 3)
    rows = some_of(sentences)
    assert MOST / 2 < rows.size <= 2 * MOST
    assert rows[-1] > 0.9 * sentences.size
    assert all((sentences[rows] == sentence).sum() == 3 for sentence in set(sentences[rows][:30]))
    assert some_of(sentences[:30]).size == 0


def test_a_share_is_far_only_if_it_is_no_chance():
    accepted = np.arange(400) % 2 == 0
    assert share_is_far(accepted, np.arange(400), 0.1)
    assert not share_is_far(accepted, np.arange(400), 0.4)
    assert not share_is_far(accepted, np.arange(400) // 40, 0.1)  # ten sentences
    assert share_is_far(accepted & (np.arange(400) < 20), np.arange(400), 0.2)


def test_arrays_bring_it_back_and_damage_is_refused():
    known = Familiarity.of(*text(np.full(N_BITS, 0.5), 50, 0))
    again = Familiarity.from_arrays(known.to_arrays())
    np.testing.assert_allclose(again.shares, known.shares, atol=1e-6)
    for shares, variances in ((np.zeros(3), np.zeros(4)), (np.full(3, np.nan), np.zeros(3))):
        damaged = {"shares": shares, "variances": variances}
        with pytest.raises(ModelFileError):
            Familiarity.from_arrays(damaged)
