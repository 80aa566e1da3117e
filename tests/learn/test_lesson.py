from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.learn import LinearClassifier
from relhash.learn.decision import Decision, DecisionSettings
from relhash.learn.lesson import Lesson
from relhash.learn.metrics import auc
from relhash.learn.taught import FittedTaught

COLUMNS = {"bits": slice(0, 6)}
DOCUMENTS = np.arange(400) // 4


@pytest.fixture(scope="module")
def table():
    return np.random.default_rng(3).normal(size=(400, 6))


def decision(X, y, threshold="fraction"):
    return Decision.fit(DecisionSettings((LinearClassifier(),), threshold=threshold), X, y, DOCUMENTS, columns=COLUMNS)


def test_without_answers_of_both_kinds_nothing_changes(table):
    before = decision(table, table[:, 0] > 0.4)
    lesson = Lesson(before, table, COLUMNS, DOCUMENTS)
    for rows, y in ([], []), ([1, 2, 3], [True] * 3), ([1, 2, 3], [True, True, False]):
        after = lesson.learn(rows, y)
        assert after.decision is before
        assert after.weight == 1.0
        np.testing.assert_array_equal(after.scores, before.decide(table)[0])


def test_answers_correct_a_model_that_means_something_else(table):
    truth = table[:, 3] > 0.4
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS, DOCUMENTS)
    rows = np.arange(0, 400, 4)
    after = lesson.learn(rows, truth[rows])
    assert auc(truth, lesson.scores) < 0.6
    assert auc(truth, after.scores) > 0.95
    assert after.weight < 0.4


def test_a_good_model_is_kept_by_few_answers(table):
    truth = table[:, 0] + table[:, 1] > 0.4
    lesson = Lesson(decision(table, truth), table, COLUMNS, DOCUMENTS)
    rows = np.flatnonzero(np.isin(np.arange(400), [0, 5, 9, 17, 30, 77]) | (np.arange(400) > 394))
    after = lesson.learn(rows, truth[rows])
    assert after.weight >= 25 / (25 + rows.size)
    assert auc(truth, after.scores) > 0.95


def test_answers_that_teach_nothing_leave_the_order_as_it_was(table):
    """Held-out votes whose spread vanishes were divided by it: the own vote counted a thousandfold, AUC .879 became .560."""
    truth = table[:, 0] > 0.4
    flat = np.hstack([table[:, :1] * 1e-9, np.ones((400, 5))])
    before = decision(table, truth)
    lesson = Lesson(before, table, COLUMNS, DOCUMENTS)
    lesson.X = flat  # what the answers see tells nothing
    rows = np.arange(0, 40, 4)
    after = lesson.learn(rows, truth[rows])
    assert after.decision.classifier.scale >= 0.3
    assert auc(truth, after.scores) > 0.95


def test_the_order_of_answers_does_not_matter(table):
    truth = table[:, 2] > 0
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS, DOCUMENTS)
    rows = np.arange(0, 400, 9)
    first, second = lesson.learn(rows, truth[rows]), lesson.learn(rows[::-1], truth[rows[::-1]])
    np.testing.assert_array_equal(first.scores, second.scores)
    assert first.decision.threshold == second.decision.threshold


def test_scores_are_those_of_the_classifier(table):
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS, DOCUMENTS)
    after = lesson.learn(np.arange(50), table[:50, 1] > 0)
    assert isinstance(after.decision.classifier, FittedTaught)
    np.testing.assert_allclose(after.decision.decide(table)[0], after.scores, rtol=1e-12)


def test_probabilities_move_to_what_is_common_in_the_answers(table):
    """Before: a third is related; the answers say that hardly anything is."""
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS, DOCUMENTS)
    rows = np.arange(0, 400, 4)
    rare = table[rows, 0] > 1.5
    after = lesson.learn(rows, rare)
    before = lesson.before.calibration.probabilities(lesson.scores)
    assert after.probabilities.mean() < 0.5 * before.mean()
    assert after.decision.accepted < 0.75 * lesson.before.threshold.labels(lesson.scores).mean()


def test_a_model_that_is_certain_can_be_taught(table):
    """Certain probabilities have no log-odds."""
    truth = table[:, 0] > 0.4
    lesson = Lesson(decision(table, truth), table, COLUMNS, DOCUMENTS, start=truth.astype(float))
    after = lesson.learn(np.arange(40), truth[:40])
    assert auc(truth, after.probabilities) > 0.95
    assert after.probabilities[truth].mean() > 0.9


def test_a_threshold_at_a_probability_stays_there(table):
    lesson = Lesson(decision(table, table[:, 0] > 0.4, threshold=0.8), table, COLUMNS, DOCUMENTS)
    after = lesson.learn(np.arange(80), table[:80, 1] > 0)
    accepted = after.decision.threshold.labels(after.scores)
    np.testing.assert_array_equal(accepted, after.probabilities >= 0.8)


def test_a_precise_threshold_stays_precise(table):
    lesson = Lesson(decision(table, table[:, 0] > 0.4, threshold="precision:0.9"), table, COLUMNS, DOCUMENTS)
    after = lesson.learn(np.arange(80), table[:80, 1] > 0)
    accepted = after.decision.threshold.labels(after.scores)
    assert after.probabilities[accepted].mean() >= 0.89


def test_two_answers_to_one_question_are_refused(table):
    lesson = Lesson(decision(table, table[:, 0] > 0.4), table, COLUMNS, DOCUMENTS)
    with pytest.raises(ParameterError, match="one answer per candidate"):
        lesson.learn([1, 1], [True, False])


def test_a_model_with_only_a_prior_cannot_be_taught(table):
    with pytest.raises(ParameterError, match="cannot be taught"):
        Lesson(decision(table, table[:, 0] > 0.4), table, {"prior": slice(0, 6)}, DOCUMENTS)


def test_without_the_decision_before_probabilities_still_tell(table):
    """Probabilities that are the same everywhere gave a map that was flat but for rounding: nothing was accepted."""
    truth = table[:, 3] > 0.4
    lesson = Lesson(decision(table, table[:, 0] > 0.4, threshold=0.33), table, COLUMNS, DOCUMENTS, weight=0.0)
    rows = np.arange(0, 400, 4)
    after = lesson.learn(rows, truth[rows])
    accepted = after.decision.threshold.labels(after.scores)
    assert np.mean(accepted == truth) > 0.85
    assert after.weight == 0.0
