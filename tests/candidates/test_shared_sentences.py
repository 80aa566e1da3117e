from __future__ import annotations

from dataclasses import replace

from relhash.candidates.shared_sentences import shared_sentences
from relhash.corpus import Sentence
from tests.candidates.drawn_sentences import draw


def test_shared_sentences_whatever_their_spacing():
    here = draw("Ras , binds Raf to MEK", names=["Ras", "Raf", "MEK"], related=[(1, 2), (1, 3)], identifier="here")
    there = draw("Ras,binds Raf to MEK", names=["Ras", "Raf", "MEK"], related=[(2, 3)], identifier="there")
    other = draw("Something else", identifier="x")
    found = shared_sentences([other, here], [there])
    assert (found.shared_sentences, found.common_pairs, found.common_pairs_by_name) == (1, 0, 3)
    assert found.sentences == [{"id": "here.s0", "other_id": "there.s0", "text": "Ras , binds Raf to MEK"}]
    same = shared_sentences([here], [replace(here, id="copy", relations=())])
    assert (same.common_pairs, same.common_pairs_by_name, same.opposite_labels) == (3, 3, 2)
    assert [pair["mentions"] for pair in same.opposite] == [["Ras", "Raf"], ["Ras", "MEK"]]


def test_sentences_without_letters_are_not_compared():
    dots = replace(draw("..."), sentences=(Sentence("s", 0, 3),))
    assert shared_sentences([dots], [dots]).shared_sentences == 0
