"""Vectors in whole numbers, their back-off, and those that ship."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.kernels import SubwordVectors, WordSimilarity, WordVectors, bundled_vectors

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

    def test_rows_of_unknown_words_are_remembered_and_forgotten_again(self, monkeypatch):
        parts = SubwordVectors(["<un", "do>"], [[0.0, 1.0], [1.0, 0.0]], n_min=3, n_max=3)
        asked = []
        monkeypatch.setattr(SubwordVectors, "vector", _counted(SubwordVectors.vector, asked))
        monkeypatch.setattr("relhash.kernels.word_vectors.MOST_UNKNOWN", 2)
        vectors = WordVectors(["binds"], [[1.0, 0.5]], subwords=parts)
        first = vectors.encode(["undo", "binds", "zzz", "undo"])
        assert asked == ["undo", "zzz"]
        assert first[3].tolist() == first[0].tolist() != [0, 0] == first[2].tolist()
        vectors.encode(["redo", "undo"])
        assert asked == ["undo", "zzz", "redo", "undo"]
        np.testing.assert_array_equal(vectors.encode(["undo", "binds", "zzz", "undo"]), first)


def _counted(vector, asked):
    def counted(self, word):
        asked.append(word)
        return vector(self, word)

    return counted


class TestBundledVectors:
    def test_know_the_language_of_the_field(self):
        similarity = WordSimilarity.from_vectors()
        assert similarity("binds", "interacts") > similarity("binds", "patients")
        assert len(bundled_vectors()) > 20_000

    def test_unknown_forms_lie_near_known_ones(self):
        assert "transdephosphorylates" not in bundled_vectors().words
        similarity = WordSimilarity.from_vectors(threshold=0.0)
        assert similarity("transdephosphorylates", "dephosphorylation") > similarity("transdephosphorylates", "hospital")
