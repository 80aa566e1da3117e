from __future__ import annotations

import re

import numpy as np
import pytest

import relhash
from relhash.errors import ParameterError
from relhash.learn.metrics import auc
from relhash.model.answers.answer import Answer, Answered
from relhash.model.answers.teaching import Teaching


@pytest.fixture(scope="module")
def teaching(small_model, fulltext):
    return Teaching.of(small_model.fitted, fulltext)


def gold(teaching):
    return np.array([candidate.is_positive for candidate in teaching.candidates])


def answers(teaching, rows):
    return {teaching.candidates[row].key: Answer.YES if teaching.candidates[row].is_positive else Answer.NO for row in rows}


def test_without_answers_it_is_the_model_itself(teaching, small_model, fulltext):
    taught = teaching.taught({})
    assert taught.model is small_model.fitted
    np.testing.assert_array_equal(taught.probabilities, small_model.predict_proba(fulltext))
    predictions = small_model.predict(fulltext, all_candidates=True)
    np.testing.assert_array_equal(taught.accepted, [one.is_relation for one in predictions])


def test_answers_help_on_the_rest_of_the_text(teaching):
    taught = teaching.taught(answers(teaching, range(0, len(teaching.candidates), 3)))
    rest = np.arange(len(teaching.candidates)) % 3 > 0
    before, after = (auc(gold(teaching)[rest], one.scores[rest]) for one in (teaching.untaught, taught))
    assert after > before


def test_the_new_model_is_a_model(teaching, fulltext, tmp_path):
    """Saved and read again it predicts what the lesson said, and nothing but the decision has changed."""
    taught = teaching.taught(answers(teaching, range(60)))
    taught.model.save(tmp_path / "taught.relhash")
    model = relhash.load(tmp_path / "taught.relhash")
    predictions = model.predict(fulltext, all_candidates=True)
    np.testing.assert_allclose([one.probability for one in predictions], taught.probabilities, rtol=1e-6)
    np.testing.assert_array_equal([one.is_relation for one in predictions], taught.accepted)
    np.testing.assert_array_equal(model.hashcodes(fulltext), teaching.codes)
    assert model.card["taught"]["answers"]["yes"] + model.card["taught"]["answers"]["no"] == 60


def test_a_taught_model_can_be_taught_again(teaching, fulltext):
    first = teaching.taught(answers(teaching, range(0, 90, 2)))
    again = Teaching.of(first.model, fulltext)
    np.testing.assert_allclose(again.taught({}).probabilities, first.probabilities, rtol=1e-6)
    assert auc(gold(teaching), again.taught(answers(teaching, range(1, 90, 2))).scores) > 0.6


def test_answered_sentences_count_as_training_text(teaching):
    taught = teaching.taught(answers(teaching, range(60)))
    assert taught.model.training_sentences.size > teaching.model.training_sentences.size


def test_skipped_and_wrong_names_teach_nothing(teaching):
    keys = [candidate.key for candidate in teaching.candidates[:30]]
    mixed = dict.fromkeys(keys[::2], Answer.SKIP) | dict.fromkeys(keys[1::2], Answer.WRONG_ENTITY)
    assert teaching.taught(mixed).model is teaching.model


def test_questions_are_asked_once_and_shown(teaching):
    taught = teaching.taught({})
    first = teaching.questions(taught, {}, 10)
    told = {teaching.candidates[question.row].key: Answer.SKIP for question in first}
    taken = teaching.candidates[teaching.questions(taught, told)[0].row].key
    assert {one.row for one in first}.isdisjoint(one.row for one in teaching.questions(taught, told, 10, taken=[taken]))
    shown = teaching.prediction(first[0].row, taught)
    assert shown.probability == taught.probabilities[first[0].row]
    assert shown.as_row()["sentence"]


def test_precision_is_estimated_from_draws(teaching):
    taught = teaching.taught({})
    asked = teaching.questions(taught, {}, 100)
    given = answers(teaching, [one.row for one in asked])
    told = [Answered(teaching.candidates[one.row].key, given[teaching.candidates[one.row].key], one.draw) for one in asked]
    found = teaching.warranty(taught, told)
    assert found.precision.low <= gold(teaching)[taught.accepted].mean() <= found.precision.high


def test_answers_about_another_text_are_refused(teaching):
    with pytest.raises(ParameterError, match="no candidate 'elsewhere'"):
        teaching.taught({"elsewhere": Answer.YES})


def test_text_without_candidates(small_model):
    with pytest.raises(ParameterError, match="no candidates"):
        Teaching(small_model.fitted, [])


def test_what_answers_gain_is_measured_at_the_cuts_of_both_models(small_model, fulltext):
    """Both were compared from probability 1/3 on, whatever they accept."""
    teaching = Teaching.of(small_model.fitted.accepting_from(0.02), fulltext)
    given = answers(teaching, range(0, len(teaching.candidates), 2))
    taught, said = teaching.taught(given), [Answered(key, answer) for key, answer in given.items()]
    right, from_a_third = (((teaching.untaught.probabilities >= cut) == gold(teaching))[::2].mean() for cut in (0.02, 1 / 3))
    assert abs(right - from_a_third) > 0.1  # else nothing is tested
    compared = teaching.gain(said[: len(said) - len(said) % 5], taught)
    assert abs(float(re.search(r"(\d+)% right with ", compared[0])[1]) - 100 * right) < 2
    assert any(line.startswith("40 labels more: ") for line in compared)


def test_answers_that_are_all_no_gain_nothing_yet(teaching):
    """The twentieth *no* in a row ended in an error of the page's server."""
    said = [Answered(teaching.candidates[row].key, Answer.NO) for row in range(25)]
    assert teaching.gain(said, teaching.taught({one.key: one.answer for one in said})) == []
