from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates.descriptors import COLUMNS
from relhash.candidates.structure_set import StructureSet
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.descriptors import DescriptorBitsPart, quantile_cuts
from relhash.learn.part import Text


def fitted():
    table = np.random.default_rng(0).normal(size=(50, len(COLUMNS))).astype(np.float32)
    part = DescriptorBitsPart().fit(Text(StructureSet({"descriptors": table}, columns={"descriptors": COLUMNS})))
    return part, part.to_arrays()


def test_thresholds_are_few_and_lie_between_values():
    columns, thresholds = quantile_cuts(np.array([[0, 5, 1], [1, 5, 2], [1, 5, 3]], float), 8)
    assert columns.tolist() == [0, 2, 2]
    assert thresholds.tolist() == [0.5, 1.5, 2.5]
    many, _ = quantile_cuts(np.random.default_rng(0).normal(size=(500, 1)), 4)
    assert many.size == 4


def test_arrays_that_do_not_fit_together_are_refused():
    part, arrays = fitted()
    for change in ({"columns": arrays["columns"] + len(COLUMNS)}, {"thresholds": arrays["thresholds"][:-1]}):
        with pytest.raises(ModelFileError, match="descriptors"):
            DescriptorBitsPart.from_arrays({**arrays, **change}, part.parameters, None)


def test_a_table_of_another_width_is_refused():
    with pytest.raises(ParameterError, match="columns are expected"):
        fitted()[0].transform(Text(StructureSet({"descriptors": np.zeros((2, 3), np.float32)})))
