"""What networks read: vectors of words, of symbols, and of rows of a table."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.hashing.neural.network import sequences_of, token_vectors
from relhash.kernels import WordVectors
from tests.hashing.array_kernel import PlainKernel


def test_tokens_without_word_vectors_get_one_of_their_own():
    vectors = WordVectors(["binds", "inhibits"], np.random.default_rng(0).normal(size=(2, 100)))
    tokens = ["binds", "<E1>", "nsubj>", "never-seen", "<E2>"]
    found = token_vectors(tokens, vectors)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.full(5, 10.0), rel=1e-5)
    cosines = found @ found.T / 100
    assert np.abs(cosines[~np.eye(5, dtype=bool)]).max() < 0.4
    # the same in another vocabulary, and without any word vectors
    assert (token_vectors(["x", "nsubj>"], vectors)[1] == found[2]).all()
    assert token_vectors(["binds"], None).shape == (1, 32)


def test_what_is_neither_paths_nor_rows_is_refused():
    bound = PlainKernel().bind(np.zeros((2, 1)))
    bound.unique = list
    with pytest.raises(ParameterError, match="the paths of a PathKernel"):
        sequences_of(bound)
