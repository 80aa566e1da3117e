"""Type and participants, whatever word says it."""

from __future__ import annotations

from dataclasses import replace

from relhash.candidates import Candidate
from relhash.candidates.statements import gold_interactions, interaction_candidate, participants, trigger_mention
from relhash.corpus.document import Document
from relhash.show.stated import any_word, any_word_counts, stated_counts
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import annotated, event

KIND = "Positive_regulation"
GOLD = annotated(
    draw("TGF induces and enhances FOXP3, and IL-4", "induces nsubj TGF", ["TGF", "FOXP3", "IL-4"]),
    [("W1", "induces", KIND), ("W2", "enhances", KIND)],
    [event("E1", KIND, "W1", Theme="T2", Cause="T1"), event("E2", KIND, "W2", Theme="T2", Cause="T1")],
)


def candidate(word: str, cause: str, theme: str, document: Document = GOLD) -> Candidate:
    start = document.text.index(word)
    names = {mention.text: mention for mention in document.mentions}
    roles = {"cause": names[cause], "theme": names[theme]}
    trigger = trigger_mention(KIND, start, start + len(word), word)
    ids = {role: mention.id for role, mention in roles.items()}
    valid = gold_interactions(document).states(KIND, ids, trigger)
    return interaction_candidate(document, 0, trigger, roles, (KIND,) if valid else ())


def test_another_word_is_right_and_two_words_for_one_thing_are_one() -> None:
    by_another, wrong = candidate("and", "TGF", "FOXP3"), candidate("induces", "TGF", "IL-4")
    judged = [(by_another, True), (candidate("induces", "TGF", "FOXP3"), False), (wrong, True)]
    with_word = stated_counts(GOLD, judged)
    assert (with_word.stated, with_word.found, with_word.right, with_word.met) == (2, 2, 0, 0)
    without = any_word_counts(GOLD, judged)
    assert (without.stated, without.found, without.right, without.met, without.reached) == (1, 2, 1, 1, 1)
    twice = any_word_counts(GOLD, [(by_another, True), (candidate("induces", "TGF", "FOXP3"), True)])
    assert (twice.found, twice.right) == (1, 1)


def test_swapped_roles_and_events_about_one_are_not_that() -> None:
    swapped = candidate("induces", "FOXP3", "TGF")
    alone = candidate("induces", "TGF", "FOXP3")
    theme = participants(alone)["theme"]
    alone = interaction_candidate(GOLD, 0, trigger_mention(KIND, 4, 11, "induces"), {"theme": theme}, (KIND,))
    counts = any_word_counts(GOLD, [(swapped, True), (alone, True)])
    assert (counts.found, counts.right, counts.reached) == (1, 0, 0)


def test_candidates_of_a_data_set_are_joined_and_what_none_of_them_is_counts_as_out_of_reach() -> None:
    other = replace(GOLD, id="other")
    found = [candidate("and", "TGF", "FOXP3"), candidate("induces", "TGF", "FOXP3"), candidate("induces", "TGF", "IL-4")]
    table = any_word(found, [GOLD, other])
    assert table.numbers.tolist() == [0, 0, 1]
    assert table.stated.tolist() == [True, True, False]
    assert table.unreached == {0: 1}  # of the other document, which has no candidate
