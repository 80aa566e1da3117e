"""The parameters of Algorithm 1 are checked before anything is computed."""

from __future__ import annotations

import pytest

from relhash.errors import ParameterError
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


def test_deletion_needs_spare_trials():
    assert (Settings(n_bits=50).trials, Settings(n_bits=50, deletion_share=0.0).trials) == (100, 50)
    assert Settings(n_bits=50, max_trials=60).trials == 60
