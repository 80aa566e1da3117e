"""The table that is learned from: points, what they are asked, and their bits."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import RelHashWarning
from relhash.hashing import HashcodeLearner
from relhash.hashing.algorithm import Settings
from relhash.hashing.information import cluster_by_bits, count_ones
from relhash.hashing.storage import find_family
from relhash.hashing.table import Table, bind_views, kernels_by_view, merged
from relhash.kernels import PathKernel, VectorKernel, WordSimilarity

SETTINGS = Settings(n_bits=24, n_references=(2, 4), n_cluster_bits=4, deletion_share=0.3)
SEED = np.random.SeedSequence(7)


def table_of(structures, family="nearest", **how):
    words = PathKernel(WordSimilarity(), max_length=3)
    offered = {"path": [words, PathKernel(WordSimilarity(), gap_decay=0.3)], "descriptors": VectorKernel("laplace")}
    kernels = kernels_by_view(offered, structures, list(offered))
    bound = bind_views(structures, kernels)
    made = find_family(family, {"ridge": 1e-3})
    return Table(bound, kernels, made, np.arange(len(structures)) % 2, n_bits=SETTINGS.n_bits, **how)


def test_members_of_a_cluster_are_distinct_structures(structures):
    """Points that differ in another view share a path: it is offered once."""
    doubled = structures[np.repeat(np.arange(100), 2)]
    doubled.views["descriptors"] = np.arange(600, dtype=np.float32).reshape(200, 3)
    crowd = table_of(doubled)
    everything = crowd.clusters(np.empty(0, np.int64))
    places = crowd.members("path", everything, 0)
    assert len(places) == len(crowd.everywhere("path")) == len({tuple(path) for path in structures["path"][:100]})
    assert everything.n_points.tolist() == [200]


def test_ones_are_counted_function_by_function():
    rng = np.random.default_rng(0)
    bits, weights = rng.integers(0, 2, (6, 50)).astype(np.uint8), rng.integers(0, 3, (50, 2))
    clusters = cluster_by_bits(bits, np.array([1, 4]), weights)
    for number, ones in zip([5, 0], count_ones(bits, [5, 0], clusters, weights), strict=True):
        for cluster, counted in enumerate(ones):
            assert counted.tolist() == weights[(clusters.cells == cluster) & (bits[number] == 1)].sum(axis=0).tolist()


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 40))
def test_equal_candidates_are_one_point(seed, n_views, n):
    rng = np.random.default_rng(seed)
    rows = [rng.integers(0, 4, n).astype(np.int32) for _ in range(n_views)]
    membership = rng.integers(0, 2, n)
    weights, firsts, _ = merged(rows, membership)
    keys = list(zip(*(view.tolist() for view in rows), strict=True))
    assert len(firsts) == len(set(keys))
    assert weights.sum() == n
    for first, own in zip(firsts, weights, strict=True):
        same = np.array([key == keys[first] for key in keys])
        assert own.tolist() == [(same & (membership == x)).sum() for x in (0, 1)]


def test_data_that_nothing_can_divide_are_said_to_be_so():
    """A fit on constant data gave constant bits without a word."""
    with pytest.warns(RelHashWarning, match="all 50 candidates are the same to the kernel"):
        HashcodeLearner(2, random_state=0).fit(np.ones((50, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RelHashWarning)
        HashcodeLearner(2, random_state=0).fit(np.eye(50))
