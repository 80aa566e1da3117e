"""The contract of kernels, on ours and on one that somebody else wrote."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import PathSet
from relhash.errors import ParameterError
from relhash.kernels import KERNELS, PathKernel, VectorKernel, WordSimilarity, WordVectors
from tests.blas_threads import printed_with_threads
from tests.kernels.jaccard_kernel import JaccardKernel
from tests.kernels.kernel_contract import KernelContract
from tests.kernels.random_paths import both_versions

WORDS = ["<P>", "binds", "inhibits", "of", "with", "complex", "not"]


def random_paths(seed: int = 1) -> PathSet:
    rng = np.random.default_rng(seed)
    return PathSet.from_sequences([[WORDS[i] for i in rng.integers(0, 7, rng.integers(0, 5))] for _ in range(80)])


@both_versions
class OfPaths(KernelContract):
    def make_data(self) -> PathSet:
        return random_paths()


class TestPathKernel(OfPaths):
    def make_kernel(self):
        return PathKernel(WordSimilarity(["binds", "inhibits"], [[1.0, 0.3], [0.3, 1.0]]), 3, 0.5, weights=[1.0, 2.0, 0.5])


class TestPathKernelWithBundledVectors(OfPaths):
    def make_kernel(self):
        return PathKernel(max_length=2)


class TestVectorKernel(KernelContract):
    def make_kernel(self):
        return VectorKernel("laplace", scaling="standard")

    def make_data(self) -> np.ndarray:
        points = np.random.default_rng(0).normal(size=(60, 3)) * [1, 10, 100]
        return np.concatenate([points, points[:10]])


class TestCosine(TestVectorKernel):
    def make_kernel(self):
        return VectorKernel("cosine")


class TestJaccardKernel(OfPaths):
    """Written and registered outside of the package."""

    @pytest.fixture(autouse=True)
    def _registered(self, monkeypatch):
        monkeypatch.setitem(KERNELS._parts, JaccardKernel.kind, JaccardKernel)

    def make_kernel(self):
        return JaccardKernel(power=0.5)


def test_more_references_than_can_be_numbered_are_refused():
    many = PathSet.from_sequences([[f"w{i}"] for i in range(300)])
    with pytest.raises(ParameterError, match="at most 255"):
        JaccardKernel().bind(many).nearest(many)


def test_word_vectors_are_known_before_the_fit():
    vectors = WordVectors(["binds"], [[1.0]])
    assert PathKernel(WordSimilarity.from_vectors(vectors)).word_vectors is vectors
    assert PathKernel(WordSimilarity()).word_vectors is None
    assert JaccardKernel().word_vectors is None


def test_a_gram_matrix_does_not_depend_on_the_number_of_blas_threads():
    one, two = printed_with_threads(
        "from relhash.kernels import VectorKernel\n"
        "X = np.random.default_rng(0).random(size=(20, 60_000))\n"
        "X /= np.linalg.norm(X, axis=1, keepdims=True)\n"
        "print(digest(VectorKernel(lambda A, B: A @ B.T - 1).gram(X, X)))"
    )
    assert one == two
