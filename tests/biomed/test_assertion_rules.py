"""Scope by rules."""

from __future__ import annotations

import pytest

from relhash.biomed.assertion import governing_cues, surrounding_cues, way_to
from relhash.biomed.cues import CueScope, Statement
from tests.biomed.test_assertion import drawn


def test_a_verb_that_only_supports_is_looked_through():
    scope = CueScope.of(drawn("binding was not detected", "3 nsubjpass 0, 3 auxpass 1, 3 neg 2"))
    assert way_to(scope.cues[0], scope, 0) == ("neg>",)
    other = CueScope.of(drawn("binding was not inhibited", "3 nsubjpass 0, 3 auxpass 1, 3 neg 2"))
    assert way_to(other.cues[0], other, 0) == ("<nsubjpass", "neg>")
    assert not list(governing_cues(other, Statement((0,))))


def test_a_weak_cue_decides_nothing():
    scope = CueScope.of(drawn("C prevent binding of A to B", "1 nsubj 0, 1 dobj 2, 2 prep_of 4, 2 prep_to 6"))
    assert [cue.word for cue in scope.cues] == ["prevent"]
    assert not list(governing_cues(scope, Statement((2,), (4, 6))))


def test_nothing_surrounds_an_empty_statement():
    assert not list(surrounding_cues(CueScope.of(drawn("not", "")), Statement(())))


def test_neither_denies_what_its_nouns_are_of_and_no_does_not():
    arcs = "1 nsubj 0, 1 dobj 5, 5 preconj 2, 5 amod 4, 4 hyphen 3, 5 conj_nor 8, 1 dobj 8, 8 prep_of 10"
    scope = CueScope.of(drawn("E7 blocked neither IFN stimulated expression nor the induction of IRF1", arcs))
    for participant in (3, 10):
        assert [cue.word for cue in governing_cues(scope, Statement((1,), (0, participant)))] == ["neither"]
    other = CueScope.of(drawn("no modification of MYC expression", "1 det 0, 1 prep_of 4, 4 nn 3"))
    assert not list(governing_cues(other, Statement((4,), (3,))))


@pytest.mark.parametrize(("before", "counts"), [(1, True), (3, True), (4, False)])
def test_without_a_parse_a_hedge_reaches_three_words(before, counts):
    scope = CueScope.of(drawn("x may " + "y " * (before - 1) + "A binds B", ""))
    found = list(surrounding_cues(scope, Statement((), (before + 1, before + 3))))
    assert [cue.word for cue in found] == ["may"] * counts


@pytest.mark.parametrize(
    ("text", "arcs", "head"),
    [
        ("We suggest A binds C and activates B", "1 nsubj 0, 1 ccomp 3, 3 nsubj 2, 3 dobj 4, 3 conj_and 6, 6 dobj 7", 6),
        ("We suggest that A tends to activate B", "1 ccomp 4, 4 mark 2, 4 nsubj 3, 4 xcomp 6, 6 aux 5, 6 dobj 7", 6),
    ],
)
def test_a_hedge_reaches_the_second_verb_of_its_clause(text, arcs, head):
    scope = CueScope.of(drawn(text, arcs))
    assert [cue.word for cue in governing_cues(scope, Statement((head,), (3, 7)))] == ["suggest"]
