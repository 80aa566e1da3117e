"""The summed kernel as features: Nyström reproduces the kernel it approximates."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.systems.kernel_machines import fitted_kernels, machine_scores, nystroem, summed_kernel
from relhash.candidates import PathSet, StructureSet
from relhash.kernels import PathKernel, WordSimilarity
from relhash.kernels.vector_kernels import VectorKernel
from relhash.learn.metrics import auc


@pytest.fixture(scope="module")
def structures():
    rng = np.random.default_rng(0)
    words = [[str(w) for w in rng.choice(list("abcdef"), rng.integers(1, 6))] for _ in range(60)]
    return StructureSet({"between": PathSet.from_sequences(words), "descriptors": rng.normal(size=(60, 3))})


@pytest.fixture(scope="module")
def kernels():
    return {"between": PathKernel(WordSimilarity()), "descriptors": VectorKernel("laplace", scaling="standard")}


def test_with_all_references_the_features_are_the_kernel(structures, kernels):
    fitted = fitted_kernels(kernels, structures)
    features = nystroem(fitted, structures, structures)
    expected = summed_kernel(fitted, structures, structures)
    np.testing.assert_allclose(features @ features.T, expected, atol=1e-3)


def test_kernel_machine_learns_from_a_precomputed_kernel(structures, kernels):
    gram = summed_kernel(fitted_kernels(kernels, structures), structures, structures)
    y = np.array(["a" in sequence for sequence in structures["between"]])
    scores = machine_scores(gram[:40, :40], y[:40], gram[40:, :40])
    assert auc(y[40:], scores) > 0.7
    assert ((scores > 0) & (scores < 1)).all()
