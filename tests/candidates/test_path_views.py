"""Views along the path, of sentences whose right sequence a person sees at once."""

from __future__ import annotations

from dataclasses import replace

from relhash.candidates import Candidate, PairPolicy, view
from relhash.corpus import CandidatePair
from tests.candidates.drawn_sentences import draw
from tests.candidates.shown_views import BINDS, NEGATED, show


def test_path():
    assert show("path", BINDS) == "<E1> binds <E2>"
    assert show("path", NEGATED) == "<E1> bind domain <E2>"


def test_path_with_edges_points_at_the_dependent():
    assert show("path+edges", BINDS) == "<E1> <nsubj binds prep_to> <E2>"
    assert show("path+edges", NEGATED) == "<E1> <nsubj bind prep_to> domain prep_of> <E2>"


def test_the_first_of_two_in_the_file_need_not_be_the_first_in_the_text():
    turned = replace(BINDS, candidates=(CandidatePair("p", "T2", "T1"),))
    assert show("path+edges", turned) == show("path+edges", BINDS)


def test_direction_is_in_the_symbols_not_in_the_order():
    directed = PairPolicy(directed=True)
    assert show("path+edges", BINDS, 0, directed) == "<E1> <nsubj binds prep_to> <E2>"
    assert show("path+edges", BINDS, 1, directed) == "<E2> <nsubj binds prep_to> <E1>"


def test_a_shared_token_is_flagged_and_shows_what_is_between():
    document = draw("the Ras/Raf complex", "complex det the, complex nn Ras/Raf", ["Ras", "Raf"])
    assert show("path+edges", document) == "<E1> <SHARED> / <E2>"
    assert show("window(1,1)", document) == "the <E1> / <E2> complex"
    nested = replace(
        draw("IL-2 receptor", "receptor nn IL-2", ["IL-2", "IL-2 receptor"]), candidates=(CandidatePair("p", "T1", "T2"),)
    )
    assert show("path", nested) == "<E1> <SHARED> <E2>"


def test_a_missing_path_is_flagged_and_shows_the_words_between():
    document = draw("Ras , though Raf", "Ras advmod though", ["Ras", "Raf"])
    assert show("path", document) == "<E1> <DISCONNECTED> , though <E2>"


def test_three_participants_run_from_each_to_the_next():
    document = draw("Ras binds Raf with MEK", "binds nsubj Ras, binds dobj Raf, binds prep_with MEK", ["Ras", "Raf", "MEK"])
    event = Candidate(document, 0, document.mentions, ("Cause", "Theme", "Theme2"))
    assert " ".join(view("path")(event)) == "<CAUSE> binds <THEME> binds <THEME2>"
    assert " ".join(view("between")(event)) == "<CAUSE> binds <THEME> with <THEME2>"
    assert event.key == "d|Cause=T1|Theme=T2|Theme2=T3"
