"""Labels correct a prior: a little with few, much with many, and never against what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, special

from relhash.errors import ModelFileError, ParameterError
from relhash.learn import LinearClassifier, correction
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import read_classifier
from relhash.learn.contributions import contributions
from relhash.learn.correction import (
    CHOSEN,
    DRAWN,
    OTHER_TEXT,
    FittedCorrection,
    corrected,
    fit_terms,
    fitted_line,
    held_out_log_odds,
)
from relhash.learn.metrics import auc

COLUMNS = {"coordinates": slice(0, 6), "ngrams": slice(6, 12)}


@pytest.fixture(scope="module")
def text():
    """Coordinates, and words that stand in a third of the rows; a prior that knows the first coordinate."""
    rng = np.random.default_rng(0)
    X = np.hstack([rng.normal(size=(600, 6)), rng.uniform(size=(600, 6)) < 0.3])
    return X, 2 * X[:, 0] - 1


def test_a_line_is_where_labels_and_prior_pull_alike(text):
    X, _ = text
    y = X[:40, 0] + X[:40, 1] > 0.3
    centre, spread = np.array([4.0, -3.0]), np.array([0.5, 2.0])
    found = np.array(fitted_line(X[:40, :2], y, centre, spread, free=(0, 1)))
    pull = X[:40, :2].T @ (special.expit(X[:40, :2] @ found) - y) + (found - centre) / spread**2
    np.testing.assert_allclose(pull, 0, atol=1e-3)
    assert fitted_line(X[:40, :2], y, centre, spread, free=(0,))[1] >= 0


def test_without_labels_it_is_the_prior(text):
    X, prior = text
    fitted = corrected(np.zeros(0), X[:0], np.zeros(0, bool), COLUMNS, background=X)
    np.testing.assert_array_equal(fitted.corrected(prior, X), prior)


@pytest.mark.parametrize("n", [4, 10, 40])
def test_labels_that_agree_with_the_prior_leave_its_order(text, n):
    X, prior = text
    truth = prior > -0.5
    fitted = corrected(prior[:n], X[:n], truth[:n], COLUMNS, background=X)
    assert auc(truth, fitted.corrected(prior, X)) > 0.99


def test_many_labels_are_followed_and_a_useless_prior_fades(text):
    X, _ = text
    useless = 2 * np.random.default_rng(1).normal(size=600)
    truth = X[:, 1] + X[:, 2] > 0
    reached = {}
    for n in (20, 300):
        fitted = corrected(useless[:n], X[:n], truth[:n], COLUMNS, background=X)
        reached[n] = auc(truth[300:], fitted.corrected(useless, X)[300:])
    assert reached[20] > 0.6
    assert reached[300] > 0.95
    assert abs(fitted.terms.slope) < 0.2


def test_answers_of_one_kind_move_mostly_probabilities(text):
    X, prior = text
    fitted = corrected(prior[:5], X[:5], np.ones(5, bool), COLUMNS, background=X)
    after = fitted.corrected(prior, X)
    assert after.mean() > prior.mean()
    assert np.corrcoef(after, prior)[0, 1] > 0.9


def test_a_row_like_an_answered_one_moves_most(text):
    X, prior = text[0].copy(), np.zeros(600)
    X[1] = X[0]
    fitted = corrected(prior[:1], X[:1], [True], COLUMNS, background=X)
    moved = fitted.corrected(prior, X) - prior
    assert moved[1] == pytest.approx(moved[0])
    assert moved[1] > np.delete(moved, [0, 1]).max()


def test_without_nearness_only_the_linear_term_is_left(text):
    X, prior = text
    with_it, without = (corrected(prior[:40], X[:40], X[:40, 1] > 0, COLUMNS, background=X, nearby=n) for n in (0.5, 0.0))
    assert with_it.terms.near.any()
    assert without.terms.linear.any()
    assert not without.terms.near.any()


def test_labels_of_other_text_are_believed_less(text):
    X, prior = text
    truth = X[:, 1] > 0
    here, there = (
        corrected(prior[:60], X[:60], truth[:60], COLUMNS, background=X, origins=np.full(60, origin))
        for origin in (DRAWN, OTHER_TEXT)
    )
    change = [np.abs(one.corrected(prior, X) - prior).mean() for one in (here, there)]
    assert change[1] < 0.9 * change[0]


def test_chosen_questions_hardly_move_what_is_common(text):
    """Only uncertain rows are asked, and all that are asked are denied: of the rest that says little."""
    X, prior = text
    order = np.argsort(np.abs(prior))[:30]
    moved = [
        corrected(prior[order], X[order], np.zeros(30, bool), COLUMNS, background=X, origins=np.full(30, origin)).terms.offset
        for origin in (DRAWN, CHOSEN)
    ]
    assert moved[0] < moved[1] < 0


def test_no_harm_by_labels_thrown_by_dice(text):
    X, prior = text
    truth = np.random.default_rng(2).uniform(size=600) < special.expit(prior)
    lost = []
    for draw in range(10):
        rows = np.random.default_rng(draw).choice(600, 20, replace=False)
        fitted = corrected(prior[rows], X[rows], truth[rows], COLUMNS, background=X)
        lost.append(auc(truth, prior) - auc(truth, fitted.corrected(prior, X)))
    assert max(lost) < 0.02
    assert np.mean(lost) < 0.005


def test_a_classifier_of_the_labels_alone_is_heard_as_far_as_it_knows(text):
    X, prior = text
    truth = X[:, 3] > 0.3
    knowing, guessing = 3 * X[:, 3], np.random.default_rng(3).normal(size=600)
    weights = [corrected(prior[:200], X[:200, :3], truth[:200], own=own[:200]).terms.own for own in (knowing, guessing)]
    assert weights[0] > 5 * weights[1] >= 0
    assert corrected(prior[:80], X[:80, :3], truth[:80], own=-knowing[:80]).terms.own == 0  # of few labels it is noise


def test_more_labels_than_a_kernel_can_take_are_a_line_and_a_classifier():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 3))
    prior, own = X[:, 0], X[:, 1]
    truth = rng.uniform(size=1500) < special.expit(X[:, 0] + 2 * X[:, 1])
    fitted = corrected(prior, X, truth, own=own)
    assert fitted.answers.dense.shape[0] == 0
    assert fitted.terms.slope == pytest.approx(1, abs=0.2)
    assert fitted.terms.own == pytest.approx(2, abs=0.4)


def test_held_out_rows_have_not_seen_their_labels(text):
    """Labels thrown by dice: who has seen them knows them, who has not guesses."""
    X, _ = text
    prior, truth = np.zeros(120), np.arange(120) % 2 == 0
    fitted = corrected(prior, X[:120], truth, COLUMNS, background=X)
    held_out = held_out_log_odds(fitted, prior, X[:120], truth, np.arange(120))
    assert auc(truth, fitted.corrected(prior, X[:120])) > 0.7
    assert auc(truth, held_out) < 0.65


def fitted_on(text) -> FittedCorrection:
    """A correction of a classifier that is kept with it, by a classifier of its own and 40 answers."""
    X, _ = text
    before = LinearClassifier(1.0).fit(X, X[:, 0] > 0)
    own = LinearClassifier(0.1).fit(X[:40], X[:40, 1] > 0)
    prior = before.log_odds(X)
    told = corrected(prior[:40], X[:40], X[:40, 1] > 0, COLUMNS, background=X, own=own.log_odds(X[:40]), examples=["a"] * 40)
    kept = {"before": before, "before_kind": "linear", "calibration": Calibration.line(1.0, 0.0), "n_features": 12}
    return replace(told, own=own, own_kind="linear", **kept)


def test_it_survives_a_file_and_rows_do_not_depend_on_each_other(text):
    X, _ = text
    fitted = fitted_on(text)
    again = read_classifier("correction", fitted.to_arrays())
    np.testing.assert_array_equal(again.scores(X), fitted.scores(X))
    apart = np.concatenate([fitted.scores(X[row : row + 1]) for row in range(20)])
    np.testing.assert_array_equal(apart, fitted.scores(X[:20]))
    assert again.examples == fitted.examples


def test_contributions_sum_to_its_log_odds(text):
    X, _ = text
    fitted = fitted_on(text)
    found = contributions(fitted, X)
    np.testing.assert_allclose(found.total, fitted.log_odds(X), atol=1e-6)
    assert found.values.shape[1] == X.shape[1] + 40


@pytest.mark.parametrize("change", [{"numbers": np.zeros(2)}, {"labels": np.full((2, 40), np.nan)}, {"answers": np.zeros(3)}])
def test_damaged_arrays_are_refused(text, change):
    with pytest.raises(ModelFileError, match="correction"):
        read_classifier("correction", {**fitted_on(text).to_arrays(), **change})


def test_shapes_are_checked(text):
    X, prior = text
    with pytest.raises(ParameterError, match="labels"):
        corrected(prior[:3], X[:4], [True] * 4, COLUMNS)


def test_terms_of_a_line_alone_are_those_of_penalised_logistic_regression():
    """Against scipy, with one setting of the grid: no features, so only offset and slope are learned."""
    rng = np.random.default_rng(0)
    prior, y = rng.normal(size=30), rng.uniform(size=30) < 0.7

    def loss(line):
        margin = line[1] * prior + line[0]
        away = np.array([line[0] / 0.5, (line[1] - 1) / 0.3])
        return np.sum(np.logaddexp(0, margin) - y * margin) + 0.5 * away @ away

    found = optimize.minimize(loss, [0.0, 1.0]).x
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(correction, "LINES", ((0.5, 0.3, 1.0),))
        terms = fit_terms(prior, y, np.zeros((30, 30)), np.ones(30), np.zeros(30, int))
    assert (terms.offset, terms.slope) == pytest.approx(tuple(found), abs=0.1)  # nearness moves single rows a little
