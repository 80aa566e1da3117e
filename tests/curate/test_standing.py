from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relhash.curate.standing import StandingAnswers, agreement, decided, is_disputed
from relhash.curate.store import Given
from relhash.model.answers.answer import Answer

changes = st.lists(
    st.tuples(st.booleans(), st.sampled_from("abc"), st.sampled_from(["ann", "bob", "cy"]), st.sampled_from(list(Answer)))
)


@given(changes)
def test_as_if_counted_from_the_beginning(changes):
    answers = StandingAnswers()
    plain: dict[str, dict[str, Answer]] = {}
    for number, (is_added, key, curator, answer) in enumerate(changes, 1):
        one = Given(key, curator, answer, draw=0.5 if number % 2 else None, id=number)
        if is_added:
            answers.add(one)
            plain.setdefault(key, {})[curator] = answer
        else:
            if curator in plain.get(key, {}):
                del plain[key][curator]
                answers.remove(one)
            plain = {key: by for key, by in plain.items() if by}
        expected = {key: decided(by.values()) for key, by in plain.items()}
        assert {key: one.answer for key, one in answers.said.items()} == expected
        assert {one.key: one.answer for one in answers.decided()} == expected
        assert answers.skipped == sum(one is Answer.SKIP for one in expected.values())
        assert set(answers.disputed()) == {key for key, by in plain.items() if is_disputed(by.values())}
        assert answers.agreement() == agreement(plain)
        assert len(answers) == len(plain) == len(list(answers))
        assert all(answers.count_of(name) == sum(name in by for by in plain.values()) for name in ("ann", "bob", "cy"))
