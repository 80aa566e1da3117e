"""What the code that the paper's authors have published does otherwise, each as an option."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.hashing.algorithm import low_functions, sample_locally
from relhash.hashing.information import cluster_by_keys, entropy
from relhash.hashing.splits import TermWeights, all_splits
from relhash.kernels import WordSimilarity, WordVectors
from relhash.learn.codes import make_kernels
from tests.candidates.shown_views import BINDS, show
from tests.hashing.random_objectives import objective
from tests.hashing.short_fits import learn


def test_the_objective():
    """H(c) + H(c | c_prev) + H(x | c) + H(c | x) up to a constant: 2 H(x, c) + H(c) − I(c : c_prev) − H(x)."""
    published = objective(4, seed=3)
    published.term_weights = TermWeights(entropy=2.0, bit=1.0)
    splits = all_splits(4)
    totals, expected = published.totals[:, :2], []
    for ones in published.ones(splits)[..., :2]:
        both = np.stack([totals - ones, ones])  # bit × cluster × membership
        bit, x, joint = entropy(both.sum(axis=(1, 2))), entropy(totals.sum(axis=0)), entropy(both.sum(axis=1).reshape(-1))
        within = entropy(both.sum(axis=2).reshape(-1)) - entropy(totals.sum(axis=1))
        expected.append(bit + within + (joint - bit) + (joint - x))
    found = published(splits)
    np.testing.assert_allclose(found - found[0], np.array(expected) - expected[0], atol=1e-9)


def test_the_cluster_of_the_highest_entropy():
    """A small cluster that mixes evenly before a large one that mixes less; a pure one and one too small for it never."""
    labels = np.repeat([0, 1, 2, 3], [40, 60, 8, 2])
    is_train = np.concatenate([np.ones(40), np.arange(60) % 5 == 0, np.arange(8) % 2, np.arange(2) % 2]).astype(int)
    clustering = cluster_by_keys(labels, np.stack([1 - is_train, is_train], axis=1))
    for seed in range(20):
        draw = sample_locally(
            clustering, lambda own: np.flatnonzero(labels == own), np.arange(110), 4, np.random.default_rng(seed), highest=True
        )
        assert set(labels[draw.places]) == {2}


def test_clusters_from_the_second_function_on(plane):
    train, target = plane
    paper, published = (learn(train, target=target, n_bits=12, **own) for own in ({}, {"n_global": 1}))
    drawn_globally = [[step.cluster_size is None for step in one.trace_] for one in (paper, published)]
    assert all(drawn_globally[0][: paper.n_cluster_bits_])
    assert drawn_globally[1][:3] == [True, False, False]


def test_deletion_further_below_the_mean():
    objectives = np.array([1.0] * 8 + [0.8, 0.35])
    cut = objectives.mean() - objectives.std() * np.array([0.2, 1.28])
    assert (objectives < cut[0]).sum() == 2
    assert low_functions(objectives, 5, 0.2).tolist() == [9, 8]
    assert low_functions(objectives, 5, 1.28).tolist() == [9]


def test_words_match_or_do_not():
    vectors = WordVectors(["binds", "joins", "sleeps"], [[1.0, 0.1], [1.0, 0.4], [0.0, 1.0]])
    kernel = make_kernels(["path"], {"hard": True, "threshold": 0.5}, vectors)["path"]
    assert [kernel.similarity("binds", word) for word in ("binds", "joins", "sleeps")] == [1.0, 1.0, 0.0]
    assert type(kernel).from_arrays(kernel.to_arrays(), kernel.notes, vectors).similarity("binds", "joins") == 1.0
    assert 0 < WordSimilarity.from_vectors(vectors, threshold=0.5)("binds", "joins") < 1


def test_a_word_and_its_edge_are_one_token():
    assert show("path+pairs", BINDS) == "<E1> ↑nsubj\tbinds ↓prep_to\t<E2>"
    similarity = WordSimilarity.from_vectors(WordVectors(["binds", "joins"], [[1.0, 0.1], [1.0, 0.1]]))
    pairs = ["↑nsubj\tbinds", "↑nsubj\tjoins", "↓dobj\tjoins"]
    found = similarity.over(pairs)
    np.testing.assert_allclose(found.rows(pairs), [[1, 1, 0], [1, 1, 0], [0, 0, 1]], atol=1e-3)
    np.testing.assert_allclose(found.within(np.arange(3, dtype=np.int32), np.array([0, 3])).reshape(3, 3), found.rows(pairs))


def test_a_grid_of_kernels_has_every_combination():
    offered = make_kernels(["path", "descriptors"], {"max_length": (2, 4), "threshold": (0.1, 0.4)})
    assert [(one.max_length, one.similarity.threshold) for one in offered["path"]] == [(2, 0.1), (2, 0.4), (4, 0.1), (4, 0.4)]
    assert not isinstance(offered["descriptors"], list)
    with pytest.raises(Exception, match="kernel"):
        make_kernels(["path"], {"length": 3})
