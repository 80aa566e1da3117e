from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import PathSet, StructureSet
from relhash.errors import StructureError


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
