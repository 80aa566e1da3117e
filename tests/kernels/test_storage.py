"""Kernels in and out of arrays: what is stored once, what is refused, and when."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from relhash.candidates import PathSet
from relhash.errors import ModelFileError, ParameterError
from relhash.kernels import KERNELS, PathKernel, VectorKernel, WordSimilarity, WordVectors
from relhash.kernels.storage import check_storable, kernels_from_arrays, kernels_to_arrays
from tests.kernels.jaccard_kernel import JaccardKernel

WORDS = ["binds", "binding", "inhibits", "complex"]
VECTORS = WordVectors(WORDS, np.random.default_rng(0).normal(size=(4, 6)) + 1)
X = PathSet.from_sequences([["binds", "complex"], ["binding"], ["inhibits", "binds"], []])


def paths(**parameters) -> PathKernel:
    return PathKernel(WordSimilarity.from_vectors(VECTORS), **parameters)


class TestRoundTrip:
    def test_views_with_the_same_kernel_share_it_again(self):
        kernel = paths()
        stored = kernels_to_arrays({"path": [kernel], "between": [kernel, paths(gap_decay=0.3)]}, WORDS)
        again = kernels_from_arrays(*stored, None)
        assert again["path"][0] is again["between"][0]
        assert again["between"][1].gap_decay == 0.3

    def test_tables_that_differ_only_in_their_numbers_stay_apart(self):
        """The key of the shared objects once left the matrix out."""
        two = [PathKernel(WordSimilarity(["a", "b"], [[1, value], [value, 1]])) for value in (0.2, 0.7)]
        first, second = kernels_from_arrays(*kernels_to_arrays({"path": two}, []), None)["path"]
        assert (first.similarity("a", "b"), second.similarity("a", "b")) == (pytest.approx(0.2), pytest.approx(0.7))

    def test_tables_and_vectors_of_a_similarity_come_back(self):
        similarity = WordSimilarity(["<P>", "<Q>"], [[1, 0.25], [0.25, 1]], vectors=VECTORS.in_bytes(), threshold=0.3)
        (again,) = kernels_from_arrays(*kernels_to_arrays({"path": [PathKernel(similarity)]}, WORDS), None)["path"]
        tokens = ["<P>", "<Q>", *WORDS, "unseen"]
        assert_array_equal(similarity.over(tokens).rows(tokens), again.similarity.over(tokens).rows(tokens))

    def test_word_vectors_are_stored_once_for_the_words_in_use(self):
        arrays, notes = kernels_to_arrays({"path": [paths()], "between": [paths(max_length=2)]}, ["binds", "complex", "zzz"])
        assert [name for name in arrays if name.startswith("vectors.")] == ["vectors.words", "vectors.vectors", "vectors.scale"]
        assert notes["vectors"]["name"] == "own"
        (again,) = kernels_from_arrays(arrays, notes, None)["path"]
        assert set(again.word_vectors.words) == {"binds", "complex"}
        (whole,) = kernels_from_arrays(arrays, notes, VECTORS)["path"]
        assert_array_equal(whole.gram(X, X), paths().gram(X, X))
        with pytest.raises(ModelFileError, match="not the word vectors"):
            kernels_from_arrays(arrays, notes, WordVectors(["binds"], [[1.0] * 6]))

    def test_a_kernel_of_several_views_is_refused(self):
        arrays, notes = kernels_to_arrays({"": [paths()]}, WORDS)
        text = json.dumps(notes).replace('"views": null', '"views": ["path"]')
        with pytest.raises(ModelFileError, match="combines several views"):
            kernels_from_arrays(arrays, json.loads(text), VECTORS)


class TestDamage:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"kind": "levenshtein"}, "no kernel 'levenshtein'; install"),
            ({"gap_decay": 7.0}, "gap_decay"),
            ({"n_bits": 3}, "n_bits"),
            ({"threshold": None}, "stored kernel 'path'"),
        ],
        ids=str,
    )
    def test_notes_that_no_kernel_has(self, change, message):
        arrays, notes = kernels_to_arrays({"path": [paths()]}, WORDS)
        notes["views"]["path"][0] |= change
        with pytest.raises(ModelFileError, match=message):
            kernels_from_arrays(arrays, notes, None)

    def test_arrays_that_do_not_fit(self):
        arrays, notes = kernels_to_arrays({"path": [paths()]}, WORDS)
        del arrays["0.0.matrix"]
        with pytest.raises(ModelFileError, match="matrix"):
            kernels_from_arrays(arrays, notes, None)
        table = np.random.default_rng(0).normal(size=(20, 3))
        arrays, notes = kernels_to_arrays({"t": [VectorKernel("rbf", scaling="standard").fit(table)]}, [])
        arrays["0.0.scale"] = np.array([1.0, np.nan, 1.0])
        with pytest.raises(ModelFileError, match="scales"):
            kernels_from_arrays(arrays, notes, None)


class TestRefusedBeforeTheFit:
    def test_functions_name_the_remedy(self):
        for kernel in (max, VectorKernel(lambda A, B: A @ B.T), {"path": "path", "table": max}):
            with pytest.raises(ParameterError, match=r"function.*could not be saved; name a metric.*register a kernel"):
                check_storable(kernel)

    def test_a_class_that_nobody_registered(self, monkeypatch):
        with pytest.raises(ParameterError, match=r"could not be saved.*KERNELS\.register\('jaccard', JaccardKernel"):
            check_storable({"path": [JaccardKernel()]})
        monkeypatch.setitem(KERNELS._parts, "jaccard", JaccardKernel)
        check_storable({"path": [JaccardKernel()]})

        class Impostor(JaccardKernel):
            """Of the same kind, but another class: it would come back as a JaccardKernel."""

        with pytest.raises(ParameterError, match="Impostor"):
            check_storable(Impostor())

    def test_different_word_vectors_do_not_fit_into_one_file(self):
        other = PathKernel(WordSimilarity.from_vectors(WordVectors(["binds"], [[1.0]])))
        same = PathKernel(WordSimilarity.from_vectors(WordVectors(WORDS, VECTORS.codes, scales=VECTORS.scales)))
        check_storable({"path": paths(), "between": [same, PathKernel(WordSimilarity())]})
        for rival in (other, "path", [PathKernel()]):
            with pytest.raises(ParameterError, match="one source"):
                check_storable({"path": paths(), "between": rival})
        with pytest.raises(ParameterError, match="one source"):
            kernels_to_arrays({"path": [paths()], "between": [other]}, WORDS)

    def test_what_ships_can_be_stored(self):
        check_storable(None)
        check_storable({"path": PathKernel(), "between": "path", "descriptors": VectorKernel("laplace", scaling="standard")})
        with pytest.raises(ParameterError, match="no kernel 'cubic'"):
            check_storable("cubic")
