from __future__ import annotations

import threading

import numpy as np
import pytest

from relhash.curate.store import Given
from relhash.model.answers.answer import Answer
from relhash.model.answers.teaching import Teaching


def by_gold(teaching, rows, curator="ann"):
    return [
        Given(teaching.candidates[row].key, curator, Answer.YES if teaching.candidates[row].is_positive else Answer.NO)
        for row in rows
    ]


def test_the_model_is_that_of_the_answers_in_whatever_order_they_came(teaching, curation):
    for one in reversed(by_gold(teaching, range(30))):
        curation.add([one])
    found = curation.settled().taught
    expected = teaching.taught({one.key: one.answer for one in by_gold(teaching, range(30))})
    np.testing.assert_array_equal(found.probabilities, expected.probabilities)


def test_nobody_waits_for_a_refit_that_takes_long(teaching, open_curation, monkeypatch):
    curation = open_curation(patience=0.05)
    go_on = threading.Event()
    own = Teaching.taught

    def slow(self, answers, drawn=None):
        go_on.wait(300)
        return own(self, answers, drawn)

    monkeypatch.setattr(Teaching, "taught", slow)
    before = curation.moment
    _, version = curation.add(by_gold(teaching, range(10)))
    assert curation.wait(version) is before  # it goes on only below
    assert curation.is_learning
    curation.add(by_gold(teaching, range(10, 20)))  # while the first ten are learned
    go_on.set()
    after = curation.settled()
    assert len(after.answers) == 20
    assert not curation.is_learning


def test_an_answer_is_safe_when_the_model_cannot_learn_it(teaching, open_curation, monkeypatch):
    curation = open_curation()

    def broken(self, answers, drawn=None):
        raise FloatingPointError("something that nobody thought of")

    with monkeypatch.context() as patch:
        patch.setattr(Teaching, "taught", broken)
        before = curation.moment.taught
        curation.add(by_gold(teaching, range(10)))
        assert curation.settled().taught is before
        assert "nobody thought of" in curation.problem
        assert len(curation.store.standing()) == 10
    curation.add(by_gold(teaching, range(10, 12)))
    assert len(curation.settled().answers) == 12
    assert curation.problem == ""


def test_who_sees_a_new_model_sees_no_old_problem(teaching, open_curation):
    """The problem stood for a moment longer: until the new model was measured on the held-out text."""
    seen = []

    class Watching:
        def score(self, model):
            seen.append(curation.problem if seen else "at the start")

    curation = open_curation(held_out=Watching())
    curation.problem = "the model could not learn the last answers"
    curation.add(by_gold(teaching, range(10)))
    curation.settled(300)
    assert seen == ["at the start", ""]


def test_an_answer_that_cannot_be_written_changes_nothing(teaching, curation, monkeypatch):
    def full(answers):
        raise OSError("no space left")

    monkeypatch.setattr(curation.store, "add", full)
    with pytest.raises(OSError, match="no space"):
        curation.add(by_gold(teaching, [0]))
    assert len(curation.answers) == 0
    assert not curation.is_learning


def test_answers_about_candidates_that_are_not_there_are_left_alone(teaching, curation, open_curation):
    curation.store.add([Given("elsewhere", "ann", Answer.YES)])
    again = open_curation()
    assert len(again.answers) == 0
    assert len(again.store.standing()) == 1
