"""The compiled path kernel against its definition, element by element."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from relhash.candidates import PathSet
from relhash.kernels import PathKernel
from tests.kernels.random_paths import SIMILARITY, TOKENS, both_versions, random_paths, sequences
from tests.kernels.slow_references import by_double_loop, by_enumeration

TABLE = {(a, b): float(SIMILARITY.matrix[i, j]) for i, a in enumerate(TOKENS) for j, b in enumerate(TOKENS)}


def similarity_of(a: str, b: str) -> float:
    return TABLE[a, b]


class TestAgainstSlowReferences:
    @given(sequences(5, max_count=4), sequences(5, max_count=3), st.sampled_from([0.3, 0.8, 1.0]), st.integers(1, 4))
    @settings(max_examples=40, deadline=None)
    def test_equals_the_enumeration_of_subsequences(self, s, t, decay, max_length):
        kernel = PathKernel(SIMILARITY, max_length, decay, normalize=False)
        expected = [[by_enumeration(a, b, similarity_of, decay, [1.0] * max_length) for b in t] for a in s]
        found = kernel.gram(PathSet.from_sequences(s), PathSet.from_sequences(t))
        assert_allclose(found, np.array(expected).reshape(found.shape), rtol=1e-5, atol=1e-12)

    @both_versions
    @pytest.mark.parametrize("max_length", [1, 2, 4, 6])
    def test_equals_the_double_loop(self, max_length):
        weights = [1.0, 0.5, 2.0, 0.25, 1.0, 0.1][:max_length]
        kernel = PathKernel(SIMILARITY, max_length, 0.8, weights=weights, normalize=False)
        X, references = random_paths(60, 19, seed=max_length), random_paths(5, 23, seed=99)
        expected = [[by_double_loop(a, b, similarity_of, 0.8, weights) for b in references] for a in X]
        assert_allclose(kernel.gram(X, references), expected, rtol=1e-5, atol=1e-12)
        own = [by_double_loop(a, a, similarity_of, 0.8, weights) for a in X]
        assert_allclose(kernel.diagonal(X), own, rtol=1e-5, atol=1e-12)

    def test_two_slow_references_agree(self):
        for a, b in zip(random_paths(20, 6, seed=1), random_paths(20, 6, seed=2), strict=True):
            arguments = (a, b, similarity_of, 0.7, [1.0, 2.0, 3.0])
            assert by_enumeration(*arguments) == pytest.approx(by_double_loop(*arguments), rel=1e-12)

    @both_versions
    def test_sequences_far_longer_than_a_register_or_scratch_block(self):
        kernel = PathKernel(SIMILARITY, 4, 0.8, normalize=False)
        X = PathSet.from_sequences([*random_paths(3, 3, seed=3), *random_paths(12, 150, seed=4)])
        expected = [[by_double_loop(a, b, similarity_of, 0.8, [1.0] * 4) for b in X] for a in X]
        assert_allclose(kernel.gram(X, X), expected, rtol=1e-5)
