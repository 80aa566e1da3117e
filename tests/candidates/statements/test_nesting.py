"""Which event is inside which."""

from __future__ import annotations

from relhash.candidates.statements import InteractionPolicy, interaction_candidates
from relhash.candidates.statements.output import Plan, plans_of
from relhash.corpus import Document
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import LEXICON, shown

WORDS = LEXICON.extended(
    {"Gene_expression": ["expression"], "Positive_regulation": ["induced", "activation"], "Negative_regulation": ["blocked"]}
)
ACTIVATION = draw(
    "activation of ERK induced expression of FOXP3",
    "induced nsubj activation, activation prep_of ERK, induced dobj expression, expression prep_of FOXP3",
    ["ERK", "FOXP3"],
)


def plans(document: Document, *wanted: tuple[str, str, dict[str, str]]) -> dict[str, Plan]:
    """The events of candidates given by their word, type and participants, by their words."""
    policy = InteractionPolicy(WORDS, one_participant=True)
    found = [c for c in interaction_candidates([document], policy) if c.trigger and (c.trigger.text, *shown(c)) in wanted]
    assert len(found) == len(wanted)
    return {plan.word.text: plan for plan in plans_of(found)}


def test_a_regulation_without_a_cause_is_nested_like_others() -> None:
    """It never was around an event of one theme: no cause was taken for the missing second theme."""
    made = plans(
        ACTIVATION,
        ("induced", "Positive_regulation", {"theme": "FOXP3"}),
        ("expression", "Gene_expression", {"theme": "FOXP3"}),
    )
    assert made["induced"].inner == {"theme": made["expression"]}


def test_an_event_can_be_the_cause() -> None:
    made = plans(
        ACTIVATION,
        ("induced", "Positive_regulation", {"cause": "ERK", "theme": "FOXP3"}),
        ("expression", "Gene_expression", {"theme": "FOXP3"}),
        ("activation", "Positive_regulation", {"theme": "ERK"}),
    )
    assert made["induced"].inner == {"theme": made["expression"], "cause": made["activation"]}
    assert list(made)[-1] == "induced"  # after what it is nested around


def test_a_cause_is_said_once() -> None:
    """*A induced the activation of B* is no activation by A inside an induction by A."""
    made = plans(
        draw("IL-4 induced activation of FOXP3", "induced nsubj IL-4, induced dobj activation, activation prep_of FOXP3",
             ["IL-4", "FOXP3"]),
        ("induced", "Positive_regulation", {"cause": "IL-4", "theme": "FOXP3"}),
        ("activation", "Positive_regulation", {"cause": "IL-4", "theme": "FOXP3"}),
    )  # fmt: skip
    assert "cause" in made["induced"].roles
    assert "cause" not in made["activation"].roles


def test_an_event_a_little_off_the_way_counts_and_one_far_off_does_not() -> None:
    words = [
        ("blocked", "Negative_regulation", {"theme": "FOXP3"}),
        ("expression", "Gene_expression", {"theme": "FOXP3"}),
    ]
    near = draw("blocked expression FOXP3", "blocked dobj FOXP3, FOXP3 dep expression", ["FOXP3"])
    made = plans(near, *words)
    assert made["blocked"].inner == {"theme": made["expression"]}
    arcs = "blocked dobj FOXP3, FOXP3 dep in, in dep our, our dep own, own dep expression"
    far = plans(draw("blocked FOXP3 in our own expression", arcs, ["FOXP3"]), *words)
    assert far["blocked"].inner == far["expression"].inner == {}
