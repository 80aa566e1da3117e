"""Sentences with marks, cut for colouring."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relhash.model.tables.looks import MarkedPiece, marked_pieces
from relhash.model.tables.statements import without_marks


def test_nested_and_crossing_marks():
    assert marked_pieces("its [E1]receptor [E2]p55[/E2][/E1] bind") == [
        MarkedPiece("its "), MarkedPiece("receptor ", (1,)), MarkedPiece("p55", (1, 2)), MarkedPiece(" bind"),
    ]  # fmt: skip
    assert [piece.entity for piece in marked_pieces("[E1]a[E2]b[/E1]c[/E2]d")] == [1, 2, 2, 0]


def test_places_without_marks():
    text, places = without_marks("[E1]a[/E1] and\n [E1]b[/E1] [E2]c [E3]d[/E3][/E2]")
    assert (text, places) == ("a and b c d", {"1": (0, 7), "2": (8, 11), "3": (10, 11)})
    assert without_marks("no partner [E1]") == ("no partner [E1]", {})


MARKS = st.sampled_from(["[E1]", "[/E1]", "[E2]", "[/E2]", "a", " ", "[E"])


@given(st.lists(MARKS).map("".join))
def test_nothing_but_marks_is_lost(text):
    left = "".join(piece.text for piece in marked_pieces(text))
    for mark in ("[E1]", "[/E1]", "[E2]", "[/E2]"):
        left, text = left.replace(mark, ""), text.replace(mark, "")
    assert left == text
