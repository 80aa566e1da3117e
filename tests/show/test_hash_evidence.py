from __future__ import annotations

import numpy as np
import pytest

from relhash.hashing.hamming import unpack
from relhash.model import RelationExtractor
from relhash.model.judging import Prepared
from relhash.show.reasons import functions_near, readable_function
from tests.model.conftest import part


@pytest.fixture(scope="module")
def model():
    given = {"views": ("path+edges", "descriptors"), "learner": {"n_bits": 10, "split": "random"}, "classifier": "linear"}
    return RelationExtractor("KLSH-NU-RF", **given).fit(part("abstracts", 20)).fitted


@pytest.fixture(scope="module")
def structures(model):
    return Prepared(model, model.candidates(part("fulltext", 5))).structures


def test_the_side_is_the_bit(model, structures):
    bits = unpack(model.features.code.learner.codes(structures[:5]), 10)
    for row in range(5):
        shown = [readable_function(model, bit, structures[[row]]) for bit in range(10)]
        np.testing.assert_array_equal([one.side for one in shown], bits[row])


def test_every_reference_stands_on_its_side(model, structures):
    one = readable_function(model, 3, structures[[0]])
    function = model.features.code.learner.functions_[3]
    assert [len(side) for side in one.sides] == [(function.split == side).sum() for side in (0, 1)]
    assert all(text and 0 <= near <= 1 + 1e-6 for side in one.sides for text, near in side)


def test_nearest_functions_compare_paths_that_people_can_read(model, structures):
    found = functions_near(model, structures[[0]], 3)
    assert {one.view for one in found} == {"path+edges"}
    best = [max(near for side in one.sides for _, near in side) for one in found]
    assert best == sorted(best, reverse=True)
    nearest = [text for one in found for side in one.sides for text, near in side if near == best[0]]
    assert all("<E1>" in text or "<E2>" in text for text in nearest)
