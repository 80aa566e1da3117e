"""Thresholds and calibration on toy scores whose right answer a person sees at once."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import ParameterError
from relhash.learn.calibration import Calibration
from relhash.learn.threshold import CUT, choose_threshold, cut_after, parse_strategy

Y = np.array([1, 1, 0, 1, 0, 0, 0, 0, 0, 0])
SCORES = np.array([0.95, 0.9, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05])
SHIFTED = SCORES / 2


def test_fraction_follows_the_adaptation_set():
    """Best cut of the training side: after the fourth. On a target whose scores are half as high it is still four of ten."""
    at_home = choose_threshold("fraction", Y, SCORES)
    away = choose_threshold("fraction", Y, SCORES, target=SHIFTED)
    assert (at_home.fraction, at_home.basis, away.fraction, away.basis) == (0.4, "training", 0.4, "target")
    assert at_home.labels(SCORES).sum() == 4
    assert away.labels(SHIFTED).sum() == 4
    assert away.score == pytest.approx((0.35 + 0.25) / 2)


def test_prior_and_top_k():
    assert choose_threshold("prior", Y, SCORES, target=SHIFTED).labels(SHIFTED).sum() == 3
    assert choose_threshold("top-k:2", Y, SCORES, target=SHIFTED).labels(SHIFTED).sum() == 2
    assert choose_threshold("top-k:1000", Y, SCORES).labels(SCORES).all()


def test_precision_takes_the_lowest_score_that_keeps_it():
    y = np.repeat([1, 0, 1, 0], [50, 2, 10, 50])
    scores = np.linspace(1, 0, y.size)
    threshold = choose_threshold("precision:0.9", y, scores)
    labels = threshold.labels(scores)
    assert labels.sum() >= 62
    assert y[labels].mean() >= 0.9
    unreachable = choose_threshold("precision:1.0", y, scores)
    assert y[unreachable.labels(scores)].mean() == 1.0
    assert unreachable.labels(scores).sum() == 50


def test_fixed_is_a_calibrated_probability_and_score_is_not():
    calibration = Calibration(np.array([0.0, 1.0]), np.array([0.0, 0.5]), "isotonic")
    assert choose_threshold("fixed:0.25", Y, SCORES, calibration=calibration).score == 0.5
    assert choose_threshold(0.9, Y, SCORES, calibration=calibration).score == np.inf
    assert choose_threshold("score:0.5", Y, SCORES, calibration=calibration).score == 0.5
    assert choose_threshold(0.9, Y, SCORES, calibration=calibration).to_dict()["score"] is None


@pytest.mark.parametrize(
    "bad", ["best", "fixed", "fixed:x", "fixed:1.5", "precision:-1", "top-k:0", "fraction:0.3", "share:1.2", "share"]
)
def test_bad_strategies_are_named(bad):
    with pytest.raises(ParameterError, match="threshold"):
        parse_strategy(bad)


def test_a_share_is_accepted_whatever_the_labels_say():
    for cut in (CUT, None):
        threshold = choose_threshold("share:0.2", Y, SCORES, target=SHIFTED, cut=cut)
        assert (threshold.labels(SHIFTED).sum(), threshold.expected) == (2, 0.2)
    assert choose_threshold("fraction", Y, SCORES).expected is None


@pytest.mark.parametrize("target", [None, SHIFTED])
def test_picked_labels_have_a_probability_as_their_cut(target):
    """481 verdicts, 67 % of them yes: the top quarter of the sheet itself was accepted, F1 .545 where ppi has .851."""
    y = np.array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
    calibration = Calibration.fit(SCORES, y)
    picked = choose_threshold("fraction", y, SCORES, target=target, calibration=calibration, cut=CUT)
    np.testing.assert_array_equal(picked.labels(SCORES), calibration.probabilities(SCORES) >= CUT)
    assert picked.expected is None  # so that nobody moves the probabilities to a share


@given(st.floats(0.02, 0.98), st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_probabilities_move_to_a_share(share, scores):
    calibration = Calibration.fit(SCORES, Y)
    moved = calibration.moved_to(share, scores)
    assert moved.probabilities(scores).mean() == pytest.approx(share, abs=1e-6)
    assert (np.diff(moved.values) >= 0).all()
    assert Calibration.from_arrays(moved.to_arrays(), kind=moved.kind).kind == calibration.kind


def test_without_a_target_the_cut_is_lower_but_the_fraction_is_kept_for_one():
    """Scores of a model of AIMed fell on other corpora: with the cut of its own text it missed most of what was stated."""
    y = np.arange(100) < 20
    scores = np.linspace(1, 0, 100)
    alone = choose_threshold("fraction", y, scores)
    assert alone.fraction == pytest.approx(0.2, abs=0.02)
    assert alone.labels(scores).mean() == pytest.approx(0.3, abs=0.01)
    assert choose_threshold("fraction", y, scores, target=scores).labels(scores).mean() == pytest.approx(0.2, abs=0.02)
    rare = choose_threshold("fraction", np.arange(100) < 4, scores)
    assert rare.labels(scores).mean() <= 1.5 * rare.fraction + 0.01


def test_labels_of_the_target_have_no_way_in():
    """The function has no parameter for them; what it is given of the target are scores."""
    given = set(inspect.signature(choose_threshold).parameters)
    assert given == {"strategy", "y", "out_of_fold", "target", "calibration", "cut"}


def test_a_share_of_nothing_is_midway_between_the_best_score_and_certainty():
    cut = choose_threshold("share:0", Y, SCORES)
    assert not cut.labels(SCORES).any()
    assert cut.score == pytest.approx((max(SCORES) + 1) / 2)


def test_a_handful_of_top_candidates_proves_no_precision():
    """Three of three right is no 90 %: smoothed by one error it is 75 %. Ten of ten is 91 %."""
    y, scores = np.repeat([1, 0], [3, 97]), np.linspace(1, 0, 100)
    assert choose_threshold("precision:0.76", y, scores).labels(scores).sum() == 3  # out of reach: the most precise list
    longer = np.repeat([1, 0, 1, 0], [3, 1, 9, 87])  # 3 of 3, then 12 of 13
    assert choose_threshold("precision:0.85", longer, scores).labels(scores).sum() == 13
    assert choose_threshold("precision:0.75", longer, scores).labels(scores).sum() > 3
    two = np.repeat([1, 0, 1, 0], [2, 1, 3, 94])  # without smoothing the first two, 2 of 2, would be best
    assert choose_threshold("precision:0.9", two, scores).labels(scores).sum() == 6


def test_a_few_labels_leave_as_many_rows_as_before_and_many_take_the_number_the_text_expects():
    """A cut at 1/3 took rows away: F1 .08 below the untouched model with 40 labels where 8 % of the pairs are related."""
    rare = np.r_[np.full(5, 0.9), np.linspace(0.2, 0.001, 95)]
    accepted = [int((rare >= cut_after(n, rare, 40)).sum()) for n in (0, 10, 80, 2000)]
    assert accepted[0] == 40
    assert accepted == sorted(accepted, reverse=True)
    assert accepted[-1] == 5


@pytest.mark.parametrize(("probabilities", "n_before"), [([0.4], 0), ([0.0, 0.0], 2), ([1.0, 1.0], 5)])
def test_a_cut_is_a_probability_whatever_was_accepted_before(probabilities, n_before):
    assert 0 < cut_after(10, probabilities, n_before) < 1
