from __future__ import annotations

import numpy as np
import pytest

from relhash.codec import read_arrays


def test_arrays_come_back_by_name(tmp_path):
    np.savez_compressed(tmp_path / "a.npz", **{"ids": np.arange(3), "0.table": np.eye(2)})
    for given in (tmp_path / "a.npz", (tmp_path / "a.npz").read_bytes()):
        found = read_arrays(given)
        assert sorted(found) == ["0.table", "ids"]
        np.testing.assert_array_equal(found["0.table"], np.eye(2))


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 truncated", b"\x93NUMPY\x01\x00"])
def test_what_is_no_such_file_is_a_value_error(content):
    with pytest.raises(ValueError):
        read_arrays(content)
