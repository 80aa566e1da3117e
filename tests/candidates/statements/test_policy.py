"""Which interactions are candidates."""

from __future__ import annotations

import pytest

from relhash.candidates.statements import InteractionPolicy, TriggerLexicon, interaction_candidates, interaction_type
from relhash.errors import ParameterError
from relhash.language.amr.documents import amr_document
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import BINDING, LEXICON, POLICY, RAS_RAF, annotated, event, shown


def test_an_open_list_of_types_takes_every_frame() -> None:
    found = interaction_candidates([amr_document(RAS_RAF)], InteractionPolicy(open_types=True))
    assert {interaction_type(c) for c in found} == {"catalyze", "activate", "phosphorylate"}


def test_sites_take_part_only_as_sites() -> None:
    document = draw(
        "Ras phosphorylates Raf at Ser338",
        "phosphorylates nsubj Ras, phosphorylates dobj Raf, phosphorylates prep_at Ser338",
        ["Ras", "Raf", "Ser338"],
        kinds=["protein", "protein", "Entity"],
    )
    policy = InteractionPolicy(LEXICON, signatures={"Phosphorylation": (("cause", "theme"), ("cause", "theme", "site"))})
    found = [shown(c)[1] for c in interaction_candidates([document], policy)]
    assert {"cause": "Ras", "theme": "Raf", "site": "Ser338"} in found
    assert all(roles.get("site", "Ser338") == "Ser338" and "Ser338" not in (roles["cause"], roles["theme"]) for roles in found)


@pytest.mark.parametrize(
    "wrong",
    [
        {"lexicon": TriggerLexicon()},
        {"max_candidates": 0},
        {"signatures": {"Binding": (("theme", "theme"),)}},
        {"signatures": {"Binding": (("agent",),)}},
    ],
)
def test_a_policy_that_cannot_work_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        InteractionPolicy(**({"lexicon": LEXICON} | wrong))  # type: ignore[arg-type]


def test_a_policy_learns_its_words_and_who_takes_part() -> None:
    document = annotated(
        BINDING, [("T9", "binding", "Binding")], [event("E1", "Binding", "T9", Theme="T2", Theme2="T3", Cause="T1")]
    )
    policy = InteractionPolicy()
    with pytest.raises(ParameterError, match="fit a model"):
        list(interaction_candidates([document], policy))
    fitted = policy.fitted([document])
    assert any(candidate.is_positive for candidate in interaction_candidates([document], fitted))
    assert fitted.entity_types == ("protein",)
    assert POLICY.fitted([document]) is POLICY
    with pytest.raises(ParameterError, match="states no interaction"):
        policy.fitted([BINDING])
