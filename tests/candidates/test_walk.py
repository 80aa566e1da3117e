"""The walk along a path."""

from __future__ import annotations

from hypothesis import given

from relhash.candidates import PairPolicy, candidates, scenes
from relhash.candidates.graph import Connection
from relhash.candidates.symbols import leads_down, leads_up
from relhash.candidates.view import tokens_and_edges_on, tokens_on, walk
from tests.candidates.any_sentences import documents
from tests.candidates.drawn_sentences import draw
from tests.candidates.shown_views import show


def test_other_entities_are_blinded_and_collapsed():
    document = draw(
        "Ras and protein kinase C bind Raf",
        "bind nsubj Ras, bind nsubj C, C nn kinase, C nn protein, bind dobj Raf, Ras conj_and C",
        ["Ras", "protein kinase C", "Raf"],
        kinds=["protein", "Gene", "protein"],
    )
    assert show("between", document, 1) == "<E1> and <PROTEIN> bind <E2>"
    assert show("path+edges", document, 2) == "<E1> <nsubj bind dobj> <E2>"
    chain = draw("Ras of the kinase C gene in Raf", "Ras prep_of C, C nn kinase, kinase dep Raf", ["Ras", "kinase C", "Raf"])
    assert show("path+edges", chain, 1) == "<E1> prep_of> <PROTEIN> dep> <E2>"
    assert show("path", chain, 1) == "<E1> <PROTEIN> <E2>"


def test_the_ends_are_participants_and_a_name_of_several_words_is_one_stop():
    chain = draw("Ras of the kinase C gene in Raf", "Ras prep_of C, C nn kinase, kinase dep Raf", ["Ras", "kinase C", "Raf"])
    (scene,) = (s for s in scenes(candidates([chain])) if s.candidate.mentions[1].text == "Raf" and s.tokens[0] == (0,))
    assert [(stop.edge, stop.token, stop.inside) for stop in walk(scene, scene.paths[0])] == [
        ("prep_of>", 4, False), ("nn>", 3, True), ("dep>", 7, False),
    ]  # fmt: skip
    assert tokens_on(scene, scene.paths[0]) == ["<PROTEIN>"]
    assert tokens_and_edges_on(scene, scene.paths[0]) == ["prep_of>", "<PROTEIN>", "dep>"]


def test_where_there_is_no_path_a_flag_says_why():
    shared = draw("the Ras/Raf complex", "complex det the, complex nn Ras/Raf", ["Ras", "Raf"])
    apart = draw("Ras , though Raf", "Ras advmod though", ["Ras", "Raf"])
    for document, flag in ((shared, "<SHARED>"), (apart, "<DISCONNECTED>")):
        (scene,) = scenes(candidates([document]))
        assert list(walk(scene, scene.paths[0])) == []
        assert tokens_on(scene, scene.paths[0]) == tokens_and_edges_on(scene, scene.paths[0]) == [flag]


@given(documents())
def test_words_and_edges_take_turns(document):
    for scene in scenes(candidates([document], PairPolicy(self_pairs=True))):
        for path in scene.paths:
            if path.connection is Connection.PATH:
                both = tokens_and_edges_on(scene, path)
                assert both[1::2] == tokens_on(scene, path)
                assert all(leads_up(edge) or leads_down(edge) for edge in both[::2])
                assert [stop.token for stop in walk(scene, path)] == list(path.tokens[1:])
