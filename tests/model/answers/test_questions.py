from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates import Candidate
from relhash.corpus import Document, Mention
from relhash.errors import ParameterError
from relhash.model.answers.questions import ORDERS, Queue

FAR = 2**50 - 1


def candidate(number: int, first: str = "A", second: str = "B") -> Candidate:
    names = (Mention("T1", "protein", ((0, 1),), first), Mention("T2", "protein", ((2, 3),), second))
    return Candidate(Document(f"d{number}", "x y"), 0, names, ("e1", "e2"))


def queue(codes, **given) -> Queue:
    packed = np.array(codes, np.uint64)[:, None]
    return Queue([candidate(number) for number in range(len(packed))], packed, **given)


def rows(questions) -> list[int]:
    return [question.row for question in questions]


def test_uncertain_before_certain():
    asked = queue([0] * 5).next([0.99, 0.5, 0.01, 0.9, 0.3], (), 2, drawn=0)
    assert rows(asked) == [1, 4]
    assert "uncertain (0.50)" in asked[0].why


def test_the_kind_with_few_answers_comes_next():
    """Ten sentences of one kind, five of another, all equally uncertain."""
    kinds = [0] * 10 + [FAR] * 5
    p = np.full(15, 0.5)
    assert rows(queue(kinds).next(p, [0, 1], 1, drawn=0)) == [10]
    assert rows(queue(kinds).next(p, [10, 11], 1, drawn=0)) == [0]


def test_without_codes_it_is_uncertainty():
    asked = Queue([candidate(n) for n in range(4)]).next([0.85, 0.4, 0.5, 0.1], (), 3, drawn=0)
    assert rows(asked) == [2, 1, 0]


def test_every_fifth_question_is_drawn_with_its_probability():
    asked = queue(range(40)).next(np.linspace(0.1, 0.9, 40), (), 20)
    drawn = [question for question in asked if question.draw is not None]
    assert len(drawn) == 4
    assert all(0 < question.draw < 1 for question in drawn)


def test_draws_follow_their_probabilities():
    """Over many seeds each row is drawn as often as it says."""
    p = np.array([0.9, 0.5, 0.1, 0.1])
    drawn = [queue(range(4), random_state=seed).next(p, (), 1, drawn=1.0)[0] for seed in range(2000)]
    for row in range(4):
        expected = (p[row] + 0.1) / (p + 0.1).sum()
        assert all(question.draw == pytest.approx(expected) for question in drawn if question.row == row)
        assert np.mean([question.row == row for question in drawn]) == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize("order", ORDERS)
@given(
    p=st.lists(st.floats(0, 1), min_size=1, max_size=25),
    answered=st.sets(st.integers(0, 24)),
    n=st.integers(0, 30),
    seed=st.integers(0, 9),
)
def test_every_order_asks_each_open_question_once(order, p, answered, n, seed):
    done = {row for row in answered if row < len(p)}
    asked = rows(queue(range(len(p)), random_state=seed).next(p, done, n, order=order))
    assert len(asked) == len(set(asked)) == min(n, len(p) - len(done))
    assert done.isdisjoint(asked)


def test_rows_that_somebody_else_has_are_left_out():
    assert 1 not in rows(queue([0] * 3).next([0.5] * 3, (), 3, taken=[1]))


def test_most_confident_first():
    assert rows(queue([0] * 3).next([0.2, 0.9, 0.5], (), 3, order="confident")) == [1, 2, 0]


def test_by_pair_and_by_entity():
    pairs = [("A", "B"), ("C", "D"), ("B", "A"), ("C", "E")]
    one = Queue([candidate(number, *names) for number, names in enumerate(pairs)])
    p = [0.4, 0.9, 0.6, 0.5]
    asked = one.next(p, (), 4, order="pair")
    assert rows(asked) == [2, 0, 1, 3]
    assert asked[0].why == "all about A – B"
    assert rows(one.next(p, (), 4, order="entity")) == [1, 3, 2, 0]


def test_what_is_wrong_is_said():
    with pytest.raises(ParameterError, match="useful, new, uncertain"):
        queue([0]).next([0.5], (), order="nonsense")
    with pytest.raises(ParameterError, match="2 probabilities"):
        queue([0]).next([0.5, 0.5], ())
