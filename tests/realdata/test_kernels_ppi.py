"""The compiled path kernel on the paths of the interaction corpora, against the slow double loop."""

from __future__ import annotations

from pathlib import Path

import pytest
from numpy.testing import assert_allclose, assert_array_equal

import relhash
from relhash.candidates import PathSet, build_structures, candidates
from relhash.kernels import PathKernel, WordSimilarity, load_vectors
from tests.kernels.slow_references import by_double_loop

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def structures(data_root: Path):
    found = list(candidates(relhash.read(data_root / "ppi" / "HPRD50.xml")))
    return build_structures(found, ["path+edges", "window(2,3)"])


@pytest.mark.parametrize("view", ["path+edges", "window(2,3)"])
def test_equals_the_double_loop(structures, view):
    X: PathSet = structures[view]
    similarity = WordSimilarity.from_vectors()
    rows = similarity.over(X.vocabulary).rows(X.vocabulary)
    positions = {label: n for n, label in enumerate(X.vocabulary)}
    sample, references = X[::9], X[5:400:130]

    def between(a: str, b: str) -> float:
        return float(rows[positions[a], positions[b]])

    expected = [[by_double_loop(s, t, between, 0.8, [1] * 4) for t in references] for s in sample]
    found = PathKernel(similarity, normalize=False).gram(sample, references)
    assert_allclose(found, expected, rtol=1e-5)


def test_transforming_a_part_gives_the_same_bits(structures):
    X: PathSet = structures["path+edges"]
    kernel, references = PathKernel(), X[:8]
    assert_array_equal(kernel.gram(X, references)[:37], kernel.gram(X[:37], references))
    whole, part = kernel.bind(X, n_jobs=2), kernel.bind(X[:37])
    assert_array_equal(whole.nearest(references)[whole.rows][:37], part.nearest(references)[part.rows])


def test_glove_vectors_load(data_root: Path):
    vectors = load_vectors(data_root / "vectors" / "glove100.npz")
    assert len(vectors) == 75_616
    similarity = WordSimilarity.from_vectors(vectors)
    assert similarity("binds", "bind") > similarity("binds", "monday")
