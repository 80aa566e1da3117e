"""Vectors in whole numbers, their back-off, and those that ship."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.kernels import WordSimilarity, WordVectors, bundled_vectors

GENERATOR = np.random.default_rng(0)
WORDS = [f"word{n}" for n in range(300)]
VECTORS = WordVectors(WORDS, GENERATOR.normal(size=(300, 20)) + 0.6)


class TestVectors:
    def test_bad_vectors_are_refused(self):
        with pytest.raises(ParameterError, match="twice"):
            WordVectors(["a", "a"], np.eye(2))
        with pytest.raises(ParameterError, match="NaN"):
            WordVectors(["a"], [[np.nan]])
        with pytest.raises(ParameterError, match="shape"):
            WordVectors(["a"], [1.0])

    def test_joined_vectors_average_the_cosines(self):
        other = WordVectors(WORDS, GENERATOR.normal(size=(300, 5)))
        joined = WordVectors.joined([VECTORS, other])

        def cosine(vectors: WordVectors) -> float:
            a, b = vectors.vector("word1"), vectors.vector("word2")
            return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

        assert cosine(joined) == pytest.approx((cosine(VECTORS) + cosine(other)) / 2, abs=1e-3)


class TestBundledVectors:
    def test_know_the_language_of_the_field(self):
        similarity = WordSimilarity.from_vectors()
        assert similarity("binds", "interacts") > similarity("binds", "patients")
        assert len(bundled_vectors()) > 20_000

    def test_unknown_forms_lie_near_known_ones(self):
        assert "transdephosphorylates" not in bundled_vectors().words
        similarity = WordSimilarity.from_vectors(threshold=0.0)
        assert similarity("transdephosphorylates", "dephosphorylation") > similarity("transdephosphorylates", "hospital")
