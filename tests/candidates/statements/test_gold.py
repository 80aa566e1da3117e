"""What an annotation states."""

from __future__ import annotations

from dataclasses import replace

from relhash.candidates.statements import InteractionPolicy, gold_interactions, interaction_candidates, interaction_type
from tests.candidates.statements.drawn_interactions import BINDING, LEXICON, annotated, event, trigger


def test_a_nested_event_is_about_its_proteins() -> None:
    document = annotated(
        BINDING,
        [("T4", "promotes", "Positive_regulation"), ("T5", "binding", "Binding")],
        [
            event("E1", "Binding", "T5", Theme="T2", Theme2="T3"),
            event("E2", "Positive_regulation", "T4", Theme="E1", Cause="T1"),
        ],
    )
    stated = {(one.type, tuple(sorted(one.roles))) for one in gold_interactions(document).stated}
    assert stated == {
        ("Binding", (("theme", "T2"), ("theme", "T3"))),
        ("Binding", (("cause", "T1"), ("theme", "T2"), ("theme", "T3"))),
        ("Positive_regulation", (("cause", "T1"), ("theme", "T2"))),
        ("Positive_regulation", (("cause", "T1"), ("theme", "T3"))),
    }
    policy = InteractionPolicy(LEXICON.extended({"Binding": ["binding"]}))
    found = list(interaction_candidates([document], policy))
    assert sum(c.is_positive for c in found) == 4
    assert all(c.relations == (interaction_type(c),) for c in found if c.is_positive)


def test_gold_needs_the_right_trigger_roles_and_type() -> None:
    document = annotated(BINDING, [("T5", "binding", "Binding")], [event("E1", "Regulation", "T5", Theme="T2", Cause="T3")])
    gold = gold_interactions(document)
    here, elsewhere = trigger(document, "x", "binding", "Binding"), trigger(document, "y", "promotes", "Binding")
    assert gold.states("Regulation", {"theme": "T2", "cause": "T3"}, here)
    assert not gold.states("Regulation", {"theme": "T2", "cause": "T3"}, elsewhere)
    assert not gold.states("Regulation", {"theme": "T3", "cause": "T2"}, here)
    assert not gold.states("Binding", {"theme": "T2", "cause": "T3"}, here)


def test_equivalent_mentions_circles_sites_and_other_relations() -> None:
    document = replace(
        annotated(
            BINDING,
            [("T5", "binding", "Binding")],
            [
                event("E1", "Regulation", "T5", Theme="T2", Cause="T3", Site="T1"),
                event("E2", "Regulation", "T5", Theme="E3", Cause="T1"),
                event("E3", "Regulation", "T5", Theme="E2"),
                event("R1", "Coreference", None, Subject="T1", Object="T2"),
            ],
        ),
        equivalences=(("T2", "T1"),),
    )
    gold = gold_interactions(document)
    assert {one.relation for one in gold.stated} == {"E1"}
    assert gold.states("Regulation", {"theme": "T1", "cause": "T3"})
    assert gold.states("Regulation", {"theme": "T2", "cause": "T3", "site": "T1"})
    assert not gold.states("Regulation", {"theme": "T2", "cause": "T3", "site": "T3"})
