"""Files of learned things; what is refused is tested on model files (``test_model_file.py``)."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError
from relhash.model.model_file import ArchiveKind, read_archive, write_archive

MODEL = ArchiveKind("relhash-model", 1, "model", "relhash fit")
CODES = ArchiveKind("relhash-codes", 1, "index", "relhash hash")


def test_what_is_written_comes_back_and_equal_contents_are_equal_files(tmp_path):
    arrays = {"a.npz": {"x": np.arange(5), "y": np.array(["α"])}}
    for name in ("one", "two"):
        write_archive(tmp_path / name, CODES, {"card": {"n": 1}}, arrays)
    manifest, parts = read_archive(tmp_path / "one", CODES)
    assert manifest["card"] == {"n": 1}
    assert (parts["a.npz"]["x"].tolist(), parts["a.npz"]["y"].tolist()) == ([0, 1, 2, 3, 4], ["α"])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_one_kind_of_file_is_not_taken_for_another(tmp_path):
    write_archive(tmp_path / "codes", CODES, {}, {})
    with pytest.raises(ModelFileError, match=r"codes: not a RelHash model file; it holds the hash functions of an index"):
        read_archive(tmp_path / "codes", MODEL)
    with pytest.raises(ModelFileError, match=r"`relhash hash … -o none` makes one"):
        read_archive(tmp_path / "none", CODES)
