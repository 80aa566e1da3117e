"""Views without a parse."""

from __future__ import annotations

from tests.candidates.drawn_sentences import draw
from tests.candidates.shown_views import BINDS, NEGATED, show


def test_between_and_window():
    assert show("between", NEGATED) == "<E1> did not bind to the c-terminal domain of <E2>"
    assert show("window(1,3)", NEGATED) == "however <E1> did not bind to the c-terminal domain of <E2> in <NUMBER> cells"
    assert show("window(0,0)", NEGATED) == show("between", NEGATED)
    assert show("window( 9, 99 )", BINDS) == "<E1> binds to <E2> ."


def test_the_rest_of_a_token_that_is_half_a_mention():
    document = draw("Ras-dependent anti-Raf effect", names=["Ras", "Raf"])
    assert show("between", document) == "<E1> - dependent anti - <E2>"
