"""Bits, packed codes, α-way codes and names of features."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.hashing import unpack
from tests.hashing.short_fits import learn


def test_packed_codes_are_the_bits(plane):
    learner = learn(*plane)
    assert (unpack(learner.codes(plane[1]), 24) == learner.transform(plane[1])).all()


def test_nearest_codes_and_one_hot(plane):
    learner = learn(*plane, output="nearest")
    nearest, features = learner.nearest_codes(plane[1]), learner.transform(plane[1])
    sizes = [function.n_references for function in learner.functions_]
    assert features.shape == (120, sum(sizes))
    assert (features.sum(axis=1) == 24).all()
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    dense = features.toarray()
    assert all(dense[i, starts[bit] + nearest[i, bit]] for i in range(120) for bit in range(24))
    for bit, function in enumerate(learner.functions_):
        assert (function.split[nearest[:, bit]] == learner._bits(plane[1])[:, bit]).all()


def test_names_and_data_frames(plane):
    pytest.importorskip("pandas")
    learner = learn(*plane).set_output(transform="pandas")
    frame = learner.transform(plane[1])
    assert frame.columns.tolist() == learner.get_feature_names_out().tolist()
    assert frame.columns[0] == "hashcodelearner0"
    both = learn(*plane, output="both")
    assert len(both.get_feature_names_out()) == both.transform(plane[1]).shape[1]
