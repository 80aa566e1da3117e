"""Word similarities: the formula, exactness, symbols, tables, back-off."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from relhash.errors import ParameterError
from relhash.kernels import WordSimilarity, WordVectors

GENERATOR = np.random.default_rng(0)
WORDS = [f"word{n}" for n in range(300)]
VECTORS = WordVectors(WORDS, GENERATOR.normal(size=(300, 20)) + 0.6)


def k_w(cosine: float, threshold: float) -> float:
    """The formula of the design."""
    return math.exp(cosine - 1) * max(0.0, 1 - (1 - cosine) / (1 - threshold))


class TestFromVectors:
    @pytest.mark.parametrize("threshold", [-0.5, 0.0, 0.4, 0.9])
    def test_follows_the_formula(self, threshold):
        similarity = WordSimilarity.from_vectors(VECTORS, threshold=threshold)
        found = similarity.over(WORDS[:60]).rows(WORDS[:60])
        unit = np.array([VECTORS.vector(word) for word in WORDS[:60]], np.float64)
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
        expected = [[k_w(float(a @ b), threshold) for b in unit] for a in unit]
        assert_allclose(found, expected, atol=1e-4 / (1 - threshold))
        assert_array_equal(found, found.T)
        assert_array_equal(found.diagonal(), 1)

    @given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40), st.lists(st.sampled_from(WORDS), min_size=1, max_size=40))
    @settings(max_examples=60, deadline=None)
    @pytest.mark.parametrize("vectors", [VECTORS, VECTORS.in_bytes()], ids=["16 bit", "8 bit"])
    def test_does_not_depend_on_the_shape_of_the_product(self, vectors, rows, vocabulary):
        vocabulary = list(dict.fromkeys(vocabulary))
        similarity = WordSimilarity.from_vectors(vectors, threshold=0.2)
        whole = similarity.over(WORDS).rows(WORDS)
        part = similarity.over(vocabulary).rows(rows)
        assert_array_equal(part, whole[np.ix_([WORDS.index(w) for w in rows], [WORDS.index(w) for w in vocabulary])])

    def test_pairs_within_sequences_are_the_same_numbers(self):
        similarity = WordSimilarity(["word1", "<P>"], [[1.0, 0.3], [0.3, 1.0]], vectors=VECTORS, threshold=0.2)
        vocabulary = [*WORDS[:20], "<P>", "unseen"]
        over = similarity.over(vocabulary)
        tokens, offsets = GENERATOR.integers(0, 22, 30).astype(np.int32), np.array([0, 12, 12, 13, 30])
        found, whole = over.within(tokens, offsets), over.rows(vocabulary)
        blocks = [whole[np.ix_(tokens[a:b], tokens[a:b])].ravel() for a, b in itertools.pairwise(offsets)]
        assert_array_equal(found, np.concatenate(blocks))

    def test_words_are_found_in_lower_case(self):
        assert WordSimilarity.from_vectors(VECTORS)("WORD3", "word3") == 1.0

    def test_unknown_words_match_only_themselves(self):
        similarity = WordSimilarity.from_vectors(VECTORS)
        assert similarity("unseen", "unseen") == 1.0
        assert similarity("unseen", "word1") == similarity("unseen", "other") == 0.0

    def test_symbols_have_no_vectors(self):
        vectors = WordVectors(["<p>", "p"], [[1.0, 0.0], [1.0, 0.0]])
        similarity = WordSimilarity.from_vectors(vectors, symbols={("nsubj>", "nsubjpass>"): 0.5})
        assert similarity("<p>", "p") == 0.0
        assert similarity("nsubj>", "nsubjpass>") == similarity("nsubjpass>", "nsubj>") == 0.5
        assert similarity("nsubj>", "dobj>") == 0.0


class TestFromTable:
    @pytest.mark.parametrize(
        ("words", "matrix", "message"),
        [
            (["a"], [[1.0, 0.0]], "square"),
            (["a", "b"], [[1.0, 0.2], [0.3, 1.0]], "symmetric"),
            (["a", "b"], [[1.0, 2.0], [2.0, 1.0]], "0 to 1"),
            (["a", "b"], [[1.0, np.nan], [np.nan, 1.0]], "0 to 1"),
            (["a", "b"], [[0.5, 0.0], [0.0, 1.0]], "diagonal"),
            (["a", "a"], np.eye(2), "twice"),
        ],
    )
    def test_bad_tables_are_refused(self, words, matrix, message):
        with pytest.raises(ParameterError, match=message):
            WordSimilarity(words, matrix)

    def test_threshold_must_leave_room(self):
        with pytest.raises(ParameterError, match="threshold"):
            WordSimilarity(threshold=1.0)


def test_importing_the_corpus_room_does_not_load_numba():
    program = "import sys, relhash, relhash.corpus; print('numba' in sys.modules, 'sklearn' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
        == ["False"] * 2
    )
