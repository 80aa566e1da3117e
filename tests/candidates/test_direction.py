"""Directions come from roles, whatever the order of the arguments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.candidates import PairPolicy, candidates
from relhash.candidates.gold import runs
from relhash.candidates.statements import gold_interactions
from relhash.corpus import Relation
from relhash.corpus.document import Argument
from tests.candidates.drawn_sentences import draw


@pytest.mark.parametrize("names", [("Cause", "Theme"), ("agent", "patient"), ("catalyst", "affected"), ("Source", "Target")])
@pytest.mark.parametrize("listed", [0, 1])
def test_a_relation_runs_from_cause_to_theme_in_any_order(names, listed):
    """BioNLP lists the theme first: "PTEN activates Cdc42" came out as Cdc42 → PTEN."""
    document = draw("PTEN activates Cdc42", names=["PTEN", "Cdc42"])
    arguments = [Argument(names[0], "T1"), Argument(names[1], "T2")]
    event = Relation("E1", "Positive_regulation", tuple(arguments[::-1] if listed else arguments))
    found = candidates([replace(document, relations=(event,))], PairPolicy(directed=True))
    assert [c.key for c in found if c.is_positive] == ["d|T1|T2"]
    stated = gold_interactions(replace(document, relations=(event,))).stated
    assert [sorted(one.roles) for one in stated] == [[("cause", "T1"), ("theme", "T2")]]


def test_roles_that_say_nothing_run_both_ways():
    assert runs("Chemical", "Disease") == (True, True)
    assert runs("Theme", "Theme2") == runs("e1", "e2") == (True, True)
    assert runs("Arg2", "Arg1") == (False, True)
