"""Interactions written back as events."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.errors import StructureError
from relhash.language.amr.documents import amr_document
from relhash.structures.interactions import (
    InteractionPolicy,
    gold_interactions,
    interaction_candidates,
    interaction_type,
    participants,
    with_interactions,
)
from tests.structures.interactions.drawn_interactions import BINDING, LEXICON, POLICY, RAS_RAF, annotated, event, shown


def test_accepted_candidates_become_events_and_come_back_from_a2(tmp_path: Path) -> None:
    policy = InteractionPolicy(LEXICON.extended({"Binding": ["binding"]}))
    wanted = [
        ("Binding", {"cause": "Grb2", "theme": "Ras", "theme2": "Raf"}),
        ("Positive_regulation", {"cause": "Grb2", "theme": "Ras"}),
    ]
    accepted = [c for c in interaction_candidates([BINDING], policy) if shown(c) in wanted]
    relhash.write([with_interactions(BINDING, accepted)], tmp_path / "out", "bionlp")
    assert (tmp_path / "out" / "d.a2").read_text().splitlines() == [
        "T4\tPositive_regulation 5 13\tpromotes",
        "T5\tBinding 14 21\tbinding",
        "T6\tPositive_regulation 14 21\tbinding",
        "E1\tPositive_regulation:T4 Theme:T2 Cause:T1",
        "E2\tBinding:T5 Theme:T2 Theme2:T3",
        "E3\tPositive_regulation:T6 Theme:E2 Cause:T1",
    ]
    (again,) = relhash.read(tmp_path / "out", "bionlp")
    gold = gold_interactions(again)
    for candidate in accepted:
        roles = {role: mention.id for role, mention in participants(candidate).items()}
        assert gold.states(interaction_type(candidate), roles, candidate.mentions[candidate.roles.index("trigger")])


def test_events_replace_the_annotated_ones_and_belong_to_their_document() -> None:
    document = annotated(BINDING, [("T5", "binding", "Binding")], [event("E1", "Binding", "T5", Theme="T2")])
    emptied = with_interactions(document, [])
    assert emptied.relations == ()
    assert [mention.id for mention in emptied.mentions] == ["T1", "T2", "T3"]
    (other, *_) = interaction_candidates([amr_document(RAS_RAF)], POLICY)
    with pytest.raises(StructureError, match="not of document"):
        with_interactions(document, [other])
