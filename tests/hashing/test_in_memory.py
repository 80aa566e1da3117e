"""Candidates in the memory of one process: what they answer."""

from __future__ import annotations

import numpy as np

from relhash.hashing.algorithm import GreedyCode
from relhash.hashing.families import find_family
from relhash.hashing.in_memory import Population, StoredBits
from relhash.hashing.points import Points
from relhash.hashing.settings import Settings
from relhash.hashing.sources import bind_views, kernels_by_view, sources_at
from relhash.kernels import PathKernel, VectorKernel, WordSimilarity

SETTINGS = Settings(n_bits=24, n_references=(2, 4), n_cluster_bits=4, deletion_share=0.3)
SEED = np.random.SeedSequence(7)


def population(structures, family="nearest", **how):
    words = PathKernel(WordSimilarity(), max_length=3)
    offered = {"path": [words, PathKernel(WordSimilarity(), gap_decay=0.3)], "descriptors": VectorKernel("laplace")}
    kernels = kernels_by_view(offered, structures, list(offered))
    bound = bind_views(structures, kernels)
    points = Points.from_rows([view[0].rows for view in bound.values()], np.arange(len(structures)) % 2)
    made = find_family(family, {"n_neighbors": 1, "ridge": 1e-3})
    return Population(sources_at(points, bound, kernels), points, kernels, made, SETTINGS.n_bits, **how)


def test_members_of_a_cluster_are_distinct_structures(structures):
    """Points that differ in another view share a path: it is offered once."""
    doubled = structures[np.repeat(np.arange(100), 2)]
    doubled.views["descriptors"] = np.arange(600, dtype=np.float32).reshape(200, 3)
    crowd = population(doubled)
    everything = crowd.clusters(np.empty(0, np.int64))
    places = crowd.members("path", everything, 0)
    assert len(places) == len(crowd.everywhere("path")) == len({tuple(path) for path in structures["path"][:100]})
    assert everything.n_points.tolist() == [200]


def test_nearest_references_are_kept_as_the_functions_have_them(structures):
    code = GreedyCode(crowd := population(structures, keep_nearest=True), SETTINGS, SEED)
    code.grow()
    assert crowd.nearest.shape == crowd.bits.shape
    for function, bits, nearest in zip(code.functions, crowd.bits, crowd.nearest, strict=True):
        source = next(one for one in crowd.sources[function.view] if one.kernel is function.kernel)
        for kept, own in zip((bits, nearest), function.bits_and_nearest(source.bound), strict=True):
            np.testing.assert_array_equal(kept, own[source.rows])


def test_ones_are_counted_function_by_function():
    rng = np.random.default_rng(0)
    bits, weights = rng.integers(0, 2, (6, 50)).astype(np.uint8), rng.integers(0, 3, (50, 2))
    code = StoredBits(bits, weights)
    clusters = code.clusters(np.array([1, 4]))
    for number, ones in zip([5, 0], code.ones_of([5, 0], clusters), strict=True):
        for cluster, counted in enumerate(ones):
            assert counted.tolist() == weights[(clusters.cells == cluster) & (bits[number] == 1)].sum(axis=0).tolist()
