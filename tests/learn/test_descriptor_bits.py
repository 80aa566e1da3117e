"""Thresholds at quantiles."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError
from relhash.learn.descriptors import DescriptorBits


def test_descriptor_bits_cut_between_values_that_occur():
    table = np.array([[0, 5.0, 7], [1, 6.0, 7], [1, 8.0, 7]], np.float32)
    bits = DescriptorBits().fit(table)
    assert bits.columns_.tolist() == [0, 1, 1]  # the constant column says nothing
    assert bits.thresholds_.tolist() == [0.5, 5.5, 7.0]
    assert bits.names(("near", "far", "same"))[0] == "near > 0.50"
    many = DescriptorBits(4).fit(np.random.default_rng(0).normal(size=(500, 1)))
    shares = many.transform(np.random.default_rng(1).normal(size=(2000, 1))).mean(axis=0)
    assert np.asarray(shares).ravel() == pytest.approx([0.8, 0.6, 0.4, 0.2], abs=0.06)


def test_descriptor_bits_refuse_damaged_arrays():
    arrays = DescriptorBits().fit(np.eye(3)).to_arrays()
    with pytest.raises(ModelFileError):
        DescriptorBits.from_arrays({**arrays, "columns": arrays["columns"] + 7})
    with pytest.raises(ModelFileError):
        DescriptorBits.from_arrays({**arrays, "thresholds": arrays["thresholds"][:-1]})
