"""The answers that stand, and what people together say: kept as answers come and go, never counted from the beginning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from relhash.models.answers.answer import Answer, Answered
from relhash.web.agreement import Agreement, agreement, decided, is_disputed
from relhash.web.store import Given


class StandingAnswers:
    """Answers by question and person. Not safe between threads: whoever holds it has a lock.

    >>> answers = StandingAnswers([Given("k", "ann", Answer.YES, id=1), Given("k", "bob", Answer.NO, id=2)])
    >>> answers.disputed(), answers.decisions()["k"].value
    (['k'], 'skip')
    >>> answers.remove(Given("k", "bob", Answer.NO, id=2))
    >>> answers.disputed(), answers.decisions()["k"].value
    ([], 'yes')
    """

    def __init__(self, answers: Iterable[Given] = ()) -> None:
        self._given: dict[str, dict[str, Given]] = {}
        self._told: dict[str, Answered] = {}
        self._double: dict[str, None] = {}
        self._skipped = 0
        self._counts: dict[str, int] = {}
        self.times: list[tuple[float, str]] = []
        """When somebody answered, in seconds since 1970, and who: what was taken back was work, too."""
        for one in answers:
            self.add(one)

    def __len__(self) -> int:
        """Questions that have an answer."""
        return len(self._given)

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    @property
    def skipped(self) -> int:
        """Questions whose answers say nothing, or on which people are divided."""
        return self._skipped

    def add(self, one: Given) -> None:
        """One answer more, in the place of what the same person said before."""
        own = self._given.setdefault(one.key, {})
        self._counts[one.curator] = self._counts.get(one.curator, 0) + (one.curator not in own)
        own[one.curator] = one
        self.times.append((one.time if one.at else 0.0, one.curator))
        self._decide(one.key)

    def remove(self, one: Given) -> None:
        """One answer less."""
        own = self._given.get(one.key, {})
        if own.pop(one.curator, None) is not None:
            self._counts[one.curator] -= 1
        self._decide(one.key)

    def _decide(self, key: str) -> None:
        before = self._told.pop(key, None)
        self._skipped -= before is not None and before.answer is Answer.SKIP
        own = self._given[key]
        self._double.pop(key, None)
        if not own:
            del self._given[key]
            return
        draw = next((one.draw for one in own.values() if one.draw), None)
        self._told[key] = Answered(key, decided(one.answer for one in own.values()), draw)
        self._skipped += self._told[key].answer is Answer.SKIP
        if len(own) > 1:
            self._double[key] = None

    def of(self, key: str) -> Mapping[str, Given]:
        """Who says what of a question."""
        return self._given.get(key, {})

    def count_of(self, curator: str) -> int:
        """How many questions a person has answered."""
        return self._counts.get(curator, 0)

    def all(self) -> list[Given]:
        """Of each person the last answer to each question, in the order in which they were given."""
        return sorted((one for by in self._given.values() for one in by.values()), key=lambda one: one.id)

    def by_key(self) -> dict[str, dict[str, Given]]:
        """A copy of everything."""
        return {key: dict(by) for key, by in self._given.items()}

    def decisions(self) -> dict[str, Answer]:
        """What people together say of each question."""
        return {key: one.answer for key, one in self._told.items()}

    def told(self) -> list[Answered]:
        """The same as estimates need it, with the probability of the draw where the question was drawn."""
        return list(self._told.values())

    def disputed(self) -> list[str]:
        """Questions on which people are divided, the oldest first."""
        return [key for key in self._double if is_disputed(one.answer for one in self._given[key].values())]

    def agreement(self) -> Agreement | None:
        """Cohen's κ over the questions that several people answered."""
        return agreement({key: {name: one.answer for name, one in self._given[key].items()} for key in self._double})
