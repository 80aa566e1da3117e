"""Decisions about one sentence that exclude each other."""

from __future__ import annotations

import random

from relhash.candidates.statements import interaction_candidate, trigger_mention
from relhash.candidates.statements.consistency import consistent
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import BINDING, trigger

GRB2, RAS, RAF = (mention for mention in BINDING.mentions)


def candidate(kind: str, word: str, **roles):
    found = trigger(BINDING, "x", word, kind)
    return interaction_candidate(BINDING, 0, trigger_mention(kind, found.start, found.end, word), roles)


def test_one_type_of_regulation_per_trigger():
    more = candidate("Positive_regulation", "promotes", cause=GRB2, theme=RAS)
    less = candidate("Negative_regulation", "promotes", cause=GRB2, theme=RAF)
    also = candidate("Gene_expression", "promotes", cause=RAF, theme=RAS)
    assert consistent([more, less, also], [0.6, 0.7, 0.5], [True] * 3) == [False, True, True]


def test_one_direction_and_the_surer_of_a_pair_and_a_triple():
    there = candidate("Regulation", "promotes", cause=GRB2, theme=RAS)
    back = candidate("Regulation", "promotes", cause=RAS, theme=GRB2)
    assert consistent([back, there], [0.5, 0.6], [True, True]) == [False, True]
    pair = candidate("Binding", "binding", theme=RAS, theme2=RAF)
    three = candidate("Binding", "binding", cause=GRB2, theme=RAS, theme2=RAF)
    assert consistent([pair, three], [0.5, 0.6], [True, True]) == [False, True]


def test_what_was_not_accepted_takes_no_place_and_order_does_not_matter():
    found = [
        candidate("Regulation", "promotes", cause=one, theme=other)
        for one in (GRB2, RAS, RAF)
        for other in (GRB2, RAS, RAF)
        if one is not other
    ]
    scores = [0.5, 0.5, 0.9, 0.5, 0.3, 0.3]
    accepted = [True, True, False, True, True, True]
    kept = consistent(found, scores, accepted)
    assert not kept[2]
    assert sum(kept) == 3
    order = list(range(6))
    random.Random(1).shuffle(order)
    again = consistent([found[n] for n in order], [scores[n] for n in order], [accepted[n] for n in order])
    assert [again[order.index(n)] for n in range(6)] == kept


def test_a_special_type_says_more_than_a_regulation_of_the_same_participants():
    """ "IKKbeta phosphorylates RPS3" was a phosphorylation and a positive regulation."""
    special = candidate("Phosphorylation", "promotes", cause=GRB2, theme=RAS)
    general = candidate("Positive_regulation", "promotes", cause=GRB2, theme=RAS)
    other = candidate("Positive_regulation", "promotes", cause=GRB2, theme=RAF)
    assert consistent([special, general, other], [0.5, 0.6, 0.4], [True] * 3) == [True, False, True]


def test_an_event_about_one_participant_gives_way_to_a_fuller_one_of_its_type():
    full = candidate("Phosphorylation", "promotes", cause=GRB2, theme=RAS)
    alone = candidate("Phosphorylation", "promotes", theme=RAS)
    of_another = candidate("Phosphorylation", "promotes", theme=RAF)
    assert consistent([full, alone, of_another], [0.5, 0.9, 0.9], [True] * 3) == [True, False, True]
    assert consistent([full, alone, of_another], [0.5, 0.9, 0.9], [False, True, True]) == [False, True, True]


INDUCED = draw(
    "IL-4 induced expression of FOXP3 and reduced levels of IL-2",
    "induced nsubj IL-4, induced dobj expression, expression prep_of FOXP3, induced conj_and reduced, reduced dobj levels, "
    "reduced nsubj IL-4, levels prep_of IL-2",
    ["IL-4", "FOXP3", "IL-2"],
)
IL4, FOXP3, IL2 = INDUCED.mentions


def induced(kind: str, word: str, **roles):
    found = trigger(INDUCED, "x", word, kind)
    return interaction_candidate(INDUCED, 0, trigger_mention(kind, found.start, found.end, word), roles)


def test_what_a_positive_regulation_is_about_has_its_cause():
    """The expression of FOXP3 was one without a cause in tables, and one caused by IL-4 in the file that was read back."""
    outer = induced("Positive_regulation", "induced", cause=IL4, theme=FOXP3)
    alone = induced("Gene_expression", "expression", theme=FOXP3)
    fuller = induced("Gene_expression", "expression", cause=IL4, theme=FOXP3)
    swapped = induced("Gene_expression", "expression", cause=FOXP3, theme=IL4)
    found = [outer, alone, fuller, swapped]
    assert consistent(found, [0.6, 0.8, 0.1, 0.1], [True, True, False, False]) == [True, False, True, False]
    assert consistent(found, [0.6, 0.4, 0.1, 0.1], [True, False, False, False]) == [True, False, False, False]
    # a word that is not on the way to FOXP3 is not what is induced
    elsewhere = induced("Gene_expression", "levels", theme=FOXP3), induced("Gene_expression", "levels", cause=IL4, theme=FOXP3)
    assert consistent([outer, *elsewhere], [0.6, 0.8, 0.1], [True, True, False]) == [True, True, False]


def test_what_is_inhibited_has_no_cause_and_stays_an_event_of_its_own():
    """ "IL-4 inhibits IL-2" came with "IL-4 induces expression of IL-2"."""
    outer = induced("Negative_regulation", "reduced", cause=IL4, theme=IL2)
    caused = induced("Gene_expression", "levels", cause=IL4, theme=IL2)
    alone = induced("Gene_expression", "levels", theme=IL2)
    found = [outer, caused, alone]
    assert consistent(found, [0.7, 0.5, 0.6], [True] * 3) == [True, False, True]
    both = induced("Positive_regulation", "induced", cause=IL4, theme=IL2)
    assert consistent([*found, both], [0.7, 0.5, 0.6, 0.4], [True] * 4) == [True, True, False, True]


def test_two_names_of_one_thing_do_nothing_to_each_other():
    """ "p21(WAF1/CIP1)" was a binding of p21 and WAF1."""
    given = draw("p21 ( WAF1 ) binds CDK2", "binds nsubj p21, p21 appos WAF1, binds dobj CDK2", ["p21", "WAF1", "CDK2"])
    p21, waf1, cdk2 = given.mentions
    word = trigger_mention("Binding", 13, 18, "binds")
    names = interaction_candidate(given, 0, word, {"theme": p21, "theme2": waf1})
    other = interaction_candidate(given, 0, word, {"theme": p21, "theme2": cdk2})
    assert consistent([names, other], [0.9, 0.5], [True, True]) == [False, True]
