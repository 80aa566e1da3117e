"""The one list of cues."""

from __future__ import annotations

from relhash.biomed.cues import CUES, NEGATIONS, WEAK, Cue, cue_of


def test_all_negations_of_the_views_are_cues_that_deny():
    assert {CUES[cue_of(word)] for word in NEGATIONS} == {Cue.NEGATION, Cue.DENIAL}


def test_weak_cues_are_cues():
    assert set(CUES) >= WEAK


def test_case_and_form_do_not_matter_and_the_lemma_comes_first():
    assert cue_of("FAILED") == cue_of("fails") == "fail"
    assert cue_of("examining") is None
    assert cue_of("examining", "examine") == "examine"
