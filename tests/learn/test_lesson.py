from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.learn import LinearClassifier
from relhash.learn.decision import Decision, DecisionSettings
from relhash.learn.lesson import Lesson
from relhash.learn.metrics import auc

COLUMNS = {"bits": slice(0, 6)}
DOCUMENTS = np.arange(400) // 4


@pytest.fixture(scope="module")
def table():
    return np.random.default_rng(3).normal(size=(400, 6))


def decision(X, y, threshold="fraction"):
    return Decision.fit(DecisionSettings((LinearClassifier(),), threshold=threshold), X, y, DOCUMENTS, columns=COLUMNS)


def test_without_answers_nothing_changes(table):
    before = decision(table, table[:, 0] > 0.4)
    after = Lesson(before, table, COLUMNS).learn([], [])
    assert after.decision is before
    np.testing.assert_array_equal(after.scores, before.decide(table)[0])


def test_answers_correct_a_model_that_means_something_else(table):
    truth = table[:, 3] > 0.4
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS)
    rows = np.arange(0, 400, 4)
    after = lesson.learn(rows, truth[rows])
    assert auc(truth, lesson.scores) < 0.6
    assert auc(truth, after.scores) > 0.95


def test_a_good_model_is_kept_by_few_answers(table):
    truth = table[:, 0] + table[:, 1] > 0.4
    lesson = Lesson(decision(table, truth), table, COLUMNS)
    rows = np.flatnonzero(np.isin(np.arange(400), [0, 5, 9, 17, 30, 77]) | (np.arange(400) > 394))
    assert auc(truth, lesson.learn(rows, truth[rows]).scores) > 0.95


def test_features_that_tell_nothing_leave_the_order_as_it_was(table):
    """Held-out votes whose spread vanishes were divided by it: the own vote counted a thousandfold, AUC .879 became .560."""
    truth = table[:, 0] > 0.4
    X = np.hstack([table, np.full((400, 2), 1e-9) * np.arange(400)[:, None]])
    before = Decision.fit(DecisionSettings((LinearClassifier(),)), X, truth, DOCUMENTS, columns={"bits": slice(0, 8)})
    lesson = Lesson(before, X, {"bits": slice(6, 8)})
    rows = np.arange(0, 40, 4)
    assert auc(truth, lesson.learn(rows, truth[rows]).scores) > 0.95


def test_the_order_of_answers_does_not_matter(table):
    truth = table[:, 2] > 0
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS)
    rows = np.arange(0, 400, 9)
    first, second = lesson.learn(rows, truth[rows]), lesson.learn(rows[::-1], truth[rows[::-1]])
    np.testing.assert_array_equal(first.scores, second.scores)
    assert first.decision.threshold == second.decision.threshold


@pytest.mark.parametrize("raw_line", [(1.0, 0.0), (1.3, 0.9)])
def test_scores_are_those_of_the_classifier(table, raw_line):
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS, raw_line=raw_line)
    after = lesson.learn(np.arange(50), table[:50, 1] > 0)
    np.testing.assert_allclose(after.decision.decide(table)[0], after.scores, rtol=1e-5)


def test_probabilities_move_to_what_is_common_in_the_answers(table):
    """Before: a third is related; the answers say that hardly anything is."""
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS)
    rows = np.arange(0, 400, 4)
    rare = table[rows, 0] > 1.5
    after = lesson.learn(rows, rare)
    before = lesson.before.calibration.probabilities(lesson.scores)
    assert after.probabilities.mean() < 0.6 * before.mean()
    assert after.decision.accepted < 0.75 * lesson.before.threshold.labels(lesson.scores).mean()


def test_a_threshold_at_a_probability_stays_there(table):
    lesson = Lesson(decision(table, table[:, 0] > 0.4, threshold=0.8), table, COLUMNS)
    after = lesson.learn(np.arange(80), table[:80, 1] > 0)
    accepted = after.decision.threshold.labels(after.scores)
    np.testing.assert_array_equal(accepted, after.probabilities >= 0.8)


def test_a_precise_threshold_stays_precise(table):
    lesson = Lesson(decision(table, table[:, 0] > 0.4, threshold="precision:0.9"), table, COLUMNS)
    after = lesson.learn(np.arange(80), table[:80, 1] > 0)
    accepted = after.decision.threshold.labels(after.scores)
    assert after.probabilities[accepted].mean() >= 0.89


def test_two_answers_to_one_question_are_refused(table):
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS)
    with pytest.raises(ParameterError, match="one answer per candidate"):
        lesson.learn([1, 1], [True, False])


def test_a_model_with_only_a_prior_cannot_be_taught(table):
    with pytest.raises(ParameterError, match="cannot be taught"):
        Lesson(decision(table, table[:, 0] > 0.4), table, {"prior": slice(0, 6)})


def test_without_the_decision_before_probabilities_still_tell(table):
    """Probabilities that are the same everywhere gave a map that was flat but for rounding: nothing was accepted."""
    truth = table[:, 3] > 0.4
    lesson = Lesson(decision(table, table[:, 0] > 0.4, threshold=0.33), table, COLUMNS, from_nothing=True)
    rows = np.arange(0, 400, 4)
    after = lesson.learn(rows, truth[rows])
    accepted = after.decision.threshold.labels(after.scores)
    assert np.mean(accepted == truth) > 0.85
    assert auc(truth, after.decision.decide(table)[0]) > 0.95
