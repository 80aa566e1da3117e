"""Points in the plane, paths, and candidates with several views, for all tests of the learner."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import PathSet, StructureSet

WORDS = ["<P>", "binds", "inhibits", "of", "with", "complex", "not"]


@pytest.fixture(scope="module")
def plane():
    rng = np.random.default_rng(0)
    return rng.normal(size=(150, 2)), rng.normal(1, 1, (120, 2))


@pytest.fixture(scope="module")
def paths():
    rng = np.random.default_rng(1)
    return PathSet.from_sequences([[WORDS[i] for i in rng.integers(0, 7, rng.integers(0, 7))] for _ in range(200)])


@pytest.fixture(scope="module")
def structures(paths):
    rng = np.random.default_rng(2)
    other = PathSet.from_sequences([[WORDS[i] for i in rng.integers(0, 7, rng.integers(1, 5))] for _ in range(200)])
    return StructureSet({"path": paths, "between": other, "descriptors": rng.normal(size=(200, 3))})
