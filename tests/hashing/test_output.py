"""Bits, packed codes and names of features."""

from __future__ import annotations

import pytest

from relhash.hashing import unpack
from tests.hashing.short_fits import learn


def test_packed_codes_are_the_bits(plane):
    learner = learn(*plane)
    assert (unpack(learner.codes(plane[1]), 24) == learner.transform(plane[1])).all()


def test_names_and_data_frames(plane):
    pytest.importorskip("pandas")
    learner = learn(*plane).set_output(transform="pandas")
    frame = learner.transform(plane[1])
    assert frame.columns.tolist() == learner.get_feature_names_out().tolist()
    assert frame.columns[0] == "hashcodelearner0"
