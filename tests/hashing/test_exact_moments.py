"""Moments are those of the definition, and the same to the last bit for any order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.hashing.nearest import moments

tables = hnp.arrays(
    np.float32, st.tuples(st.integers(1, 20), st.just(3)), elements=st.floats(-1e6, 1e6, width=32, allow_subnormal=True)
)
counts = hnp.arrays(np.int64, 20, elements=st.integers(0, 5))


@given(tables, counts)
def test_they_are_those_of_the_definition(table, drawn):
    n_candidates = drawn[: len(table)]
    n_candidates[0] += 1
    every = np.repeat(table.astype(float), n_candidates, axis=0)
    means, deviations = moments(table, n_candidates)
    np.testing.assert_allclose(means, every.mean(axis=0), rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(deviations, every.std(axis=0), rtol=1e-9, atol=1e-6)


@given(tables, counts, st.randoms())
def test_no_order_changes_a_bit(table, drawn, random):
    n_candidates = drawn[: len(table)]
    order = random.sample(range(len(table)), len(table))
    whole, again = moments(table, n_candidates), moments(table[order], n_candidates[order])
    assert [own.tobytes() for own in whole] == [own.tobytes() for own in again]


def test_what_is_constant_has_no_deviation():
    """Sums of 0.1 that are rounded on the way leave a little of it, by which standardised similarities are divided."""
    table = np.full((1_000, 1), 0.1, np.float32)
    means, deviations = moments(table, np.full(1_000, 7))
    assert (means[0], deviations[0]) == (np.float64(np.float32(0.1)), 0.0)


def test_nobody_at_all():
    assert [own.tolist() for own in moments(np.empty((0, 2), np.float32), np.empty(0, np.int64))] == [[0.0, 0.0], [0.0, 0.0]]
