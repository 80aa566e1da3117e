"""The compiled path kernel against its definition, element by element, and what must hold for any input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from relhash.errors import ParameterError
from relhash.kernels import PathKernel, WordSimilarity, nearest_of, path_kernel
from relhash.structures import PathSet, StructureSet
from tests.kernels.slow_references import by_double_loop, by_enumeration

TOKENS = ["<P>", "<Q>", "nsubj>", "<dobj", "bind", "inhibit", "activate", "of"]


def random_similarity(seed: int = 0) -> WordSimilarity:
    generator = np.random.default_rng(seed)
    matrix = np.where(generator.random((8, 8)) < 0.5, generator.random((8, 8)), 0.0)
    matrix = np.maximum(matrix, matrix.T)
    np.fill_diagonal(matrix, 1.0)
    return WordSimilarity(TOKENS, matrix)


SIMILARITY = random_similarity()
TABLE = {(a, b): float(SIMILARITY.matrix[i, j]) for i, a in enumerate(TOKENS) for j, b in enumerate(TOKENS)}


def similarity_of(a: str, b: str) -> float:
    return TABLE[a, b]


def sequences(max_size: int, min_count: int = 1, max_count: int = 20) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(st.sampled_from(TOKENS), max_size=max_size), min_size=min_count, max_size=max_count)


def random_paths(n: int, longest: int, seed: int) -> PathSet:
    generator = np.random.default_rng(seed)
    lengths = generator.integers(0, longest + 1, n)
    return PathSet.from_sequences([[TOKENS[k] for k in generator.integers(0, 8, length)] for length in lengths])


@pytest.fixture(params=["wide", "portable"])
def _either_version(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = {"wide": 8, "portable": 32}[request.param]
    monkeypatch.setattr(path_kernel, "lanes_here", lambda: lanes)


both_versions = pytest.mark.usefixtures("_either_version")


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

    def test_the_cache_of_word_similarities_is_bounded(self, monkeypatch):
        from relhash.kernels.batches import ReferenceTables

        X = PathSet.from_sequences([[f"w{i}", f"w{i + 1}"] for i in range(200)])
        bound = PathKernel(WordSimilarity()).bind(X)
        expected = [bound.similarities(bound.unique([i, i + 1])) for i in range(0, 190, 7)]
        monkeypatch.setattr(bound, "_tables", ReferenceTables(bound._tables.similarity, max_bytes=0))
        again = [bound.similarities(bound.unique([i, i + 1])) for i in range(0, 190, 7)]
        assert_array_equal(expected, again)
        assert len(bound._tables._places) <= 64


class TestViews:
    def structures(self) -> StructureSet:
        return StructureSet(
            {"path": random_paths(40, 8, seed=10), "between": random_paths(40, 8, seed=11), "table": np.eye(40)}
        )

    @pytest.mark.parametrize("combine", ["sum", "product"])
    def test_combines_the_normalised_kernels(self, combine):
        X = self.structures()
        single = [PathKernel(SIMILARITY).gram(X[name], X[name][:5]).astype(float) for name in ("path", "between")]
        expected = (3 * single[0] + single[1]) / 4 if combine == "sum" else single[0] ** 0.75 * single[1] ** 0.25
        kernel = PathKernel(SIMILARITY, views={"path": 3.0, "between": 1.0}, combine=combine)
        assert_allclose(kernel.gram(X, X[:5]), expected, rtol=1e-6)
        bound = kernel.bind(X)
        references = bound.unique([0, 4, 8])
        assert_array_equal(bound.nearest(references), nearest_of(bound.similarities(references)))
        assert_allclose(kernel.gram(X, X).diagonal(), kernel.diagonal(X), rtol=1e-6)

    def test_one_view_by_name(self):
        X = self.structures()
        assert_array_equal(
            PathKernel(SIMILARITY, views="path").gram(X, X[:3]), PathKernel(SIMILARITY).gram(X["path"], X["path"][:3])
        )

    @pytest.mark.parametrize("views", [None, ["missing"], [], {"path": -1.0}, ["table"]])
    def test_unclear_views_are_refused(self, views):
        with pytest.raises(ParameterError, match="view"):
            PathKernel(SIMILARITY, views=views).bind(self.structures())


class TestParameters:
    @pytest.mark.parametrize(
        "parameters",
        [
            {"max_length": 0},
            {"max_length": 9},
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
