from __future__ import annotations

from relhash.candidates.description import stem_groups
from tests.candidates.description.described import describe
from tests.candidates.drawn_sentences import draw


def test_words_inside_names_are_no_trigger_words():
    document = draw("Ras and binding protein near Raf", names=["Ras", "binding protein", "Raf"])
    assert describe(document, 1)["binding_between"] == 0


def test_symbols_are_no_trigger_words():
    assert stem_groups("<E1>") == ()
