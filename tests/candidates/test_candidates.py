from __future__ import annotations

from relhash.candidates import PairPolicy, candidates
from tests.candidates.drawn_sentences import draw

DOCUMENT = draw("Ras binds Raf and MEK .", names=["Ras", "Raf", "MEK"], related=[(1, 2)])


def test_pairs_are_the_candidates_that_nobody_has_to_ask_for():
    assert list(candidates([DOCUMENT])) == list(candidates([DOCUMENT], PairPolicy()))


def test_only_candidates_that_are_allowed():
    found = candidates([DOCUMENT], allow=lambda candidate: candidate.is_positive)
    assert [candidate.key for candidate in found] == ["d|T1|T2"]
