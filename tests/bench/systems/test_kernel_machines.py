"""Rivals on the summed kernel: what is learned does not depend on the other draws it is asked for."""

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
    work = system.work(bench, draw=1)
    _, after = work(30), work(60)
    alone = system.work(bench, draw=1)(60)
    np.testing.assert_array_equal(after.scores, alone.scores)
    np.testing.assert_array_equal(after.labels, alone.labels)


def test_nystroem_features_are_made_once(bench, monkeypatch):
    system = SYSTEMS["nystroem-lr"]
    first = system.work(bench)(None)
    monkeypatch.setattr(type(system), "_nystroem", lambda *_: pytest.fail("made again"))
    np.testing.assert_array_equal(system.work(bench)(None).scores, first.scores)
