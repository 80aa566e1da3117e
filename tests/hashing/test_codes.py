from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.errors import ParameterError
from relhash.hashing import hamming_distances, nearest_codes, pack, unpack

BITS = hnp.arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 140)), elements=st.integers(0, 1))


@given(BITS)
def test_packing_is_reversible_and_in_order(bits):
    codes = pack(bits)
    assert codes.shape == (len(bits), -(-bits.shape[1] // 64))
    assert codes.dtype == np.uint64
    assert (unpack(codes, bits.shape[1]) == bits).all()
    last = bits.shape[1] - 1
    assert ((codes[:, last // 64] >> np.uint64(last % 64)) & np.uint64(1)).tolist() == bits[:, last].tolist()


@given(BITS)
def test_distances_count_differing_bits(bits):
    expected = (bits[:, None, :] != bits[None, :, :]).sum(axis=-1)
    assert (hamming_distances(pack(bits), pack(bits)) == expected).all()


@given(BITS, st.integers(1, 12))
def test_nearest_codes_are_the_first_of_a_stable_sort(bits, k):
    codes = pack(bits)
    k = min(k, len(codes))
    distances = hamming_distances(codes[:4], codes)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    found, indices = nearest_codes(codes[:4], codes, k)
    assert (indices == order).all()
    assert (found == np.take_along_axis(distances, order, axis=1)).all()


def test_misuse_is_explained():
    with pytest.raises(ParameterError, match="different width"):
        hamming_distances(np.zeros((1, 1), np.uint64), np.zeros((1, 2), np.uint64))
    with pytest.raises(ParameterError, match="number of codes, 3"):
        nearest_codes(np.zeros((1, 1), np.uint64), np.zeros((3, 1), np.uint64), 4)
    with pytest.raises(ParameterError, match="n_bits=65"):
        unpack(np.zeros((1, 1), np.uint64), 65)
