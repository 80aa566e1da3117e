from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from relhash.curate.standing import agreement, cohen_kappa, decided, is_disputed
from relhash.model.answers.answer import Answer

YES, NO, SKIP, NAME, NEGATED = Answer.YES, Answer.NO, Answer.SKIP, Answer.WRONG_ENTITY, Answer.NEGATED


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_kappa_is_that_of_scikit_learn(pairs):
    first, second = zip(*pairs)
    if len({*first, *second}) == 1:
        assert cohen_kappa(pairs) == 1.0
    else:
        assert cohen_kappa(pairs) == pytest.approx(cohen_kappa_score(first, second))


def test_only_questions_with_two_answers_count():
    assert agreement({"a": {"ann": YES}, "b": {"ann": YES, "bob": SKIP}}) is None
    found = agreement({"a": {"ann": YES, "bob": YES}, "b": {"ann": NO, "bob": NEGATED}, "c": {"cy": NO}})
    assert found.kappa == 1.0
    assert found.double == 2


def test_three_people_are_three_pairs():
    said = [(YES, NO) if n % 2 else (NO, YES) for n in range(10)]
    answers = {str(n): {"ann": one, "bob": one, "cy": other} for n, (one, other) in enumerate(said)}
    assert agreement(answers).kappa == pytest.approx((1 - 1 - 1) / 3)


@pytest.mark.parametrize(
    ("answers", "said", "disputed"),
    [([YES], YES, False), ([YES, NO], SKIP, True), ([YES, NO, NO], NO, False), ([NEGATED, NEGATED, NO, YES], NEGATED, False),
     ([SKIP], SKIP, False), ([SKIP, NAME], NAME, False), ([NO, NEGATED], NO, False), ([YES, NAME], SKIP, True)],
)  # fmt: skip
def test_what_several_people_say_together(answers, said, disputed):
    assert decided(answers) is said
    assert is_disputed(answers) is disputed


def test_two_people_with_more_questions_in_common_count_more():
    many = {f"m{n}": {"ann": (YES, NO)[n % 2], "bob": (YES, NO)[n % 2]} for n in range(30)}
    few = {f"f{n}": {"ann": (YES, NO)[n % 2], "cy": (NO, YES)[n % 2]} for n in range(10)}
    assert agreement({**many, **few}).kappa == pytest.approx((30 * 1 + 10 * -1) / 40)
