"""What the classifier sees."""

from __future__ import annotations

from relhash.biomed.assertion import features
from relhash.biomed.cues import CueScope, Statement
from tests.biomed.test_assertion import drawn


def test_where_a_cue_attaches_is_named_with_and_without_its_word():
    scope = CueScope.of(drawn("A does not bind B", "3 nsubj 0, 3 aux 1, 3 neg 2, 3 dobj 4"))
    found = features(scope, Statement((3,), (0, 4)))
    assert {"negation head neg>", "not head neg>", "not head v", "rule negation", "rule not", "not right before head"} <= found


def test_a_statement_without_cues_has_no_features():
    assert features(CueScope.of(drawn("A binds B", "1 nsubj 0, 1 dobj 2")), Statement((1,), (0, 2))) == set()
