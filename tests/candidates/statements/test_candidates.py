"""Interactions with roles and types as candidates."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.candidates import build_structures
from relhash.candidates.statements import (
    InteractionPolicy,
    TriggerLexicon,
    interaction_candidates,
    interaction_type,
    participants,
    role_views,
)
from relhash.candidates.statements.open_policy import OpenPolicy
from relhash.corpus import Dependency, Document
from relhash.errors import StructureError
from relhash.language.amr.documents import amr_document
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import BINDING, POLICY, RAS_RAF, annotated, event, shown


def test_the_papers_figure_from_an_amr_string_to_labelled_candidates() -> None:
    """Ras catalyses the phosphorylation of Raf; that Ras activates Raf is not what the sentence says."""
    document = amr_document(RAS_RAF)
    gold = annotated(
        document, [("T3", "phosphorylation", "Phosphorylation")], [event("E1", "Phosphorylation", "T3", Theme="T2", Cause="T1")]
    )
    found = list(interaction_candidates([gold], POLICY))
    assert {(shown(c)[1]["cause"], shown(c)[1]["theme"], shown(c)[0], c.is_positive) for c in found} == {
        ("Ras", "Raf", "Phosphorylation", True),
        ("Raf", "Ras", "Phosphorylation", False),
        ("Ras", "Raf", "Activation", False),
        ("Raf", "Ras", "Activation", False),
    }
    valid = next(c for c in found if c.is_positive)
    assert valid.key == "figure1|cause=T1|theme=T2|trigger=Phosphorylation@28-43"
    structures = build_structures([valid], role_views(["cause", "theme", "theme2"]))
    assert structures["role(theme)"][0] == ["<PHOSPHORYLATION>", "phosphorylate", "ARG1>", "<THEME>"]
    assert structures["role(cause)"][0] == [
        "<PHOSPHORYLATION>", "phosphorylate", "<ARG1", "catalyze", "ARG0>", "<CAUSE>",
    ]  # fmt: skip
    assert structures["role(theme2)"][0] == ["<NO_THEME2>"]
    assert structures["role(cause,theme)"][0] == ["<NO_CAUSE_THEME>"]  # joined only through the trigger


def test_a_protein_that_only_names_cells_is_in_no_interaction_and_may_be_all_of_an_event() -> None:
    drawn = draw(
        "IL-4 activates IL-2 in CD4 cells", "activates nsubj IL-4, activates dobj IL-2, activates prep_in cells, cells nn CD4",
        ["IL-4", "IL-2", "CD4"],
    )  # fmt: skip
    found = [set(shown(c)[1].values()) for c in interaction_candidates([drawn], replace(POLICY, one_participant=True))]
    assert {"IL-4", "IL-2"} in found
    assert [names for names in found if "CD4" in names] == [{"CD4"}]
    open_types = [{m.text for m in participants(c).values()} for c in OpenPolicy(max_distance=9).candidates([drawn])]
    assert not any("CD4" in names for names in open_types)


def test_a_bound_that_is_asked_for_is_the_only_one() -> None:
    doubtful = replace(POLICY, max_doubt=0.5)
    assert not list(interaction_candidates([BINDING], doubtful))
    everything = list(interaction_candidates([BINDING], POLICY.with_max_pairs(1000)))
    assert len(everything) > 2
    assert list(interaction_candidates([BINDING], doubtful.with_max_pairs(1000))) == everything
    fewer = list(interaction_candidates([BINDING], doubtful.with_max_pairs(2)))
    assert len(fewer) == 2
    assert {one.key for one in fewer} < {one.key for one in everything}


def test_three_participants_and_two_themes_without_order() -> None:
    found = [
        shown(c)
        for c in interaction_candidates([BINDING], InteractionPolicy(TriggerLexicon().extended({"Binding": ["binding"]})))
    ]
    assert ("Binding", {"theme": "Ras", "theme2": "Raf"}) in found
    assert ("Binding", {"cause": "Grb2", "theme": "Ras", "theme2": "Raf"}) in found
    assert len(found) == 3 + 3
    assert all(roles["theme"] != "Raf" for _, roles in found)


def test_a_long_sentence_does_not_explode() -> None:
    names = [f"P{number}x" for number in range(60)]
    words = [word for name in names for word in (name, "binds", "activates")]
    text = " ".join(words)
    tokens = len(words)
    document = draw(text, "", names)
    chain = tuple(Dependency(number, number + 1, "dep") for number in range(tokens - 1))
    sentence = replace(document.sentences[0], dependencies=chain, parser="chain")
    start = time.thread_time()
    found = list(interaction_candidates([replace(document, sentences=(sentence,))], replace(POLICY, max_candidates=50)))
    assert len(found) == 50
    assert time.thread_time() - start < 120  # all of them would be hours
    assert len({c.key for c in found}) == 50
    steps = [abs(m.start - n.start) for c in found for m in c.mentions for n in c.mentions]
    assert max(steps) < len(text) / 10  # the nearest stay


@st.composite
def drawn_documents(draw_from: st.DrawFn) -> Document:
    """A sentence of entities, triggers and other words, under a random tree (or forest)."""
    words = draw_from(st.lists(st.sampled_from(["E", "binds", "activates", "induces", "the"]), min_size=1, max_size=14))
    words = [f"P{number}" if word == "E" else word for number, word in enumerate(words)]
    document = draw(" ".join(words), "", [word for word in words if word.startswith("P")])
    arcs = [
        Dependency(draw_from(st.integers(0, number - 1)), number, draw_from(st.sampled_from(["nsubj", "dobj", "prep_of"])))
        for number in range(1, len(words))
        if draw_from(st.integers(0, 9))
    ]
    return replace(document, sentences=(replace(document.sentences[0], dependencies=tuple(arcs), parser="drawn"),))


@settings(deadline=None)  # dozens of candidates, each built alone: on a busy machine more than 200 ms
@given(drawn_documents(), drawn_documents(), st.integers(1, 30))
def test_candidates_of_any_sentence_are_sound(first: Document, second: Document, bound: int) -> None:
    policy = replace(POLICY, max_candidates=bound, max_distance=4, max_participants=3)
    found = list(interaction_candidates([first, second], policy))
    assert found == [*interaction_candidates([first], policy), *interaction_candidates([second], policy)]
    of_first = [c for c in found if c.document is first]
    assert len(of_first) <= bound
    assert len({c.key for c in of_first}) == len(of_first)
    for candidate in found:
        kind, members = interaction_type(candidate), participants(candidate)
        assert tuple(sorted(members)) in [tuple(sorted(roles)) for roles in policy.signatures.get(kind, (("cause", "theme"),))]
        assert len(set(members.values())) == len(members)
        spans = [mention.spans for mention in candidate.mentions]
        assert spans == sorted(spans)
    if found:
        views = role_views(["cause", "theme", "theme2"])
        together = build_structures(found, views)
        for number, candidate in enumerate(found):
            alone = build_structures([candidate], views)
            assert all(alone[name][0] == together[name][number] for name in views)


def test_a_sentence_without_a_parse_is_named() -> None:
    with pytest.raises(StructureError, match="no parse"):
        list(interaction_candidates([draw("Ras binds Raf", names=["Ras", "Raf"])], POLICY))


def test_a_document_without_sentences_is_named() -> None:
    with pytest.raises(StructureError, match="not split into sentences"):
        list(interaction_candidates([replace(BINDING, sentences=())], POLICY))
