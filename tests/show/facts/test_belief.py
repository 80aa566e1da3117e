"""Belief: what it must do whatever the sentences are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.show.facts.merging import MOST, MOST_OF_A_DOCUMENT, MOST_OF_A_SENTENCE, belief, noisy_or

CHANCE = st.floats(0, 1)
SENTENCE = st.tuples(CHANCE, st.sampled_from(["asserted", "speculative", "questioned", "negated"]))
DOCUMENTS = st.lists(st.lists(SENTENCE, max_size=4), max_size=4)


@given(DOCUMENTS)
def test_belief_is_a_chance_below_the_cap(documents):
    assert 0 <= belief(documents) <= MOST


@given(DOCUMENTS, CHANCE)
def test_a_statement_never_lowers_and_a_denial_never_raises_it(documents, chance):
    before = belief(documents)
    assert belief([*documents, [(chance, "asserted")]]) >= before - 1e-12
    assert belief([*documents, [(chance, "negated")]]) <= before + 1e-12
    assert belief([*documents, [(chance, "questioned")]]) == pytest.approx(before)


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_the_order_does_not_matter(documents, random):
    shuffled = [random.sample(sentences, len(sentences)) for sentences in documents]
    random.shuffle(shuffled)
    assert belief(shuffled) == pytest.approx(belief(documents))


@given(st.lists(CHANCE), st.lists(CHANCE))
def test_noisy_or_of_noisy_ors(first, second):
    assert noisy_or([noisy_or(first), noisy_or(second)]) == pytest.approx(noisy_or([*first, *second]))


def test_the_caps():
    sure = (1.0, "asserted")
    assert belief([[sure]]) == pytest.approx(MOST_OF_A_SENTENCE)
    assert belief([[sure] * 9]) == pytest.approx(MOST_OF_A_DOCUMENT)
    assert belief([[sure]] * 9) == MOST


def test_a_speculation_counts_half_and_a_denial_alone_gives_nothing():
    assert belief([[(0.8, "speculative")]]) == pytest.approx(0.4)
    assert belief([[(0.9, "negated")]]) == 0
