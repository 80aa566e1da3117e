from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from relhash.hashing.splits import TermWeights, all_splits, find_split
from tests.hashing.random_objectives import objective


@pytest.mark.parametrize(("weights", "left_out"), [(TermWeights(entropy=0.0), 0), (TermWeights(redundancy=0.0), 1)])
@pytest.mark.parametrize("search", ["exhaustive", "mcmc"])
def test_a_term_can_be_left_out(weights, left_out, search):
    whole = objective(6, seed=3)
    part = copy(whole)
    part.term_weights = weights
    splits = all_splits(6)
    terms = whole.terms(splits)
    expected = -terms[:, 1] if left_out == 0 else terms[:, 0]
    np.testing.assert_allclose(part(splits), expected)
    found = find_split(search, part, np.random.default_rng(0))
    assert part(found[None])[0] == pytest.approx(expected.max())
