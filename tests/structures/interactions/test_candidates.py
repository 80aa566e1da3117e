"""Interactions with roles and types: candidates, gold, structures aligned by role, events written back."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relhash
from relhash.corpus import Dependency, Document, Mention, Relation
from relhash.corpus.document import Argument
from relhash.errors import ParameterError, StructureError
from relhash.kernels import PathKernel, WordSimilarity
from relhash.language.amr.documents import amr_document
from relhash.structures import Candidate, build_structures, candidates
from relhash.structures.interactions import (
    InteractionPolicy,
    TriggerLexicon,
    gold_interactions,
    interaction_candidates,
    interaction_type,
    participants,
    role_views,
    with_interactions,
)
from tests.structures.drawn_sentences import draw

LEXICON = TriggerLexicon().extended(
    {
        "Phosphorylation": ["phosphorylates"],
        "Activation": ["activates"],
        "Binding": ["binds", "complex"],
        "Positive_regulation": ["induces", "promotes"],
    }
)
POLICY = InteractionPolicy(LEXICON)
RAS_RAF = """# ::id figure1
# ::snt Activated Ras catalyzes the phosphorylation of Raf.
(c / catalyze-01
   :ARG0 (e / enzyme :name (n / name :op1 "Ras") :ARG1-of (a / activate-01))
   :ARG1 (p / phosphorylate-01 :ARG1 (e2 / enzyme :name (n2 / name :op1 "Raf"))))"""
BINDING = draw(
    "Grb2 promotes binding of Ras to Raf",
    "promotes nsubj Grb2, promotes dobj binding, binding prep_of Ras, binding prep_to Raf",
    ["Grb2", "Ras", "Raf"],
)


def event(identifier: str, kind: str, trigger: str | None, **roles: str) -> Relation:
    return Relation(identifier, kind, tuple(Argument(role, target) for role, target in roles.items()), trigger)


def trigger(document: Document, identifier: str, word: str, kind: str) -> Mention:
    start = document.text.index(word)
    return Mention(identifier, kind, ((start, start + len(word)),), word, is_trigger=True)


def annotated(document: Document, triggers: list[tuple[str, str, str]], events: list[Relation]) -> Document:
    words = tuple(trigger(document, *entry) for entry in triggers)
    return replace(document, mentions=(*document.mentions, *words), relations=tuple(events)).check()


def shown(candidate: Candidate) -> tuple[str, dict[str, str]]:
    return interaction_type(candidate), {role: mention.text for role, mention in participants(candidate).items()}


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


def test_the_valid_reading_is_nearer_to_a_valid_one_of_another_sentence() -> None:
    other = amr_document(RAS_RAF.replace("Ras", "MEK").replace("Raf", "ERK").replace("catalyze", "mediate"))
    views = role_views(["cause", "theme", "theme2"])
    X = build_structures(interaction_candidates([amr_document(RAS_RAF)], POLICY), views)
    valid = [
        c for c in interaction_candidates([other], POLICY) if shown(c) == ("Phosphorylation", {"cause": "MEK", "theme": "ERK"})
    ]
    similarities = PathKernel(WordSimilarity(), views=views).gram(X, build_structures(valid, views))[:, 0]
    labels = [shown(c) for c in interaction_candidates([amr_document(RAS_RAF)], POLICY)]
    assert labels[int(np.argmax(similarities))] == ("Phosphorylation", {"cause": "Ras", "theme": "Raf"})


def test_an_open_list_of_types_takes_every_frame() -> None:
    found = interaction_candidates([amr_document(RAS_RAF)], InteractionPolicy(open_types=True))
    assert {interaction_type(c) for c in found} == {"catalyze", "activate", "phosphorylate"}


def test_three_participants_and_two_themes_without_order() -> None:
    found = [
        shown(c)
        for c in interaction_candidates([BINDING], InteractionPolicy(TriggerLexicon().extended({"Binding": ["binding"]})))
    ]
    assert ("Binding", {"theme": "Ras", "theme2": "Raf"}) in found
    assert ("Binding", {"cause": "Grb2", "theme": "Ras", "theme2": "Raf"}) in found
    assert len(found) == 3 + 3
    assert all(roles["theme"] != "Raf" for _, roles in found)


def test_one_sequence_shows_all_participants_in_the_order_of_roles() -> None:
    found = list(interaction_candidates([BINDING], InteractionPolicy(TriggerLexicon().extended({"Binding": ["binding"]}))))
    structures = build_structures(found, ["interaction"])
    by_roles = {frozenset(shown(c)[1].items()): structures["interaction"][n] for n, c in enumerate(found)}
    assert by_roles[frozenset({("theme", "Ras"), ("theme2", "Raf")})] == [
        "<THEME>", "<prep_of", "<BINDING>", "binding", "prep_to>", "<THEME2>",
    ]  # fmt: skip
    assert by_roles[frozenset({("cause", "Grb2"), ("theme", "Ras"), ("theme2", "Raf")})] == [
        "<CAUSE>", "<nsubj", "promotes", "dobj>", "<BINDING>", "binding", "prep_of>", "<THEME>",
        "binding", "prep_to>", "<THEME2>",
    ]  # fmt: skip
    passive = draw(
        "Raf is phosphorylated by Ras", "phosphorylated nsubjpass Raf, phosphorylated agent Ras, phosphorylated aux is",
        ["Raf", "Ras"],
    )  # fmt: skip
    (swapped, valid) = sorted(interaction_candidates([passive], POLICY), key=lambda c: shown(c)[1]["cause"])
    shapes = build_structures([valid, swapped], ["interaction"])["interaction"]
    assert shapes[0] == ["<CAUSE>", "<agent", "<PHOSPHORYLATION>", "phosphorylated", "nsubjpass>", "<THEME>"]
    assert shapes[1] == ["<CAUSE>", "<nsubjpass", "<PHOSPHORYLATION>", "phosphorylated", "agent>", "<THEME>"]
    with pytest.raises(StructureError, match="no trigger"):
        build_structures(candidates([BINDING]), ["interaction"])


def test_participants_joined_below_the_trigger() -> None:
    document = draw(
        "binding of the Ras Raf complex",
        "binding prep_of complex, complex nn Ras, complex nn Raf, complex det the",
        ["Ras", "Raf"],
    )
    policy = InteractionPolicy(TriggerLexicon().extended({"Binding": ["binding"]}))
    structures = build_structures(interaction_candidates([document], policy), role_views(["theme", "theme2"]))
    assert structures["role(theme)"][0] == ["<BINDING>", "binding", "prep_of>", "complex", "nn>", "<THEME>"]
    assert structures["role(theme,theme2)"][0] == ["<THEME>", "<nn", "complex", "nn>", "<THEME2>"]


def test_the_ordinary_views_show_the_trigger_by_its_word() -> None:
    document = draw("Ras phosphorylates Raf", "phosphorylates nsubj Ras, phosphorylates dobj Raf", ["Ras", "Raf"])
    (candidate, *_) = interaction_candidates([document], POLICY)
    structures = build_structures([candidate], ["path+edges", "between", "window(1,1)", "descriptors"])
    assert structures["path+edges"][0] == ["<CAUSE>", "<nsubj", "phosphorylates", "dobj>", "<THEME>"]
    assert structures["between"][0] == ["<CAUSE>", "phosphorylates", "<THEME>"]


def test_a_pair_is_the_special_case() -> None:
    apart = draw("Grb2 binds Ras and Raf", "binds nsubj Grb2, binds dobj Ras", ["Grb2", "Ras", "Raf"])  # no path to Raf
    structures = build_structures(candidates([BINDING, apart]), ["path+edges", "role(e1,e2)"])
    assert structures["path+edges"] == structures["role(e1,e2)"]
    assert any("<DISCONNECTED>" in sequence for sequence in structures["path+edges"])
    with pytest.raises(StructureError, match="no trigger"):
        build_structures(candidates([BINDING]), ["role(e1)"])


@pytest.mark.parametrize("combine", ["sum", "product"])
def test_missing_roles_stay_normalised(combine: str) -> None:
    policy = InteractionPolicy(LEXICON)
    views = role_views(["cause", "theme", "theme2"], joined=False)
    X = build_structures(interaction_candidates([BINDING, amr_document(RAS_RAF)], policy), views)
    kernel = PathKernel(WordSimilarity(), views=views, combine=combine)
    gram = kernel.gram(X, X)
    np.testing.assert_allclose(np.diag(gram), 1, atol=1e-6)
    np.testing.assert_allclose(kernel.diagonal(X), 1, atol=1e-6)
    assert gram.max() <= 1 + 1e-6
    lacks = np.array([sequence == ["<NO_THEME2>"] for sequence in X["role(theme2)"]])
    assert lacks.any()
    assert not lacks.all()
    if combine == "product":
        assert not gram[lacks][:, ~lacks].any()


def test_a_long_sentence_does_not_explode() -> None:
    names = [f"P{number}x" for number in range(60)]
    words = [word for name in names for word in (name, "binds", "activates")]
    text = " ".join(words)
    tokens = len(words)
    document = draw(text, "", names)
    chain = tuple(Dependency(number, number + 1, "dep") for number in range(tokens - 1))
    sentence = replace(document.sentences[0], dependencies=chain, parser="chain")
    start = time.perf_counter()
    found = list(interaction_candidates([replace(document, sentences=(sentence,))], replace(POLICY, max_candidates=50)))
    assert len(found) == 50
    assert time.perf_counter() - start < 20
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


def test_a_sentence_without_a_parse_is_named() -> None:
    with pytest.raises(StructureError, match="no parse"):
        list(interaction_candidates([draw("Ras binds Raf", names=["Ras", "Raf"])], POLICY))


def test_a_document_without_sentences_is_named() -> None:
    with pytest.raises(StructureError, match="not split into sentences"):
        list(interaction_candidates([replace(BINDING, sentences=())], POLICY))


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
