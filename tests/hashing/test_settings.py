"""The parameters of Algorithm 1 are checked before anything is computed."""

from __future__ import annotations

import warnings

import pytest

from relhash.errors import ParameterError, RelHashWarning
from relhash.hashing.settings import Settings
from tests.hashing.short_fits import learn


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_bits": 0}, "n_bits=0"),
        ({"n_references": ()}, "n_references"),
        ({"n_references": 300}, "n_references"),
        ({"n_cluster_bits": 40}, "n_cluster_bits=40"),
        ({"split": "all"}, "split='all'"),
        ({"sampling": "lokal"}, "local or global"),
        ({"hash_function": "svm"}, "hash_function='svm'"),
        ({"output": "hex"}, "output='hex'"),
        ({"max_trials": 3}, "max_trials=3"),
        ({"target_share": 1.0}, "target_share"),
        ({"kernel": 3}, "kernel=3"),
        ({"views": ["path"]}, "StructureSet"),
        ({"supervised_weight": 1.0}, "labels"),
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


def test_deletion_needs_spare_trials():
    assert (Settings(n_bits=50).trials, Settings(n_bits=50, deletion_share=0.0).trials) == (100, 50)
    assert Settings(n_bits=50, max_trials=60).trials == 60
