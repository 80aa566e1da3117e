from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.hashing.algorithm import sample_globally
from relhash.hashing.algorithm import sample_locally as sample_from_clusters
from relhash.hashing.information import cluster_by_keys
from relhash.hashing.table import distinct_points


def weights_of(target, train):
    return np.stack([target, train], axis=1).astype(np.int64)


def sample_locally(clustering, rows, everywhere, n_references, rng):
    """A draw from clusters whose points have the structures ``rows``."""

    def members(cluster):
        return distinct_points(rows, np.flatnonzero(clustering.cells == cluster))

    return sample_from_clusters(clustering, members, everywhere, n_references, rng)


def test_mixed_clusters_are_drawn_by_size_and_entropy():
    """Cluster 0 is pure, 1 and 2 are mixed and 2 is three times as large: 2 is drawn three times as often, 0 never."""
    labels = np.repeat([0, 1, 2], [40, 10, 30])
    is_train = np.where(labels == 0, 1, np.arange(80) % 2)
    clustering = cluster_by_keys(labels, weights_of(1 - is_train, is_train))
    rows = np.arange(80, dtype=np.int32)
    rng = np.random.default_rng(0)
    drawn = [labels[sample_locally(clustering, rows, np.arange(80), 4, rng).places] for _ in range(2000)]
    assert all(len(set(cluster.tolist())) == 1 for cluster in drawn)
    share = np.bincount([cluster[0] for cluster in drawn], minlength=3) / 2000
    assert share[0] == 0
    assert share[2] == pytest.approx(0.75, abs=0.04)


def test_a_draw_reports_its_cluster():
    labels = np.repeat([0, 1], [6, 20])
    clustering = cluster_by_keys(labels, weights_of(np.ones(26), np.ones(26)))
    draw = sample_locally(clustering, np.arange(26, dtype=np.int32), np.arange(26), 8, np.random.default_rng(0))
    assert (draw.cluster_size, draw.cluster_entropy) == (40, pytest.approx(np.log(2)))


def test_a_cluster_of_just_as_many_as_are_drawn_is_large_enough():
    labels = np.repeat([0, 1], [8, 20])
    is_train = np.where(labels == 0, np.arange(28) % 2, 1)
    clustering = cluster_by_keys(labels, weights_of(1 - is_train, is_train))
    draw = sample_locally(clustering, np.arange(28, dtype=np.int32), np.arange(28), 8, np.random.default_rng(0))
    assert sorted(draw.places.tolist()) == list(range(8))


def test_references_are_distinct_structures():
    """Every structure occurs in many points (other views tell them apart), but is drawn once."""
    rows = np.repeat(np.arange(5), 20).astype(np.int32)
    clustering = cluster_by_keys(np.zeros(100, np.int64), np.ones((100, 2), np.int64))
    for seed in range(50):
        draw = sample_locally(clustering, rows, distinct_points(rows), 5, np.random.default_rng(seed))
        assert sorted(rows[draw.places].tolist()) == [0, 1, 2, 3, 4]


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 30), st.booleans())
def test_sampling_never_fails(seed, n_references, n_points, pure):
    """Empty, tiny and pure clusters: there is always a draw of as many distinct structures as there can be."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 3, (n_points, 2))
    if pure:
        weights[:, 0] = 0
    rows = rng.integers(0, 6, n_points).astype(np.int32)
    distinct = distinct_points(rows)
    clustering = cluster_by_keys(rng.integers(0, 4, n_points), weights)
    for draw in (sample_locally(clustering, rows, distinct, n_references, rng), sample_globally(distinct, n_references, rng)):
        assert len(set(rows[draw.places].tolist())) == draw.places.size == min(n_references, distinct.size)


def test_among_pure_clusters_the_large_ones_are_cut():
    """No cluster mixes both sets: then size alone decides, and the draw still comes from one cluster, not from everywhere."""
    labels = np.repeat([0, 1, 2], [40, 10, 3])
    clustering = cluster_by_keys(labels, weights_of(labels == 1, labels != 1))
    rows = np.arange(53, dtype=np.int32)
    rng = np.random.default_rng(0)
    draws = [sample_locally(clustering, rows, np.arange(53), 4, rng) for _ in range(500)]
    drawn = [labels[draw.places] for draw in draws]
    assert all(len(set(cluster.tolist())) == 1 for cluster in drawn)
    assert {draw.cluster_entropy for draw in draws} == {0.0}
    share = np.bincount([cluster[0] for cluster in drawn], minlength=3) / 500
    assert share[0] == pytest.approx(0.8, abs=0.06)
    assert share[2] == 0  # too small for four references
