"""Hash functions learned from parts are those of one process: the same references, splits, numbers and trials."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.hashing import HashcodeLearner
from relhash.kernels import VectorKernel
from relhash.scale.population import ClusterPopulation
from tests.scale.here import Here
from tests.scale.structures import candidates, kernels, part_sources

SETTINGS = {"n_bits": 12, "n_references": (2, 4), "n_cluster_bits": 4, "random_state": 1}


def learner(**parameters):
    return HashcodeLearner(kernel=kernels(), **(SETTINGS | parameters))


def fit_in_parts(client, bounds, n_train, callback=None, **parameters):
    own = learner(**parameters, callback=callback)
    seed = own.seed()
    population = ClusterPopulation(client, part_sources(bounds), n_train, own, seed)
    own.fit_population(population, seed)
    population.settle(own.functions_)
    return own


def assert_same(one, other):
    arrays, others = one.to_arrays(), other.to_arrays()
    assert arrays.keys() == others.keys()
    for name in arrays:
        np.testing.assert_array_equal(arrays[name], others[name], err_msg=name)
    assert [step.objective for step in one.trace_] == [step.objective for step in other.trace_]
    for own, same in zip(one.kernels_["descriptors"], other.kernels_["descriptors"], strict=True):
        assert own.gamma_ == same.gamma_
        np.testing.assert_array_equal(own.scale_, same.scale_)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"hash_function": "standard-nearest"},
        {"hash_function": "margin"},
        {"hash_function": "balanced-margin"},
        {"n_neighbors": 3, "deletion_share": 0.4},
        {"split": "mcmc", "n_references": 9},
        {"sampling": "global", "n_references": 1},
    ],
    ids=str,
)
def test_the_same_functions_for_any_partitioning(parameters):
    alone = learner(**parameters).fit(candidates(0, 400), target=candidates(400, 600))
    for bounds, n_train in (([0, 150, 400, 401, 600], 2), ([0, 3, 400, 600], 2)):
        assert_same(fit_in_parts(Here(), bounds, n_train, **parameters), alone)


@pytest.mark.parametrize(
    ("parameters", "most"),
    [
        ({}, 4),  # clusters of both kinds and the bits before; members of one; the references; the table
        ({"hash_function": "standard-nearest"}, 5),  # and the moments
        ({"hash_function": "margin"}, 4),
        ({"hash_function": "balanced-margin"}, 6),  # and two of the median
    ],
    ids=str,
)
def test_how_often_a_trial_waits_for_all_parts(parameters, most):
    """A message costs more than what it asks; the counts are not to grow unnoticed."""
    seen = []

    def look(step):
        seen.append((step.view, parts.n_messages))

    own = learner(n_references=3, n_bits=24, deletion_share=0.0, callback=look, **parameters)
    seed = own.seed()
    population = ClusterPopulation(Here(), part_sources([0, 150, 400, 600]), 2, own, seed)
    parts = population._parts
    own.fit_population(population, seed)
    taken = [after[1] - before[1] for before, after in pairwise(seen) if after[0] != "path"]  # which has two kernels
    assert max(taken) <= most


def test_without_a_target_the_same_share_plays_its_part():
    alone = learner().fit(candidates(0, 500))
    assert_same(fit_in_parts(Here(), [0, 90, 90, 300, 500], None), alone)  # one part has nothing in it


def test_a_killed_worker_does_not_change_the_functions(client, replaced):
    """Its parts are made again, told what they must know, and compute the bits of the functions so far."""
    victims = []

    def kill_one(step):
        if step.trial == 3:
            victims.append(next(iter(client.run(os.getpid).values())))
            os.kill(victims[0], signal.SIGKILL)

    parameters = {"n_bits": 6, "deletion_share": 0.0, "max_trials": 8}
    alone = learner(**parameters).fit(candidates(0, 400), target=candidates(400, 600))
    assert_same(fit_in_parts(client, [0, 200, 400, 600], 2, callback=kill_one, **parameters), alone)
    replaced(victims[0])


def test_a_worker_of_another_version_is_refused():
    """One that came after the others were asked; bits of two versions in one code would be nobody's."""
    sources = [replace(source, version="0.0.1") for source in part_sources([0, 10])]
    own = learner()
    with pytest.raises(ParameterError, match=r"the worker on .* has RelHash .*, the work is that of 0.0.1"):
        ClusterPopulation(Here(), sources, None, own, own.seed())


def test_what_needs_all_candidates_in_one_place_is_refused():
    for parameters, said in (
        ({"redundancy": "correlation"}, "one process"),
        ({"supervised_weight": 1.0}, "labels"),
        ({"hash_function": "neural"}, "one process only"),
    ):
        own = learner(**parameters)
        with pytest.raises(ParameterError, match=said):
            ClusterPopulation(Here(), part_sources([0, 10]), None, own, own.seed())


def test_a_kernel_is_fitted_to_a_summary_as_to_the_data():
    rows = np.log1p(np.random.default_rng(0).integers(0, 9, (2500, 6))).astype(np.float64)
    whole = VectorKernel("laplace", scaling="standard").fit(rows)
    summary = VectorKernel("laplace", scaling="standard").fit_summary(rows.std(axis=0), np.abs(rows).max(axis=0), rows[::3])
    assert whole.gamma_ == summary.gamma_
    assert (whole.scale_ == summary.scale_).all()
