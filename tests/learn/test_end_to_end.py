"""From the probability of a pair to that of a row with names that a tagger found."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import ModelFileError, ParameterError
from relhash.learn.end_to_end import DOUBTED, KNOWN, UNKNOWN, EndToEnd

PROBABILITY = st.floats(0, 1)
FOUND = st.floats(0, 0.9999)
SLOPE, OFFSET = st.floats(0, 4), st.floats(-4, 4)
RULES = st.builds(EndToEnd, SLOPE, OFFSET, SLOPE, OFFSET, SLOPE, SLOPE, st.none() | PROBABILITY)
STANDING = st.sampled_from([DOUBTED, UNKNOWN, KNOWN])


def probability(rule: EndToEnd, pair: float, *names: float, standings: tuple[int, ...] = (UNKNOWN, UNKNOWN)) -> float:
    return float(rule.probabilities([pair], [names], [standings])[0])


@given(RULES, PROBABILITY, FOUND, FOUND)
def test_it_is_a_probability_and_does_not_depend_on_the_order_of_names(rule, pair, first, second):
    found = probability(rule, pair, first, second)
    assert 0 <= found <= 1
    assert found == pytest.approx(probability(rule, pair, second, first))


@given(RULES, st.tuples(PROBABILITY, PROBABILITY), st.tuples(FOUND, FOUND), FOUND, st.tuples(STANDING, STANDING))
def test_it_rises_with_each_of_its_inputs(rule, pairs, names, other, standings):
    low, high = min(pairs), max(pairs)
    unsure, sure = min(names), max(names)
    worse, better = (min(standings), UNKNOWN), (max(standings), UNKNOWN)
    lowest = probability(rule, low, unsure, other, standings=worse)
    assert lowest <= probability(rule, high, unsure, other, standings=worse)
    assert lowest <= probability(rule, low, sure, other, standings=worse)
    assert lowest <= probability(rule, low, unsure, other, standings=better)


@given(RULES, PROBABILITY, st.booleans())
def test_annotated_names_leave_the_classifier_alone(rule, pair, label):
    assert probability(rule, pair, 1, 1) == pair
    unfitted = replace(rule, threshold=None)
    assert unfitted.accepted([label], [pair], [[1, 1]]).tolist() == [label]
    assert rule.accepted([label], [pair], [[1, 1]]).tolist() == [label]


@given(RULES, st.lists(st.tuples(PROBABILITY, st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_rows_do_not_depend_on_each_other(rule, rows):
    together = rule.probabilities([row[0] for row in rows], [row[1:] for row in rows])
    assert together.tolist() == [probability(rule, *row) for row in rows]


def test_without_a_fit_names_count_with_the_taggers_certainty():
    assert probability(EndToEnd(), 0.8, 0.9, 0.5) == pytest.approx(0.36)
    assert probability(EndToEnd(), 0.8, 1, 0.5) == pytest.approx(0.4)


def test_without_a_threshold_names_must_be_more_likely_right_than_not():
    names = [[0.9, 0.9], [0.6, 0.6], [0.9, 0.9]]
    assert EndToEnd().accepted([True, True, False], [0.5, 0.5, 0.9], names).tolist() == [True, False, False]


def test_pairs_that_are_only_named_together_are_doubted_by_a_line_that_was_fitted_to_readers_alone():
    bystander, other = EndToEnd().pairs([0.8, 0.8], [True, False])
    assert bystander == other == pytest.approx(0.8)
    bystander, other = EndToEnd(pair_offset=-0.5).pairs([0.8, 0.8], [True, False])
    assert bystander < 0.3 < other


def test_a_threshold_is_one_of_the_row():
    rule = EndToEnd(threshold=0.6)
    assert rule.accepted([False, True], [0.7, 0.5], [[0.9, 0.9], [0.9, 0.9]]).tolist() == [True, False]


def test_fits_find_the_lines_that_made_the_labels():
    rng = np.random.default_rng(0)
    true = EndToEnd(1.4, -0.8, 0.7, -0.5, 1.2, 2.5)
    pairs, certainties, standings = rng.uniform(size=4000), rng.uniform(size=4000), rng.integers(-1, 2, 4000)
    related = rng.uniform(size=4000) < true.pairs(pairs)
    right = rng.uniform(size=4000) < true.names(certainties, standings)
    found = EndToEnd().with_pairs(pairs, related).with_names(certainties, standings, right)
    for name in ("pair_slope", "pair_offset", "name_slope", "name_offset", "known_bonus", "doubted_malus"):
        assert getattr(found, name) == pytest.approx(getattr(true, name), abs=0.25), name


def test_a_fit_to_few_rows_stays_near_what_was_known_before():
    known = EndToEnd(1.3, -1.0, 0.8, 0.4, 0.5)
    fitted = known.with_pairs([0.9, 0.2], [False, True], spread=(0.1, 0.1))
    assert fitted.pair_slope == pytest.approx(1.3, abs=0.1)
    assert fitted.pair_offset == pytest.approx(-1.0, abs=0.1)
    assert known.with_names([], [], []) == known


def test_labels_that_run_backwards_give_a_flat_line():
    p = np.linspace(0.05, 0.95, 400)
    fitted = EndToEnd().with_pairs(p, p < 0.5, spread=(5.0, 5.0))
    assert fitted.pair_slope == 0


@given(st.lists(PROBABILITY, min_size=1, max_size=50), st.floats(0.01, 0.99))
def test_the_threshold_keeps_its_expected_precision(probabilities, wanted):
    values = np.array(probabilities)
    if values.max() < wanted - 1e-9:
        with pytest.raises(ParameterError, match="expected precision"):
            EndToEnd().with_precision(values, wanted)
        return
    threshold = EndToEnd().with_precision(values, wanted - 1e-9).threshold
    assert values[values >= threshold].mean() >= wanted - 1e-8
    below = values[values < threshold]
    if below.size:
        assert values[values >= below.max()].mean() < wanted + 1e-9


def test_a_precision_that_is_just_reached_is_enough():
    assert EndToEnd().with_precision([1.0, 0.5], 0.75).threshold == 0.5


@given(RULES)
def test_what_is_stored_is_read_again(rule):
    assert EndToEnd.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule


@pytest.mark.parametrize(
    "changes",
    [{"pair_slope": -1.0}, {"known_bonus": -0.1}, {"name_offset": float("nan")}, {"unknown": 1.0}, {"threshold": "much"}],
)
def test_damaged_rules_are_refused(changes):
    with pytest.raises((ModelFileError, ValueError)):
        EndToEnd.from_dict({**EndToEnd().to_dict(), **changes})


def test_labels_must_fit_the_rows():
    with pytest.raises(ParameterError, match="2 rows have 1 labels"):
        EndToEnd().with_pairs([0.1, 0.2], [True])
