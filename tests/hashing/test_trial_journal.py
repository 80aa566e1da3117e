"""A fit that ends in the middle goes on with the next trial, and learns what it would have learned in one go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.hashing import HashcodeLearner
from relhash.journal import Journal
from tests.hashing.short_fits import path_kernel


class KilledError(Exception):
    pass


def learned(X, target, journal=None, *, killed_after=None, **parameters):
    """Bits of both sets and the trace (without times), and the trials that were run now."""
    run = []

    def watch(step):
        run.append(step.trial)
        if step.trial == killed_after:
            raise KilledError

    given = {"n_bits": 16, "n_cluster_bits": 3, "deletion_share": 0.5, "random_state": 0} | parameters
    learner = HashcodeLearner(**given, callback=watch)
    bits = learner.fit_hash(X, target=target, journal=journal)
    return bits, [replace(step, seconds=0.0) for step in learner.trace_], run


@pytest.mark.parametrize("hash_function", ["nearest", "balanced-margin"])
@pytest.mark.parametrize("kernel", ["rbf", "path"])
def test_a_fit_goes_on_with_the_next_trial(tmp_path, plane, paths, hash_function, kernel):
    X, target = plane if kernel == "rbf" else (paths[:120], paths[120:])
    parameters = {"hash_function": hash_function, "kernel": "rbf" if kernel == "rbf" else path_kernel()}
    whole, trace, trials = learned(X, target, **parameters)
    assert any(step.deleted for step in trace), "a fit without a deletion tells too little"
    deletion = next(step.trial for step in trace if step.deleted)
    for killed_after in {5, deletion, deletion + 1}:
        path = tmp_path / f"{killed_after}.journal"
        with Journal(path, "key") as journal, pytest.raises(KilledError):
            learned(X, target, journal, killed_after=killed_after, **parameters)
        with Journal(path, "key") as journal:
            bits, again, run = learned(X, target, journal, **parameters)
        assert run == [trial for trial in trials if trial > killed_after]
        assert again == trace
        for one, other in zip(bits, whole, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_record_that_cannot_be_read_is_run_again(tmp_path, plane):
    X, target = plane
    whole, trace, trials = learned(X, target)
    with Journal(tmp_path / "j", "key") as journal:
        learned(X, target, journal)
        journal.cut(4)
        journal.append(b"no trial")
    with Journal(tmp_path / "j", "key") as journal:
        bits, again, run = learned(X, target, journal)
    assert run == trials[4:]
    assert again == trace
    np.testing.assert_array_equal(bits[0], whole[0])


def test_redundancy_by_latent_factors_begins_anew(tmp_path, plane):
    X, target = plane
    parameters = {"redundancy": "correlation", "n_bits": 6}
    whole, trace, trials = learned(X, target, **parameters)
    with Journal(tmp_path / "j", "key") as journal, pytest.raises(KilledError):
        learned(X, target, journal, killed_after=3, **parameters)
    with Journal(tmp_path / "j", "key") as journal:
        bits, again, run = learned(X, target, journal, **parameters)
    assert (run, again) == (trials, trace)
    np.testing.assert_array_equal(bits[1], whole[1])
