"""Hashcodes of the dependency paths of AIMed and BioInfer."""

from __future__ import annotations

import time

import numpy as np
import pytest

import relhash
from relhash.candidates import build_structures, candidates
from relhash.hashing import HashcodeLearner
from relhash.hashing.algorithm import current_objectives
from relhash.hashing.information import code_entropy, n_log_n
from relhash.hashing.splits import TermWeights
from relhash.kernels import PathKernel, WordSimilarity

pytestmark = pytest.mark.realdata

RANDOM = {"split": "random", "sampling": "global", "deletion_share": 0.0}


@pytest.fixture(scope="module")
def corpora(data_root):
    return [
        build_structures(candidates(relhash.read(data_root / "ppi" / f"{name}.xml")), ["path+edges"])["path+edges"]
        for name in ("AIMed", "BioInfer")
    ]


@pytest.fixture(scope="module")
def kernel():
    return PathKernel(WordSimilarity.from_vectors())


def learn(corpora, kernel, **parameters):
    return HashcodeLearner(n_references=4, kernel=kernel, random_state=0, **parameters).fit(corpora[0], target=corpora[1])


def all_bits(learner, corpora):
    return np.concatenate([learner.transform(paths) for paths in corpora])


def test_optimised_bits_have_a_higher_objective_and_hold_more(corpora, kernel):
    """The code's entropy is what is left of the bits' entropies after their redundancy is taken off."""
    weights = np.zeros((sum(map(len, corpora)), 2), np.int64)
    weights[: len(corpora[0]), 1] = 1
    weights[len(corpora[0]) :, 0] = 1
    table = n_log_n(len(weights))

    def judge(parameters, seed):
        learner = HashcodeLearner(100, kernel=kernel, random_state=seed, **parameters).fit(corpora[0], target=corpora[1])
        rows = np.ascontiguousarray(all_bits(learner, corpora).T)
        rng = np.random.default_rng(0)
        return current_objectives(rows, weights, table, 10, TermWeights(), rng).mean(), code_entropy(rows)

    for seed in range(3):
        (objective, held), (random_objective, random_held) = judge({}, seed), judge(RANDOM, seed)
        assert objective > random_objective
        assert held > random_held


def test_bits_do_not_depend_on_batches_or_threads(corpora, kernel):
    learner = learn(corpora, kernel, n_bits=30)
    whole = learner.codes(corpora[1])
    assert (whole[:1000] == learner.codes(corpora[1][:1000])).all()
    assert (learn(corpora, kernel, n_bits=30, n_jobs=2).codes(corpora[1]) == whole).all()


def test_a_fit_takes_about_a_second(corpora, kernel):
    """200 trials on 15,500 candidates; the prototype's loop needed 0.4 s. The bound leaves room for a busy machine."""
    learn(corpora, kernel, n_bits=4)  # compiles
    start = time.process_time()
    learner = learn(corpora, kernel, n_bits=100)
    assert time.process_time() - start < 4.0
    assert len(learner.functions_) == 100


def test_many_large_reference_sets_take_seconds(corpora, kernel):
    parameters = {"n_bits": 64, "deletion_share": 0.0, "kernel": kernel, "random_state": 0, "n_references": 32}
    HashcodeLearner(**parameters | {"n_bits": 2}).fit(corpora[0][:500])  # compiles
    start = time.process_time()
    learner = HashcodeLearner(**parameters).fit(corpora[0], target=corpora[1])
    assert learner.transform(corpora[1]).shape == (len(corpora[1]), 64)
    assert time.process_time() - start < 15.0
