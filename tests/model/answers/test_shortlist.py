"""What is kept of much text to be asked about."""

import numpy as np

import relhash
from relhash.corpus import Document
from relhash.model.answers.answer import Answer
from relhash.model.answers.teaching import Teaching

VERBS = ("binds", "inhibits", "activates", "does not bind", "was measured with")


def text(n=60):
    return [Document(f"d{i}", f"RAF{i} {VERBS[i % 5]} MEK{i} in {'many ' * (i % 7)}cells.") for i in range(n)]


def test_of_much_text_some_is_kept_and_what_is_drawn_speaks_for_all():
    model = relhash.load("ppi", encoder=False)
    everything, some = Teaching.of(model, text()), Teaching.answered(model, text(), most=20)[0]
    assert some.total == len(everything.candidates) > 20 >= len(some.candidates)
    assert some.is_sample.sum() == 10
    doubt = everything.untaught.probabilities * (1 - everything.untaught.probabilities)
    kept = [everything.row_of[one.key] for one in some.candidates]
    assert doubt[kept].mean() > doubt.mean()
    drawn = [one for one in some.questions(some.untaught, {}, 20) if one.draw is not None]
    assert drawn
    assert all(some.is_sample[one.row] for one in drawn)


def test_a_text_that_fits_is_kept_whole():
    model = relhash.load("ppi", encoder=False)
    assert Teaching.answered(model, text(5), most=20)[0].row_of == Teaching.of(model, text(5)).row_of


def test_what_an_answer_is_about_stays(tmp_path):
    model = relhash.load("ppi", encoder=False)
    everything, some = Teaching.of(model, text()), Teaching.answered(model, text(), most=20)[0]
    key = next(key for key in everything.row_of if key not in some.row_of)
    (tmp_path / "a.tsv").write_text(f"key\tanswer\n{key}\tyes\n")
    assert key in Teaching.answered(model, text(), [tmp_path / "a.tsv"], most=20)[0].row_of


def test_near_duplicates_are_one_question_with_a_group():
    model = relhash.load("ppi", encoder=False)
    same = [Document(f"s{i}", "RAF1 binds to MEK1.") for i in range(3)]
    teaching = Teaching.of(model, [*same, Document("o", "TNF and IL2 were measured in the serum of patients.")])
    found = teaching.questions_in_groups(teaching.untaught, {}, 4)
    rows = [question.row for question, _ in found] + [row for _, group in found for row in group]
    assert sorted(rows) == list(range(len(teaching.candidates)))
    assert max(len(group) for _, group in found) == 2
    known = {teaching.candidates[row].key: Answer.YES for row in rows[:1]}
    assert rows[0] not in {question.row for question, _ in teaching.questions_in_groups(teaching.untaught, known, 4)}
    assert np.isfinite(teaching.untaught.probabilities).all()
