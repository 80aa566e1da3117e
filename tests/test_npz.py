from __future__ import annotations

import numpy as np
import pytest

from relhash.codec import load_npz, save_npz
from relhash.errors import ModelFileError


def test_arrays_come_back_by_name(tmp_path):
    save_npz(tmp_path / "a.npz", {"ids": np.arange(3), "0.table": np.eye(2)})
    found = load_npz(tmp_path / "a.npz")
    assert sorted(found) == ["0.table", "ids"]
    np.testing.assert_array_equal(found["0.table"], np.eye(2))


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 truncated", b"\x93NUMPY\x01\x00"])
def test_damaged_files_are_named(tmp_path, content):
    file = tmp_path / "broken.npz"
    file.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"broken\.npz"):
        load_npz(file)
