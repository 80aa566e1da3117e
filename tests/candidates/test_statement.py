"""Candidates as statements: which words name the relation."""

from __future__ import annotations

import pytest
from hypothesis import given

from relhash.biomed.assertion import Assertion
from relhash.candidates import Candidate, candidates, scenes
from relhash.candidates.candidate import TRIGGER
from relhash.candidates.statement import assertion_of_scene, statement_of
from tests.candidates.any_sentences import documents
from tests.candidates.drawn_sentences import draw


def scene_of(*drawn, **more):
    (scene,) = scenes(candidates([draw(*drawn, **more)]))
    return scene


def test_the_top_of_the_path_comes_first_then_its_other_words():
    arcs = "regulates nsubj Ras, regulates dobj expression, expression prep_of Raf"
    scene = scene_of("Ras regulates expression of Raf", arcs, ["Ras", "Raf"])
    statement = statement_of(scene)
    assert statement.head == (1, 2)
    assert statement.participants == (0, 4)


def test_of_names_that_are_joined_directly_what_governs_them():
    arcs = "interaction det No, interaction prep_of Ras, interaction prep_of Raf, Ras conj_and Raf"
    scene = scene_of("No interaction of Ras and Raf", arcs, ["Ras", "Raf"])
    assert statement_of(scene).head == (1,)
    assert assertion_of_scene(scene) is Assertion.NEGATED


ON_PARTNERS = "examined nsubj We, examined dobj proteins, proteins nmod Ras, proteins amod {joined}, proteins appos Raf"


@pytest.mark.parametrize(
    ("text", "joined", "expected"),
    [
        ("We examined Ras interacting proteins : Raf", "interacting", Assertion.ASSERTED),
        ("We examined Ras - binding proteins such as Raf", "binding", Assertion.ASSERTED),
        ("We examined Ras regulated proteins : Raf", "regulated", Assertion.SPECULATIVE),
    ],
)
def test_partners_that_are_named_as_known_are_not_open_because_they_were_studied(text, joined, expected):
    # "We compared this sensitivity to effects on VDR interacting proteins: RXR" was called speculative
    scene = scene_of(text, ON_PARTNERS.format(joined=joined), ["Ras", "Raf"])
    assert assertion_of_scene(scene) is expected


def test_a_verb_between_partners_and_name_says_something_else():
    arcs = "tested nsubj We, tested dobj bound, bound nsubj proteins, proteins nmod Ras, proteins amod binding, bound dobj Raf"
    scene = scene_of("We tested Ras binding proteins bound Raf", arcs, ["Ras", "Raf"], tags="PRP VBD NN VBG NNS VBD NN")
    assert not statement_of(scene).is_given
    assert assertion_of_scene(scene) is Assertion.SPECULATIVE


CHANGES = "{verb} nsubj Ras, {verb} neg not, {verb} {to} changes, changes prep_of Raf"


@pytest.mark.parametrize(
    ("roles", "to", "expected"),
    [
        (("cause", TRIGGER, "theme"), "dobj", Assertion.NEGATED),
        (("cause", TRIGGER, "theme"), "advcl", Assertion.ASSERTED),  # a clause of its own: "…, though it changes Raf"
        (("theme2", TRIGGER, "theme"), "dobj", Assertion.ASSERTED),
    ],
)
def test_an_interaction_is_denied_where_its_cause_is_not_the_cause(roles, to, expected):
    # "BMP-6 did not induce changes of Id2" was accepted as a regulation: the changes themselves are not denied
    document = draw("Ras did not induce changes of Raf", CHANGES.format(verb="induce", to=to), ["Ras", "changes", "Raf"])
    (scene,) = scenes([Candidate(document, 0, document.mentions, roles)])
    assert assertion_of_scene(scene) is expected


@pytest.mark.parametrize(("text", "expected"), [("Ras does not bind Raf", "negated"), ("Ras binds Raf", "asserted")])
def test_text_without_a_parse_is_judged_by_its_words(text, expected):
    assert assertion_of_scene(scene_of(text, None, ["Ras", "Raf"])) == expected


@given(documents())
def test_any_scene_gets_an_answer(document):
    for scene in scenes(candidates([document])):
        assert assertion_of_scene(scene) in Assertion
