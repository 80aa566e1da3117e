from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.errors import ParameterError
from relhash.hashing import pack, unpack

BITS = hnp.arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 140)), elements=st.integers(0, 1))


@given(BITS)
def test_packing_is_reversible_and_in_order(bits):
    codes = pack(bits)
    assert codes.shape == (len(bits), -(-bits.shape[1] // 64))
    assert codes.dtype == np.uint64
    assert (unpack(codes, bits.shape[1]) == bits).all()
    last = bits.shape[1] - 1
    assert ((codes[:, last // 64] >> np.uint64(last % 64)) & np.uint64(1)).tolist() == bits[:, last].tolist()


def test_misuse_is_explained():
    with pytest.raises(ParameterError, match="n_bits=65"):
        unpack(np.zeros((1, 1), np.uint64), 65)
