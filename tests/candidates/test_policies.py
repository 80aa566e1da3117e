"""The contract of candidate policies, as a model file and the command line use it."""

from __future__ import annotations

import json

import pytest

from relhash.candidates import PairPolicy
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.statements import InteractionPolicy, TriggerLexicon
from relhash.candidates.statements.open_policy import OpenPolicy
from relhash.errors import ModelFileError, ParameterError

POLICIES = (
    PairPolicy(),
    PairPolicy([("protein", "chemical")], directed=True, self_pairs=True, unsplit="document", max_pairs_per_sentence=77),
    PairPolicy(directed=True, both_ways=["Binding"]),
    InteractionPolicy(TriggerLexicon().extended({"Binding": ["binds"]}), entity_types=("protein",), max_distance=3),
)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.kind)
def test_a_policy_comes_back_from_json_as_it_was(policy):
    assert CandidatePolicy.from_dict(json.loads(json.dumps(policy.to_dict()))) == policy


def test_an_unknown_kind_is_refused():
    with pytest.raises(ModelFileError, match="triples"):
        CandidatePolicy.from_dict({"kind": "triples"})


def test_the_bound_is_for_pairs_and_interactions():
    assert PairPolicy(directed=True).with_max_pairs(5) == PairPolicy(directed=True, max_pairs_per_sentence=5)
    with pytest.raises(ParameterError, match="--max-pairs"):
        OpenPolicy().with_max_pairs(5)
