"""The compiled chain against all sequences of labels, written out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from relhash.biomed.genes.chain import best_labels, forward_backward, labelled


@st.composite
def chains(draw: st.DrawFn) -> tuple[NDArray[np.float64], ...]:
    """Scores, steps, begins and ends; some steps are forbidden, but staying at label 0 never is."""
    n_tokens, n_labels = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale = draw(st.sampled_from([0.1, 2.0, 30.0]))
    steps = scale * random.normal(size=(n_labels, n_labels))
    begins, ends = random.normal(size=n_labels), random.normal(size=n_labels)
    forbidden = random.random((n_labels, n_labels)) < 0.3
    forbidden[0, 0] = False
    steps[forbidden] = -np.inf
    begins[1:][random.random(n_labels - 1) < 0.3] = -np.inf
    ends[1:][random.random(n_labels - 1) < 0.3] = -np.inf
    return scale * random.normal(size=(n_tokens, n_labels)), steps, begins, ends


def sequences(scores: NDArray[np.float64], steps: NDArray[np.float64], begins: NDArray[np.float64], ends: NDArray[np.float64]):
    """Every sequence of labels with its score."""
    n_tokens, n_labels = scores.shape
    for labels in itertools.product(range(n_labels), repeat=n_tokens):
        value = begins[labels[0]] + ends[labels[-1]] + sum(scores[t, y] for t, y in enumerate(labels))
        yield labels, value + sum(steps[x, y] for x, y in itertools.pairwise(labels))


def swept(chain: tuple[NDArray[np.float64], ...]):
    potentials, forward, backward = (np.empty_like(chain[0]) for _ in range(3))
    return forward_backward(*chain, potentials, forward, backward), potentials, forward, backward


@settings(max_examples=60, deadline=None)
@given(chains())
def test_probabilities_are_those_of_all_sequences(chain):
    scores, steps, *_ = chain
    log_normaliser, potentials, forward, backward = swept(chain)
    values = dict(sequences(*chain))
    highest = max(values.values())
    total = sum(np.exp(value - highest) for value in values.values())
    assert log_normaliser == pytest.approx(highest + np.log(total), rel=1e-9, abs=1e-9)
    for t, y in np.ndindex(*scores.shape):
        expected = sum(np.exp(value - highest) for labels, value in values.items() if labels[t] == y) / total
        assert forward[t, y] * backward[t, y] == pytest.approx(expected, abs=1e-9)
    for t, x, y in itertools.product(range(len(scores) - 1), range(len(steps)), range(len(steps))):
        pair = sum(np.exp(value - highest) for labels, value in values.items() if labels[t : t + 2] == (x, y)) / total
        found = forward[t, x] * np.exp(steps[x, y]) * potentials[t + 1, y] * backward[t + 1, y]
        assert found == pytest.approx(pair, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(chains())
def test_the_best_sequence_is_the_best_of_all(chain):
    values = dict(sequences(*chain))
    assert values[tuple(best_labels(*chain).tolist())] == pytest.approx(max(values.values()))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_several_sentences_are_labelled_as_each_alone(lengths, seed):
    random, n_labels, n_strict = np.random.default_rng(seed), 4, 2
    weights = random.normal(size=(sum(lengths), n_labels + n_strict))
    weights[:, 0] += 1  # some sentences say nothing
    steps, begins, closes = random.normal(size=(2, n_labels, n_labels)), *random.normal(size=(2, n_labels))
    ends = np.cumsum(lengths)
    labels, probable, named = labelled(weights, ends, n_strict, steps, begins, closes)
    for number, end in enumerate(ends):
        here = slice(end - lengths[number], end)
        broad = np.ascontiguousarray(weights[here, :n_labels])
        assert labels[here].tolist() == best_labels(broad, steps[0], begins, closes).tolist()
        assert (number in named) == labels[here].any()
        if number in named:
            strict = np.hstack([weights[here, n_labels:], broad[:, n_strict:]])
            _, _, forward, backward = swept((strict, steps[1], begins, closes))
            np.testing.assert_array_equal(probable[here], forward * backward)


def test_ten_thousand_tokens_stay_finite():
    random = np.random.default_rng(0)
    chain = 50 * random.normal(size=(10_000, 3)), random.normal(size=(3, 3)), np.zeros(3), np.zeros(3)
    log_normaliser, _, forward, backward = swept(chain)
    assert np.isfinite(log_normaliser)
    assert np.allclose((forward * backward).sum(axis=1), 1)
