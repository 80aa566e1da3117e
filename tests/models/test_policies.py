"""The policy of candidates in a model file."""

from __future__ import annotations

import pytest

from relhash.errors import ParameterError
from relhash.models.policies import policy_from_dict, policy_to_dict, with_max_pairs
from relhash.structures import CandidatePolicy
from relhash.structures.interactions import InteractionPolicy


def test_the_bound_on_pairs_is_kept_and_older_files_have_the_usual_one():
    stored = policy_to_dict(CandidatePolicy(max_pairs_per_sentence=77))
    assert policy_from_dict(stored).max_pairs_per_sentence == 77
    del stored["max_pairs_per_sentence"]
    assert policy_from_dict(stored) == CandidatePolicy()


def test_the_bound_is_for_pairs():
    assert with_max_pairs(CandidatePolicy(directed=True), 5) == CandidatePolicy(directed=True, max_pairs_per_sentence=5)
    with pytest.raises(ParameterError, match="--max-pairs"):
        with_max_pairs(InteractionPolicy(), 5)
