"""The parameters of Algorithm 1 are checked before anything is computed."""

from __future__ import annotations

import warnings
from dataclasses import asdict

import pytest

from relhash.errors import ParameterError, RelHashWarning
from relhash.hashing import HashcodeLearner
from relhash.hashing.algorithm import Settings
from relhash.hashing.information import MAX_CLUSTER_BITS
from tests.hashing.short_fits import learn


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_bits": 0}, "n_bits=0"),
        ({"n_references": ()}, "n_references"),
        ({"n_references": 300}, "n_references"),
        ({"n_cluster_bits": 40}, "n_cluster_bits=40"),
        ({"split": "all"}, "split='all'"),
        ({"sampling": "lokal"}, "one of local, highest, global"),
        ({"max_trials": 3}, "max_trials=3"),
    ],
)
def test_bad_parameters_are_named(plane, parameters, message):
    with pytest.raises(ParameterError, match=message):
        learn(plane[0], **parameters)


def test_small_data_take_fewer_cluster_bits():
    taken = {n: Settings(n_cluster_bits=10).for_candidates(n).n_cluster_bits for n in (1, 15, 64, 4096, 8192, 10**6)}
    assert taken == {1: 1, 15: 1, 64: 3, 4096: 9, 8192: 10, 10**6: 10}


def test_who_asks_for_cluster_bits_that_cannot_be_had_is_told(plane):
    """An ablation with ζ = 14 was once computed with 10, and nobody said so."""
    n_candidates = len(plane[0])
    with pytest.warns(RelHashWarning, match="n_cluster_bits=14 was asked for"):
        learner = learn(plane[0], n_cluster_bits=14)
    assert learner.n_cluster_bits_ == Settings(n_cluster_bits=14).for_candidates(n_candidates).n_cluster_bits < 14
    with warnings.catch_warnings():
        warnings.simplefilter("error", RelHashWarning)
        assert learn(plane[0], n_cluster_bits=2).n_cluster_bits_ == 2
        learn(plane[0], n_cluster_bits=10)  # the paper's value means "as many as there can be"


def test_what_is_usual_is_usual_everywhere():
    learner = HashcodeLearner()
    assert {name: getattr(learner, name) for name in asdict(Settings())} == asdict(Settings())


def test_deletion_needs_spare_trials():
    assert (Settings(n_bits=50).trials, Settings(n_bits=50, deletion_share=0.0).trials) == (100, 50)
    assert Settings(n_bits=50, max_trials=60).trials == 60


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("n_bits", [1], [0]),
        ("n_references", [(1,), (254,), (1, 254)], [(0,), (255,), (0, 4)]),
        ("n_cluster_bits", [1, MAX_CLUSTER_BITS], [0, MAX_CLUSTER_BITS + 1]),
        ("entropy_weight", [0.0], [-1e-9]),
        ("redundancy_weight", [0.0], [-1e-9]),
        ("deletion_share", [0.0, 0.99], [-1e-9, 1.0]),
        ("max_trials", [100], [99]),
    ],
)
def test_bounds_are_where_they_are_said_to_be(name, allowed, refused):
    for value in allowed:
        assert getattr(Settings(**{name: value}), name) == value
    for value in refused:
        with pytest.raises(ParameterError, match=name):
            Settings(**{name: value})


def test_all_splits_are_tried_for_few_references_only():
    assert Settings(split="exhaustive", n_references=(16,)).split == "exhaustive"
    with pytest.raises(ParameterError, match="at most 16"):
        Settings(split="exhaustive", n_references=(17,))


def test_trials_are_twice_the_bits_if_functions_may_be_deleted():
    assert Settings(n_bits=30).trials == 60
    assert Settings(n_bits=30, deletion_share=0.0).trials == 30
    assert Settings(n_bits=30, max_trials=31).trials == 31
