from __future__ import annotations

from relhash.candidates import candidates
from relhash.candidates.candidate import TRIGGER, Candidate, overlap
from relhash.corpus import Mention
from tests.candidates.drawn_sentences import draw


def test_candidates_are_records():
    (first,), (second,) = (list(candidates([draw("Ras binds Raf", names=["Ras", "Raf"])])) for _ in range(2))
    assert first == second
    assert len({first, second}) == 1


def test_the_key_names_roles_other_than_those_of_a_pair():
    document = draw("Ras binds Raf", names=["Ras", "Raf"])
    first, second = document.mentions
    assert Candidate(document, 0, (first, second), ("e2", "e1")).key == "d|T2|T1"
    assert Candidate(document, 0, (first, second), ("theme", "cause")).key == "d|cause=T2|theme=T1"


def test_only_an_interaction_has_a_trigger_and_supposes_a_type():
    document = draw("Ras binds Raf", names=["Ras", "Raf"])
    first, second = document.mentions
    word = Mention("B", "Binding", ((4, 9),), "binds", is_trigger=True)
    pair = Candidate(document, 0, (first, second), ("e1", "e2"))
    interaction = Candidate(document, 0, (first, word, second), ("cause", TRIGGER, "theme"))
    assert (pair.trigger, pair.supposed_type) == (None, None)
    assert (interaction.trigger, interaction.supposed_type) == (word, "Binding")


def test_only_an_interaction_with_one_participant_is_single():
    document = draw("Ras binds Raf", names=["Ras", "Raf"])
    first, second = document.mentions
    word = Mention("B", "Binding", ((4, 9),), "binds", is_trigger=True)
    assert Candidate(document, 0, (word, second), (TRIGGER, "theme")).is_single
    assert not Candidate(document, 0, (first, word, second), ("cause", TRIGGER, "theme")).is_single
    assert not Candidate(document, 0, (first, second), ("e1", "e2")).is_single


def test_overlap_is_of_characters_not_of_extents():
    around, inside = draw("alpha and beta subunit", names=["alpha … subunit", "beta"]).mentions
    assert not overlap(around, inside)
    outer, inner = draw("IL-2 receptor", names=["IL-2 receptor", "IL-2"]).mentions
    assert overlap(outer, inner)
    assert overlap(inner, outer)
