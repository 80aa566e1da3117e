"""Random sequences of a few tokens, and random similarities of these."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from relhash.candidates import PathSet
from relhash.kernels import WordSimilarity

TOKENS = ["<P>", "<Q>", "nsubj>", "<dobj", "bind", "inhibit", "activate", "of"]


def random_similarity(seed: int = 0) -> WordSimilarity:
    generator = np.random.default_rng(seed)
    matrix = np.where(generator.random((8, 8)) < 0.5, generator.random((8, 8)), 0.0)
    matrix = np.maximum(matrix, matrix.T)
    np.fill_diagonal(matrix, 1.0)
    return WordSimilarity(TOKENS, matrix)


SIMILARITY = random_similarity()


def random_paths(n: int, longest: int, seed: int) -> PathSet:
    generator = np.random.default_rng(seed)
    lengths = generator.integers(0, longest + 1, n)
    return PathSet.from_sequences([[TOKENS[k] for k in generator.integers(0, 8, length)] for length in lengths])


def sequences(max_size: int, min_count: int = 1, max_count: int = 20) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(st.sampled_from(TOKENS), max_size=max_size), min_size=min_count, max_size=max_count)


both_versions = pytest.mark.usefixtures("_either_version")
"""The compiled kernel, and the one in numpy."""
