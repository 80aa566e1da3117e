from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import PathSet, StructureSet
from relhash.errors import StructureError


def test_a_structure_set_comes_back(tmp_path):
    views = {
        "path": PathSet.from_sequences([["a"], ["b", "a"]]),
        "descriptors": np.eye(2),
        "other": PathSet.from_sequences([[], ["ü"]]),
    }
    stored = StructureSet(views, columns={"descriptors": ("near", "far")})
    stored.save(tmp_path / "s.npz")
    loaded = StructureSet.load(tmp_path / "s.npz")
    assert loaded.names == stored.names
    assert loaded.columns == stored.columns
    assert all(loaded[name] == stored[name] for name in ("path", "other"))
    np.testing.assert_array_equal(loaded["descriptors"], stored["descriptors"])
    assert loaded.select(["other"]).names == ("other",)
    assert len(loaded[np.array([True, False])]) == 1


def test_structure_sets_that_do_not_fit():
    paths = PathSet.from_sequences([["a"]])
    with pytest.raises(StructureError, match="differ in their number"):
        StructureSet({"a": paths, "b": np.eye(2)})
    with pytest.raises(StructureError, match="column names"):
        StructureSet({"b": np.eye(2)}, columns={"b": ("only one",)})
    with pytest.raises(StructureError, match="views differ"):
        StructureSet.concatenate([StructureSet({"a": paths}), StructureSet({"b": paths})])
    with pytest.raises(StructureError, match="no view 'c'; there are a"):
        StructureSet({"a": paths})["c"]
