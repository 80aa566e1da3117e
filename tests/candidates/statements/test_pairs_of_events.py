"""Events as pairs of proteins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.candidates import PairPolicy, candidates
from relhash.candidates.statements import pairs_of_events
from relhash.corpus import Attribute, Relation
from relhash.corpus.document import Argument
from relhash.errors import ParameterError
from tests.candidates.drawn_sentences import draw


def affected(*, marks=()):
    """A does not affect binding of B to C."""
    document = draw(
        "A does not affect binding of B to C in cells",
        names=["A", "B", "C", "affect", "binding", "cells"],
        kinds=["Protein", "Protein", "Protein", "Regulation", "Binding", "Entity"],
    )
    triggers = tuple(replace(m, is_trigger=True) if m.text in ("affect", "binding") else m for m in document.mentions)
    events = (
        Relation("E1", "Binding", (Argument("Theme", "T3"), Argument("Theme2", "T2"), Argument("Site", "T6")), "T5"),
        Relation("E2", "Regulation", (Argument("Theme", "E1"), Argument("Cause", "T1")), "T4"),
    )
    attributes = tuple(Attribute(f"M{n}", kind, target) for n, (kind, target) in enumerate(marks))
    return replace(document, mentions=triggers, relations=events, attributes=attributes)


def found(document, **options):
    (made,) = pairs_of_events([document], **options)
    made.check()
    denied = {attribute.target for attribute in made.attributes}
    return {relation.targets: relation.id in denied for relation in made.relations}, made


def test_a_nested_event_joins_its_participants_with_the_cause():
    pairs, made = found(affected())
    assert pairs == {("T1", "T2"): False, ("T1", "T3"): False, ("T2", "T3"): False}
    assert [mention.text for mention in made.mentions] == ["A", "B", "C"]
    assert {relation.type for relation in made.relations} == {"interaction"}
    assert all(candidate.is_positive for candidate in candidates([made]))


def test_only_the_pairs_of_the_negated_event_are_negated():
    document = affected(marks=[("Negation", "E2"), ("Speculation", "E1")])
    assert found(document)[0] == {("T2", "T3"): False}
    assert found(document, negated="mark")[0] == {("T1", "T2"): True, ("T1", "T3"): True, ("T2", "T3"): False}
    assert found(document, negated="count")[0] == dict.fromkeys([("T1", "T2"), ("T1", "T3"), ("T2", "T3")], False)


def test_one_event_that_states_a_pair_is_enough():
    document = affected(marks=[("Negation", "E2")])
    again = Relation("E3", "Binding", (Argument("Theme", "T1"), Argument("Theme2", "T2")))
    assert found(replace(document, relations=(*document.relations, again)))[0] == {("T1", "T2"): False, ("T2", "T3"): False}


def test_two_names_of_one_protein_stand_for_each_other_and_do_not_interact():
    event = Relation("E1", "Binding", (Argument("Theme", "T1"), Argument("Theme2", "T3")))
    document = draw("Ras ( H-Ras ) binds Raf", names=["Ras", "H-Ras", "Raf"])
    pairs, made = found(replace(document, relations=(event,), equivalences=(("T1", "T2"),)))
    assert list(pairs) == [("T1", "T3"), ("T2", "T3")]
    every = PairPolicy(synonym_pairs=True)
    assert [candidate.is_positive for candidate in candidates([made], every)] == [False, True, True]
    assert [candidate.is_positive for candidate in candidates([made])] == [True, True]  # by text, too, they are one thing


def test_an_unknown_switch_is_refused():
    with pytest.raises(ParameterError, match="negated='drop'"):
        list(pairs_of_events([affected()], negated="drop"))
