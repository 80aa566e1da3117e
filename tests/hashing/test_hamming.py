"""Distances and nearest codes against a slow reference, also over several tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.errors import ParameterError
from relhash.hashing import hamming_distances, nearest_codes, pack
from relhash.hashing.bit_counts import TILE
from relhash.hashing.hamming import as_columns, nearest_in_columns

BITS = hnp.arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 140)), elements=st.integers(0, 1))


@given(BITS)
def test_distances_count_differing_bits(bits):
    expected = (bits[:, None, :] != bits[None, :, :]).sum(axis=-1)
    assert (hamming_distances(pack(bits), pack(bits)) == expected).all()


@given(BITS, st.integers(1, 12))
def test_nearest_codes_are_the_first_of_a_stable_sort(bits, k):
    _check_against_sorting(bits, 4, min(k, len(bits)))


@pytest.mark.parametrize(
    ("n", "n_bits", "k"), [(TILE, 64, 3), (TILE + 1, 100, 7), (3 * TILE + 17, 200, TILE + 5), (2 * TILE, 5, 50)]
)
def test_over_several_tiles(n, n_bits, k):
    _check_against_sorting(np.random.default_rng(n).integers(0, 2, (n, n_bits), np.uint8), 6, k)


def _check_against_sorting(bits, queries, k):
    codes = pack(bits)
    distances = (bits[:queries, None, :] != bits[None, :, :]).sum(axis=-1)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    for found, indices in (nearest_codes(codes[:queries], codes, k), nearest_in_columns(codes[:queries], as_columns(codes), k)):
        assert (indices == order).all()
        assert (found == np.take_along_axis(distances, order, axis=1)).all()
    assert (hamming_distances(codes[:queries], codes) == distances).all()


def test_the_widest_distance_is_found():
    code, opposite = np.zeros((1, 2), np.uint64), np.full((1, 2), np.iinfo(np.uint64).max, np.uint64)
    assert hamming_distances(code, opposite).tolist() == [[128]]
    assert nearest_codes(code, opposite, 1)[0].tolist() == [[128]]


def test_misuse_is_explained():
    with pytest.raises(ParameterError, match="different width"):
        hamming_distances(np.zeros((1, 1), np.uint64), np.zeros((1, 2), np.uint64))
    with pytest.raises(ParameterError, match="no or of"):
        nearest_codes(np.zeros((1, 0), np.uint64), np.zeros((3, 0), np.uint64), 1)
    with pytest.raises(ParameterError, match="number of codes, 3"):
        nearest_codes(np.zeros((1, 1), np.uint64), np.zeros((3, 1), np.uint64), 4)
