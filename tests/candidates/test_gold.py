"""Which pairs the annotation of a document states."""

from __future__ import annotations

from dataclasses import replace

from relhash.candidates import PairPolicy, candidates
from relhash.corpus import Relation
from relhash.corpus.document import Argument
from tests.candidates.drawn_sentences import draw


def test_undirected_relations_hold_in_both_directions():
    document = draw("Ras binds Raf", names=["Ras", "Raf"], related=[(2, 1)])
    assert [c.is_positive for c in candidates([document], PairPolicy(directed=True))] == [True, True]


def test_equivalent_mentions_stand_for_each_other():
    document = draw("Ras ( H-Ras ) binds Raf", names=["Ras", "H-Ras", "Raf"], related=[(1, 3)])
    every = PairPolicy(synonym_pairs=True)
    assert [c.is_positive for c in candidates([document], every)] == [False, True, False]
    aliased = replace(document, equivalences=(("T1", "T2"),))
    assert [c.is_positive for c in candidates([aliased], every)] == [False, True, True]


def test_a_nested_event_stands_for_its_participants():
    document = draw("Ras induces binding of Raf to MEK", names=["Ras", "Raf", "MEK"])
    events = (
        Relation("E1", "Regulation", (Argument("Cause", "T1"), Argument("Theme", "E2"))),
        Relation("E2", "Binding", (Argument("Theme", "T2"), Argument("Theme2", "T3"))),
    )
    found = {c.key: c.relations for c in candidates([replace(document, relations=events)])}
    assert found == {"d|T1|T2": ("Regulation",), "d|T1|T3": ("Regulation",), "d|T2|T3": ("Binding",)}


def test_events_that_contain_each_other_end():
    document = draw("Ras and Raf", names=["Ras", "Raf"])
    events = (
        Relation("E1", "Regulation", (Argument("Cause", "T1"), Argument("Theme", "E2"))),
        Relation("E2", "Regulation", (Argument("Cause", "T2"), Argument("Theme", "E1"))),
    )
    assert [c.is_positive for c in candidates([replace(document, relations=events)])] == [True]
