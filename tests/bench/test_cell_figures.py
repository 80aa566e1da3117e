"""What is counted in a cell."""

from __future__ import annotations

import numpy as np

from relhash.bench.runner import by_pair, with_unreached


def test_a_pair_is_related_if_one_of_its_candidates_is():
    gold, scores, given = by_pair(
        np.array([5, 2, 5]), np.array([False, False, True]), np.array([0.3, 0.2, 0.1]), np.array([True, False, False])
    )
    assert (gold.tolist(), scores.tolist(), given.tolist()) == ([False, True], [0.2, 0.3], [False, True])


def test_relations_that_no_candidate_reaches_are_missed():
    gold, scores, given = with_unreached(2, np.array([True, False]), np.array([-0.5, 0.9]), np.array([True, True]))
    assert (gold.tolist(), given.tolist()) == ([True, False, True, True], [True, True, False, False])
    assert scores[2:].max() < scores[:2].min()
