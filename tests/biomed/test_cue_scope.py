"""Ways from the words of a sentence to its cues."""

from __future__ import annotations

from relhash.biomed.cues import FAR, CueScope
from tests.biomed.test_assertion import drawn


def test_a_way_climbs_and_descends_in_its_last_step_only():
    scope = CueScope.of(drawn("A does not bind B of C", "3 nsubj 0, 3 aux 1, 3 neg 2, 3 dobj 4, 4 prep_of 6, 0 dep 5"))
    (cue,) = scope.cues
    assert cue.ways[3] == ("neg>",)
    assert cue.ways[6] == ("<prep_of", "<dobj", "neg>")
    assert cue.following[6] == 4
    above = CueScope.of(drawn("show A not bind", "0 ccomp 3, 3 nsubj 1, 3 neg 2"))
    assert 0 not in above.cues[0].ways  # it would have to descend twice


def test_a_word_that_a_label_has_swallowed_is_put_back():
    (cue,) = CueScope.of(drawn("A acts without B", "1 nsubj 0, 1 prep_without 3")).cues
    assert cue.ways[3] == ("case>",)


def test_a_far_cue_has_no_say():
    chain = ", ".join(f"{n} dep {n + 1}" for n in range(FAR + 2))
    (cue,) = CueScope.of(drawn("not " + "x " * (FAR + 2), chain)).cues
    assert max(cue.ways) == FAR


def test_a_cue_is_followed_for_five_steps():
    (cue,) = CueScope.of(drawn("not " + "x " * 9, ", ".join(f"{n} dep {n + 1}" for n in range(9)))).cues
    assert max(cue.ways) == 5
