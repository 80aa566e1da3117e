"""Interactions written back as events."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relhash
from relhash.candidates.candidate import Candidate
from relhash.candidates.statements import (
    InteractionPolicy,
    gold_interactions,
    interaction_candidates,
    interaction_type,
    participants,
    with_interactions,
)
from relhash.errors import StructureError
from relhash.language.amr.documents import amr_document
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import BINDING, LEXICON, POLICY, RAS_RAF, annotated, event, shown


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


FOXP3 = draw(
    "IL-4 induced expression of FOXP3",
    "induced nsubj IL-4, induced dobj expression, expression prep_of FOXP3",
    ["IL-4", "FOXP3"],
)


def events_of(accepted: list[Candidate]) -> list[tuple[str, dict[str, str]]]:
    return [(one.type, dict(one.roles)) for one in with_interactions(FOXP3, accepted).relations]


def test_a_regulation_is_nested_around_the_event_on_its_way_to_the_theme(tmp_path: Path) -> None:
    words = LEXICON.extended({"Gene_expression": ["expression"], "Positive_regulation": ["induced"]})
    policy = InteractionPolicy(words, one_participant=True)
    found = {(c.supposed_type, tuple(shown(c)[1].items())): c for c in interaction_candidates([FOXP3], policy)}
    induced = found["Positive_regulation", (("cause", "IL-4"), ("theme", "FOXP3"))]
    alone = found["Gene_expression", (("theme", "FOXP3"),)]
    by_il4 = found["Gene_expression", (("cause", "IL-4"), ("theme", "FOXP3"))]
    nested = [("Gene_expression", {"Theme": "T2"}), ("Positive_regulation", {"Theme": "E1", "Cause": "T1"})]
    assert events_of([induced, alone]) == nested
    assert events_of([by_il4, induced]) == events_of([induced, by_il4, alone]) == nested
    assert events_of([induced]) == [("Positive_regulation", {"Theme": "T2", "Cause": "T1"})]
    relhash.write([with_interactions(FOXP3, [by_il4, induced])], tmp_path / "out", "bionlp")
    (again,) = relhash.read(tmp_path / "out", "bionlp")
    stated = {(one.type, tuple(sorted(one.roles))) for one in gold_interactions(again).stated}
    assert stated == {(kind, (("cause", "T1"), ("theme", "T2"))) for kind in ("Gene_expression", "Positive_regulation")}


def test_negation_and_speculation_are_lines_of_their_own(tmp_path: Path) -> None:
    accepted = [c for c in interaction_candidates([BINDING], POLICY) if shown(c)[1] == {"cause": "Grb2", "theme": "Ras"}]
    marked = with_interactions(BINDING, accepted, {accepted[0].key: [("Negation", "")]})
    relhash.write([marked], tmp_path / "out", "bionlp")
    assert "M1\tNegation E1" in (tmp_path / "out" / "d.a2").read_text().splitlines()


CHAIN = draw(
    "IL-4 and TNF induced phosphorylation and binding of FOXP3 to Ras",
    "induced nsubj IL-4, IL-4 conj_and TNF, induced dobj phosphorylation, phosphorylation conj_and binding, "
    "phosphorylation prep_of FOXP3, binding prep_of FOXP3, binding prep_to Ras",
    ["IL-4", "TNF", "FOXP3", "Ras"],
)
CHAIN_WORDS = LEXICON.extended(
    {"Phosphorylation": ["phosphorylation"], "Binding": ["binding"], "Positive_regulation": ["induced"]}
)
POSSIBLE = list(interaction_candidates([CHAIN], InteractionPolicy(CHAIN_WORDS, one_participant=True)))
CAUSED = draw(
    "activation of ERK by TNF induced expression of FOXP3",
    "induced nsubj activation, activation prep_of ERK, activation prep_by TNF, induced dobj expression, "
    "expression prep_of FOXP3",
    ["ERK", "TNF", "FOXP3"],
)
CAUSED_WORDS = LEXICON.extended({"Gene_expression": ["expression"], "Positive_regulation": ["induced", "activation"]})
CAUSES = list(interaction_candidates([CAUSED], InteractionPolicy(CAUSED_WORDS, one_participant=True)))


def said(document: relhash.Document) -> set[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Type, trigger word, and participants by role, of everything that the events of a document state."""
    gold = gold_interactions(document)
    return {
        (one.type, document.mention_by_id[one.trigger or ""].text, tuple(sorted(one.roles)))
        for one in (*gold.stated, *gold.alone)
    }


@given(st.sampled_from([POSSIBLE, CAUSES]), st.sets(st.integers(0, 60), max_size=8))
@settings(max_examples=80, deadline=None)
def test_what_is_written_is_read_back_as_the_same_interactions(possible: list[Candidate], chosen: set[int]) -> None:
    accepted = [possible[number] for number in sorted({number % len(possible) for number in chosen})]
    written = with_interactions(possible[0].document, accepted)
    for format, name in (("bionlp", "out"), ("brat", "out.ann")):
        with TemporaryDirectory() as folder:
            relhash.write([written], Path(folder) / name, format)
            (again,) = relhash.read(Path(folder) / name, format)
        assert said(again) == said(written)
    gold = gold_interactions(written)
    for candidate in accepted:
        roles = {role: mention.id for role, mention in participants(candidate).items()}
        assert gold.states(interaction_type(candidate), roles, candidate.trigger)
    # what is read beyond the accepted is implied by it: a cause of one is that of a Positive_regulation, and the other way
    words = {(candidate.trigger.text if candidate.trigger else "") for candidate in accepted}
    mentions = {mention.id for candidate in accepted for mention in participants(candidate).values()}
    for _, word, roles in said(written):
        assert word in words
        assert {mention for _, mention in roles} <= mentions
