"""Is a row right as it stands? From the probability of a pair to that of a row with names that a recogniser found."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import ModelFileError, ParameterError
from relhash.learn.end_to_end import SEEN_OFTEN, EndToEnd, Names

PROBABILITY = st.floats(0, 1)
FOUND = st.floats(0, 0.9999)
SLOPE, OFFSET = st.floats(0, 4), st.floats(-4, 4)
HINTS = st.dictionaries(st.sampled_from(["id", "site"]), OFFSET)
RULES = st.builds(EndToEnd, SLOPE, OFFSET, SLOPE, OFFSET, HINTS, HINTS, HINTS, st.none() | PROBABILITY)


def probability(rule: EndToEnd, pair: float, *names: float) -> float:
    return float(rule.probabilities([pair], Names.certain([names]))[0])


def names_with(certainties, hints, pair_hints, words=None) -> Names:
    own = [()] * len(pair_hints) if words is None else words
    return Names(np.array(certainties), np.array(hints, bool), np.array(pair_hints, float), own, ("id", "site"), ("fusion",))


@given(RULES, PROBABILITY, FOUND, FOUND)
def test_it_is_a_probability_and_does_not_depend_on_the_order_of_names(rule, pair, first, second):
    found = probability(rule, pair, first, second)
    assert 0 <= found <= 1
    assert found == pytest.approx(probability(rule, pair, second, first))


@given(RULES, st.tuples(PROBABILITY, PROBABILITY), st.tuples(FOUND, FOUND), FOUND)
def test_it_rises_with_each_of_its_inputs(rule, pairs, names, other):
    lowest = probability(rule, min(pairs), min(names), other)
    assert lowest <= probability(rule, max(pairs), min(names), other)
    assert lowest <= probability(rule, min(pairs), max(names), other)


@given(RULES, PROBABILITY, st.booleans())
def test_annotated_names_leave_the_classifier_alone(rule, pair, label):
    assert probability(rule, pair, 1, 1) == pair
    assert rule.accepted([label], [pair], Names.certain([[1, 1]])).tolist() == [label]


@given(RULES, st.lists(st.tuples(PROBABILITY, st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_rows_do_not_depend_on_each_other(rule, rows):
    together = rule.probabilities([row[0] for row in rows], Names.certain([row[1:] for row in rows]))
    assert together.tolist() == [probability(rule, *row) for row in rows]


def test_without_a_fit_names_count_with_the_certainty_of_the_recogniser():
    assert probability(EndToEnd(), 0.8, 0.9, 0.5) == pytest.approx(0.36)
    assert probability(EndToEnd(), 0.8, 1, 0.5) == pytest.approx(0.4)


def test_without_a_threshold_names_must_be_more_likely_right_than_not():
    names = Names.certain([[0.9, 0.9], [0.6, 0.6], [0.9, 0.9]])
    assert EndToEnd().accepted([True, True, False], [0.5, 0.5, 0.9], names).tolist() == [True, False, False]


def test_a_threshold_is_one_of_the_row():
    names = Names.certain([[0.9, 0.9], [0.9, 0.9]])
    assert EndToEnd(threshold=0.6).accepted([False, True], [0.7, 0.5], names).tolist() == [True, False]


def test_hints_and_words_move_the_name_or_the_pair_that_has_them():
    rule = EndToEnd(name_hints={"site": -3.0, "id": 1.0}, pair_hints={"fusion": -2.0}, words={"correl": -2.0})
    none, site = [False, False], [False, True]
    hints, words = [[none, none], [none, site], *[[none, none]] * 2], [("binds",), (), (), ("correl", "binds")]
    given = names_with([[0.9, 0.9]] * 4, hints, [[0], [0], [1], [0]], words)
    plain, of_a_site, fused, correlated = rule.probabilities([0.8] * 4, given)
    assert of_a_site < 0.6 * plain
    assert fused == correlated < 0.6 * plain
    assert rule.probabilities([0.8] * 2, given.rows([3, 0])).tolist() == [correlated, plain]


def test_a_fit_learns_words_that_are_seen_often():
    rng = np.random.default_rng(0)
    said = rng.choice(["inhibi", "correl"], 400)
    words = [("rare", word) if row < SEEN_OFTEN - 1 else (word,) for row, word in enumerate(said)]
    given = names_with([[0.9, 0.9]] * 400, np.zeros((400, 2, 2)), np.zeros((400, 1)), words)
    fitted = EndToEnd().fitted([0.5] * 400, given, said == "inhibi")
    assert fitted.words["correl"] < -0.5 < 0.5 < fitted.words["inhibi"]
    assert fitted.words.keys() == {"correl", "inhibi"}


def test_a_fit_finds_the_rule_that_made_the_labels():
    rng = np.random.default_rng(0)
    n = 6000
    true = EndToEnd(1.4, -0.4, 0.8, 0.3, {"id": 1.2, "site": -1.5}, {"fusion": -1.8})
    given = names_with(rng.uniform(0.3, 0.99, (n, 2)), rng.uniform(size=(n, 2, 2)) < 0.3, rng.uniform(size=(n, 1)) < 0.3)
    pairs = rng.uniform(size=n)
    right = rng.uniform(size=n) < true.probabilities(pairs, given)
    found = EndToEnd().fitted(pairs, given, right, spread=3.0)
    np.testing.assert_allclose(found.probabilities(pairs, given), true.probabilities(pairs, given), atol=0.08)
    assert found.name_hints["site"] < 0 < found.name_hints["id"]
    assert found.pair_hints["fusion"] < -1


def test_a_fit_to_few_rows_stays_near_what_was_known_before():
    known = EndToEnd(1.3, -1.0, 0.8, 0.4, {}, {})
    fitted = known.fitted([0.9, 0.2], Names.certain([[0.9, 0.9]] * 2), [False, True], spread=0.05)
    assert fitted.pair_slope == pytest.approx(1.3, abs=0.1)
    assert fitted.pair_offset == pytest.approx(-1.0, abs=0.1)


def test_a_debatable_row_counts_half():
    names = Names.certain([[0.9, 0.9]] * 2)
    half, both = (EndToEnd().fitted([0.5, 0.5], names, right, spread=100.0) for right in ([0.5, 0.5], [True, False]))
    assert half.pair_offset == pytest.approx(both.pair_offset)
    assert half.probabilities([0.5, 0.5], names) == pytest.approx([0.5, 0.5], abs=0.01)


@given(RULES)
def test_what_is_stored_is_read_again(rule):
    assert EndToEnd.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule


def test_rules_of_version_02_are_read():
    lines = {"pair_slope": 0.8, "pair_offset": -0.5, "name_slope": 1.1, "name_offset": 0.2}
    read = EndToEnd.from_dict({**lines, "known_bonus": 0.7, "doubted_malus": 2.0, "threshold": 0.4})
    assert (read.name_hints["id"], read.name_hints["antibody"], read.pair_hints["fusion"]) == (0.7, -2.7, -2.0)
    assert (read.pair_offset, read.threshold) == (-0.5, 0.4)


def test_rules_that_knew_no_words_are_read():
    rule = EndToEnd(pair_hints={"fusion": -1.0}, threshold=0.6)
    assert EndToEnd.from_dict({name: value for name, value in rule.to_dict().items() if name != "words"}) == rule


@pytest.mark.parametrize(
    "changes",
    [
        {"pair_slope": -1.0},
        {"name_offset": float("nan")},
        {"unknown": 1.0},
        {"threshold": "much"},
        {"pair_hints": 3},
        {"words": {"x": float("inf")}},
    ],
)
def test_damaged_rules_are_refused(changes):
    with pytest.raises((ModelFileError, ValueError, AttributeError)):
        EndToEnd.from_dict({**EndToEnd().to_dict(), **changes})


def test_labels_must_fit_the_rows():
    with pytest.raises(ParameterError, match="2 rows have 1 labels"):
        EndToEnd().fitted([0.1, 0.2], Names.certain([[0.5, 0.5]] * 2), [True])
