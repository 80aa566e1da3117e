"""What must hold of the path kernel for any input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from relhash.candidates import PathSet
from relhash.errors import ParameterError
from relhash.kernels import PathKernel, WordSimilarity, nearest_of
from relhash.kernels.words import VocabularySimilarity
from tests.kernels.random_paths import SIMILARITY, TOKENS, both_versions, random_paths, sequences


class TestIndependenceOfTheBatch:
    @given(sequences(12, max_count=30), sequences(12, max_count=4), st.data())
    @settings(max_examples=60, deadline=None)
    def test_a_row_does_not_depend_on_the_others(self, s, t, data):
        kernel, X, references = PathKernel(SIMILARITY), PathSet.from_sequences(s), PathSet.from_sequences(t)
        chosen = data.draw(st.lists(st.integers(0, len(s) - 1), min_size=1, max_size=5))
        assert_array_equal(kernel.gram(X, references)[chosen], kernel.gram(X[chosen], references))
        whole, part = kernel.bind(X), kernel.bind(X[chosen])
        assert_array_equal(whole.nearest(references)[whole.rows][chosen], part.nearest(references)[part.rows])

    @given(sequences(12, max_count=8), sequences(12, min_count=2, max_count=6))
    @settings(max_examples=30, deadline=None)
    def test_a_column_does_not_depend_on_the_other_references(self, s, t):
        kernel, X, references = PathKernel(SIMILARITY), PathSet.from_sequences(s), PathSet.from_sequences(t)
        assert_array_equal(kernel.gram(X, references)[:, [1]], kernel.gram(X, references[[1]]))

    @both_versions
    def test_any_number_of_threads_gives_the_same_bits(self):
        kernel, X = PathKernel(SIMILARITY), random_paths(500, 20, seed=5)
        references = X[:4]
        one, three = kernel.bind(X, n_jobs=1), kernel.bind(X, n_jobs=3)
        assert_array_equal(one.similarities(references), three.similarities(references))
        assert_array_equal(one.nearest(references), three.nearest(references))

    def test_how_the_references_are_stored_does_not_matter(self):
        kernel, X = PathKernel(SIMILARITY), random_paths(50, 10, seed=6)
        again = PathSet.from_sequences(list(X[10:14]), vocabulary=reversed(TOKENS))
        assert_array_equal(kernel.gram(X, X[10:14]), kernel.gram(X, again))


class TestNormalised:
    @both_versions
    def test_has_exact_ones_on_the_diagonal_and_is_symmetric(self):
        X = random_paths(150, 20, seed=7)
        gram = PathKernel(SIMILARITY).gram(X, X)
        assert_array_equal(gram.diagonal(), (X.lengths > 0).astype(np.float32))
        assert_allclose(gram, gram.T, rtol=1e-5)
        assert_array_equal(PathKernel(SIMILARITY).diagonal(X), gram.diagonal())

    def test_an_empty_sequence_is_similar_to_nothing(self):
        X = PathSet.from_sequences([[], ["bind"]])
        assert_array_equal(PathKernel(SIMILARITY).gram(X, X), [[0, 0], [0, 1]])
        assert_array_equal(PathKernel(SIMILARITY).bind(X).nearest(X[[0]]), [255, 255])

    def test_nothing_at_all(self):
        X = PathSet.from_sequences([])
        assert PathKernel(SIMILARITY).gram(X, random_paths(3, 5, seed=0)).shape == (0, 3)
        assert PathKernel(SIMILARITY).gram(random_paths(3, 5, seed=0), X).shape == (3, 0)


class TestNearest:
    @both_versions
    def test_is_the_argmax_of_the_similarities(self):
        X = random_paths(400, 12, seed=8)
        bound = PathKernel(SIMILARITY).bind(X)
        references = bound.unique([3, 9, 27, 81, 120])
        similarities = bound.similarities(references).astype(np.float64)
        found, best = bound.nearest(references), similarities.max(axis=1)
        assert_array_equal(found == 255, best == 0)
        near = found != 255
        assert_allclose(similarities[near, found[near]], best[near], rtol=1e-6)

    def test_the_first_of_equal_references_wins(self):
        X = PathSet.from_sequences([["bind"], ["bind", "of"]])
        references = PathSet.from_sequences([["of"], ["bind"], ["bind"]])
        assert_array_equal(PathKernel(WordSimilarity()).bind(X).nearest(references)[0], 1)
        assert_array_equal(nearest_of(np.array([[0.0, -1.0], [0.0, 0.0]])), [0, 255])

    def test_refuses_more_references_than_it_can_number(self):
        X = PathSet.from_sequences([[f"w{i}"] for i in range(300)])
        with pytest.raises(ParameterError, match="at most 255"):
            PathKernel(WordSimilarity()).bind(X).nearest(X)


class TestBinding:
    def test_equal_sequences_are_one_point(self):
        X = PathSet.from_sequences([["bind"], ["of"], ["bind"]])
        bound = PathKernel(SIMILARITY).bind(X)
        assert bound.n_unique == 2
        assert_array_equal(bound.rows, [0, 1, 0])
        assert list(bound.unique([1, 0])) == [["of"], ["bind"]]

    def test_a_selection_binds_only_what_it_uses(self):
        X = random_paths(100, 10, seed=9)[[5, 5, 7]]
        bound = PathKernel(SIMILARITY).bind(X)
        assert bound.n_unique == 2
        assert [next(iter(bound.unique([row]))) for row in bound.rows] == list(X)


class TestParameters:
    @pytest.mark.parametrize(
        "parameters",
        [
            {"max_length": 0},
            {"max_length": 9},
            {"max_length": 2.0},
            {"max_length": True},
            {"gap_decay": 0.0},
            {"gap_decay": 1.5},
            {"weights": [1.0]},
            {"weights": [0.0] * 4},
        ],
    )
    def test_bad_values_are_named(self, parameters):
        with pytest.raises(ParameterError, match=next(iter(parameters))):
            PathKernel(SIMILARITY, **parameters).bind(random_paths(2, 3, seed=0))

    def test_clones_share_the_similarity(self):
        kernel = clone(PathKernel(SIMILARITY, gap_decay=0.5))
        assert kernel.gap_decay == 0.5
        assert kernel.similarity is SIMILARITY


class TestMemory:
    """Σ length² numbers were held at once: 10 KB of text without punctuation took 6.8 GB."""

    @both_versions
    def test_blocks_of_any_size_give_the_same_bits(self, monkeypatch):
        kernel, X = PathKernel(SIMILARITY, normalize=False), random_paths(60, 40, seed=9)
        whole = kernel.diagonal(X)
        for size in (1, 1000, 20_000):
            monkeypatch.setattr("relhash.kernels.subsequence.LARGEST_BLOCK", size)
            assert_array_equal(kernel.diagonal(X), whole)

    def test_no_block_grows_with_the_square_of_a_length(self, monkeypatch):
        asked = []
        within = VocabularySimilarity.within

        def watched(self, *arguments):
            found = within(self, *arguments)
            asked.append(found.size)
            return found

        monkeypatch.setattr(VocabularySimilarity, "within", watched)
        monkeypatch.setattr("relhash.kernels.subsequence.LARGEST_BLOCK", 100_000)
        X = PathSet.from_sequences([[f"w{number % 50}" for number in range(length)] for length in (3000, 2000, 10, 0)])
        PathKernel(WordSimilarity(), normalize=False).diagonal(X)
        assert max(asked) <= 100_000
