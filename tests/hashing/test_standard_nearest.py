from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.errors import ModelFileError
from relhash.hashing import NO_REFERENCE, HashcodeLearner, StandardNearestFamily
from tests.hashing.array_kernel import PlainKernel
from tests.hashing.function_contract import CORNERS, HashFunctionContract
from tests.hashing.test_nearest import TableKernel


class TestStandardNearest(HashFunctionContract):
    def make_family(self):
        return StandardNearestFamily()


class _Table(TableKernel):
    """Rows of a table as points, each of which several candidates may be."""

    def __init__(self, table, counts):
        super().__init__(table)
        self.counts = counts

    @property
    def n_unique(self):
        return len(self.table)

    @property
    def rows(self):
        return np.repeat(np.arange(len(self.table), dtype=np.int32), self.counts)

    def unique(self, ids):
        return np.zeros((len(ids), 1))


def nearest_by_definition(table, counts):
    """From the candidates one by one, by numpy's own mean and standard deviation."""
    every = np.repeat(table.astype(float), counts, axis=0)
    means, deviations = every.mean(axis=0), every.std(axis=0)
    found = []
    for row in table.astype(float):
        scores = [(0.0 if sd < 1e-12 else (k - mean) / sd) if k else -np.inf for k, mean, sd in zip(row, means, deviations)]
        found.append(int(np.argmax(np.round(scores, 9))) if row.any() else NO_REFERENCE)
    return found


@given(
    table=hnp.arrays(np.float32, st.tuples(st.integers(1, 12), st.just(4)), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    counts=hnp.arrays(np.int64, 12, elements=st.integers(1, 4)),
)
def test_the_nearest_equals_the_definition_with_zeros_and_constants(table, counts):
    kernel = _Table(table, counts[: len(table)])
    nearest = StandardNearestFamily().respond(kernel, np.arange(4)).nearest
    expected = nearest_by_definition(table, kernel.counts)
    for row, got, wanted in zip(table, nearest.tolist(), expected, strict=True):
        if got != wanted:  # references with the same similarities up to rounding tie by their last digit
            every = np.repeat(table.astype(float), kernel.counts, axis=0)
            z = (row - every.mean(axis=0)) / np.maximum(every.std(axis=0), 1e-12)
            assert z[got] == pytest.approx(z[wanted])


def test_a_hub_no_longer_takes_everybody():
    """The first reference is near to all; who is nearer to the second than people usually are belongs to it."""
    table = [[0.9, 0.1], [0.8, 0.1], [0.9, 0.1], [0.8, 0.5]]
    kernel = _Table(table, np.ones(4, int))
    assert StandardNearestFamily().respond(kernel, np.arange(2)).nearest.tolist() == [0, 1, 0, 1]
    assert kernel.nearest(None).tolist() == [0, 0, 0, 0]


def test_bits_are_the_same_for_any_threads_and_batches():
    train, target = np.random.default_rng(0).normal(size=(2, 90, 3))
    learner = HashcodeLearner(12, hash_function="standard-nearest", random_state=0, n_jobs=1).fit(train, target=target)
    bits = learner.transform(both := np.concatenate([train, target]))
    threaded = HashcodeLearner(12, hash_function="standard-nearest", random_state=0, n_jobs=2).fit(train, target=target)
    assert (threaded.transform(both) == bits).all()
    assert (np.concatenate([learner.transform(both[i : i + 7]) for i in range(0, len(both), 7)]) == bits).all()


DAMAGED = {"short": np.ones(5), "negative": np.r_[np.ones(4), -np.ones(4)], "nan": np.full(8, np.nan)}


@pytest.mark.parametrize("parameters", DAMAGED.values(), ids=DAMAGED)
def test_damaged_parameters_are_refused(parameters):
    with pytest.raises(ModelFileError, match="mean and deviation"):
        StandardNearestFamily().restore(CORNERS, np.array([0, 1, 1, 0], np.uint8), PlainKernel(), "", parameters)
