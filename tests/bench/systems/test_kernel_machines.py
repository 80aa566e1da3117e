"""Rivals on the summed kernel: what a job gives does not depend on the other draws it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.bench import Bench
from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import protocol, tasks
from relhash.bench.systems.listed import SYSTEMS


@pytest.fixture(scope="module")
def bench(toy_data):
    dataset = Dataset([read_benchmark_corpus(toy_data, name) for _, name in protocol("ppi-cross").corpora])
    return Bench(dataset, next(tasks(protocol("ppi-cross"), dataset)), 0)


def test_kernel_values_kept_for_larger_draws_are_those_computed_at_once(bench):
    system = SYSTEMS["kernel-svm"]
    together = system.job(bench, [30, 60], draw=1).run()
    alone = system.job(bench, [60], draw=1).run()
    np.testing.assert_array_equal(together[1][0], alone[0][0])
    np.testing.assert_array_equal(together[1][1], alone[0][1])


def test_nystroem_features_are_made_once(bench):
    first, second = (SYSTEMS["nystroem-lr"].job(bench, [None]) for _ in range(2))
    assert first.features is second.features
    assert first.features.train.shape[0] == len(bench.task.train)
