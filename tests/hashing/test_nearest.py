from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.errors import ParameterError
from relhash.hashing import NO_REFERENCE, NearestFamily, NearestFunction
from tests.hashing.function_contract import HashFunctionContract


class TestNearest(HashFunctionContract):
    def make_family(self):
        return NearestFamily()


class TableKernel:
    """Similarities given as a table: candidate i is row i."""

    def __init__(self, table):
        self.table = np.asarray(table, np.float32)

    def bind(self, X, *, n_jobs=None):
        return self

    @property
    def rows(self):
        return np.arange(len(self.table), dtype=np.int32)

    def similarities(self, references):
        return self.table

    def nearest(self, references):
        from relhash.kernels import nearest_of

        return nearest_of(self.table)


def bit_by_definition(similarities, split):
    nearest = [r for r in sorted(range(len(split)), key=lambda r: (-similarities[r], r)) if similarities[r] != 0][:1]
    return int(bool(nearest) and split[nearest[0]])


@given(
    table=hnp.arrays(np.float32, st.tuples(st.integers(1, 20), st.just(5)), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    split=hnp.arrays(np.uint8, 5, elements=st.integers(0, 1)),
)
def test_bits_equal_the_definition_with_ties_and_zeros(table, split):
    kernel = TableKernel(table)
    bits = NearestFunction(np.zeros((5, 1)), split, kernel).hash(kernel)
    assert bits.tolist() == [bit_by_definition(row, split) for row in table]


def test_lowest_index_wins_a_tie():
    kernel = TableKernel([[0.5, 0.5], [0.0, 0.0]])
    assert NearestFunction(np.zeros((2, 1)), np.array([1, 0], np.uint8), kernel).hash(kernel).tolist() == [1, 0]
    assert NearestFunction(np.zeros((2, 1)), np.array([0, 1], np.uint8), kernel).hash(kernel).tolist() == [0, 0]
    assert kernel.nearest(None).tolist() == [0, NO_REFERENCE]


def test_a_model_file_with_several_neighbours_is_refused():
    with pytest.raises(ParameterError, match="n_neighbors=3 is not allowed: 1"):
        NearestFamily.from_settings({"n_neighbors": 3})
