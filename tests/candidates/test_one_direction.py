"""One direction of a directed pair: which types have none, and which of two candidates stays."""

from __future__ import annotations

from itertools import permutations

from relhash.candidates.candidate import Candidate
from relhash.candidates.pairs import counts_by_type, one_direction, types_both_ways
from relhash.corpus import Argument, Document, Mention, Relation

NAMES = tuple(Mention(f"T{n}", "protein", ((4 * n, 4 * n + 3),), name) for n, name in enumerate(("Ras", "Raf", "Mek")))
THERE, BACK = ("e1", "e2"), ("e2", "e1")


def text(*stated: tuple[str, dict[str, str]], name: str = "d") -> Document:
    relations = (
        Relation(f"E{n}", kind, tuple(Argument(role, target) for role, target in arguments.items()))
        for n, (kind, arguments) in enumerate(stated)
    )
    return Document(name, "Ras Raf Mek", mentions=NAMES, relations=tuple(relations))


def pair(roles: tuple[str, str], document: Document | None = None, first: int = 0) -> Candidate:
    return Candidate(document or PLAIN, 0, NAMES[first : first + 2], roles)


PLAIN = text()


def test_types_that_mostly_run_both_ways_have_no_direction():
    caused = [text(("Regulation", {"Theme": a, "Cause": b}), name=a + b) for a, b in permutations(("T0", "T1", "T2"), 2)]
    bound = text(("Binding", {"Theme": "T0", "Theme2": "T1"}), ("Regulation", {"Cause": "T0", "Theme": "T1"}), name="bound")
    once = text(("Regulation", {"Cause": "T0", "Theme": "T1"}), ("Regulation", {"Cause": "T1", "Theme": "T0"}), name="loop")
    pairs, returned = counts_by_type([*caused, bound, once])
    assert (pairs, returned) == ({"Regulation": 8, "Binding": 1}, {"Regulation": 1, "Binding": 1})
    assert types_both_ways([*caused, bound, once]) == ("Binding",)


def test_text_without_relations_tells_nothing():
    assert types_both_ways([PLAIN]) is None


def test_a_relation_with_itself_has_no_direction_to_count():
    assert types_both_ways([text(("Regulation", {"Cause": "T0", "Theme": "T0"}))]) is None


def test_of_two_directions_the_surer_stays_whatever_their_order():
    found, scores = [pair(THERE), pair(BACK), pair(BACK, first=1)], [0.4, 0.6, 0.3]
    relations = ["Regulation"] * 3
    for order in permutations(range(3)):
        kept = one_direction([found[n] for n in order], [scores[n] for n in order], [True] * 3, relations, ())
        assert kept == [n != 0 for n in order]


def test_of_two_alike_the_first_name_acts():
    assert one_direction([pair(BACK), pair(THERE)], [0.5, 0.5], [True, True], ["r", "r"], ()) == [False, True]


def test_what_was_not_accepted_takes_nothing_away():
    assert one_direction([pair(THERE), pair(BACK)], [0.4, 0.6], [True, False], ["r", "r"], ()) == [True, False]


def test_both_directions_stay_of_a_type_that_has_none():
    both = [pair(THERE), pair(BACK)]
    assert one_direction(both, [0.6, 0.5], [True, True], ["Binding", "Binding"], ("Binding",)) == [True, True]
    assert one_direction(both, [0.6, 0.5], [True, True], ["Regulation", "Binding"], ("Binding",)) == [True, False]


def test_a_type_without_direction_looks_alike_from_both_sides():
    # "PTEN activates Cdc42" was called a binding, .79 there and .53 back: the type is a guess
    both, named = [pair(THERE), pair(BACK)], ["Binding", "Binding"]
    assert one_direction(both, [0.79, 0.53], [True, True], named, ("Binding",)) == [True, False]
    assert one_direction(both, [0.77, 0.73], [True, True], named, ("Binding",)) == [True, True]
    assert one_direction(both, [1.0, 1.0], [True, True], named, ("Binding",)) == [True, True]


def test_documents_are_decided_apart():
    other = text(name="e")  # its mentions have the same ids
    assert one_direction([pair(THERE), pair(BACK, other)], [0.6, 0.5], [True, True], ["r", "r"], ()) == [True, True]
