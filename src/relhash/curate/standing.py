"""The answers that stand, and what people together say: kept as answers come and go, never counted from the beginning.

Do people agree? Cohen's κ over questions that two of them answered, and the questions on which they do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from relhash.curate.store import Given
from relhash.model.answers.answer import Answer, Answered


@dataclass(frozen=True, slots=True)
class Agreement:
    """κ, the mean over pairs of people weighed by their common questions, and how many questions have two answers."""

    kappa: float
    double: int


def cohen_kappa(pairs: Iterable[tuple[bool, bool]]) -> float:
    """Agreement beyond chance of two people (Cohen 1960); 1 if both always say the same one thing.

    >>> round(cohen_kappa([(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15), 3)
    0.4
    """
    judged = list(pairs)
    n = len(judged)
    same = sum(one == two for one, two in judged) / n
    first, second = (sum(pair[side] for pair in judged) / n for side in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    return 1.0 if chance == 1 else (same - chance) / (1 - chance)


def agreement(answers: Mapping[str, Mapping[str, Answer]]) -> Agreement | None:
    """The agreement of all people, from key → person → answer; what says neither yes nor no does not count."""
    pairs: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    double = 0
    for by_curator in answers.values():
        judged = sorted((name, bool(answer.is_right)) for name, answer in by_curator.items() if answer.is_right is not None)
        double += len(judged) > 1
        for (one, first), (two, second) in combinations(judged, 2):
            pairs.setdefault((one, two), []).append((first, second))
    if not pairs:
        return None
    total = sum(map(len, pairs.values()))
    return Agreement(sum(cohen_kappa(own) * len(own) for own in pairs.values()) / total, double)


def is_disputed(answers: Iterable[Answer]) -> bool:
    """Whether as many say that the row is right as say that it is not."""
    judged = [answer.is_right for answer in answers if answer.is_right is not None]
    return len(judged) > 1 and 2 * sum(judged) == len(judged)


def decided(answers: Iterable[Answer]) -> Answer:
    """What several people say together: the answer that most give, of those that side with the majority.

    As long as they are evenly divided nothing is learned from them.

    >>> decided([Answer.YES, Answer.NO]).value, decided([Answer.SKIP, Answer.NEGATED]).value
    ('skip', 'negated')
    """
    judged = [answer for answer in answers if answer.is_right is not None]
    if not judged or is_disputed(judged):
        return Answer.SKIP
    is_right = 2 * sum(bool(answer.is_right) for answer in judged) > len(judged)
    same = [answer for answer in judged if answer.is_right == is_right]
    return max(same, key=lambda answer: (same.count(answer), -list(Answer).index(answer)))


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
        self._decided: dict[str, Answered] = {}
        self._double: dict[str, None] = {}
        self._corrected: set[str] = set()
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
        before = self._decided.pop(key, None)
        self._skipped -= before is not None and before.answer is Answer.SKIP
        own = self._given[key]
        self._double.pop(key, None)
        self._corrected.discard(key)
        if not own:
            del self._given[key]
            return
        draw = next((one.draw for one in own.values() if one.draw), None)
        names = max(own.values(), key=lambda one: (any(one.names), one.id)).names
        self._decided[key] = Answered(key, decided(one.answer for one in own.values()), draw, names=names)
        self._skipped += self._decided[key].answer is Answer.SKIP
        if len(own) > 1:
            self._double[key] = None
        if any(names):
            self._corrected.add(key)

    def of(self, key: str) -> Mapping[str, Given]:
        """Who says what of a question."""
        return self._given.get(key, {})

    def count_of(self, curator: str) -> int:
        """How many questions a person has answered."""
        return self._counts.get(curator, 0)

    def all(self) -> list[Given]:
        """Of each person the last answer to each question, in the order in which they were given."""
        return sorted((one for by in self._given.values() for one in by.values()), key=lambda one: one.id)

    def corrected(self) -> list[Given]:
        """Answers that say what a name should be, in the order in which they were given."""
        found = (one for key in self._corrected for one in self._given[key].values() if any(one.names))
        return sorted(found, key=lambda one: one.id)

    def by_key(self) -> dict[str, dict[str, Given]]:
        """A copy of everything."""
        return {key: dict(by) for key, by in self._given.items()}

    def decisions(self) -> dict[str, Answer]:
        """What people together say of each question."""
        return {key: one.answer for key, one in self._decided.items()}

    def decided(self) -> list[Answered]:
        """The same as estimates need it, with the probability of the draw where the question was drawn."""
        return list(self._decided.values())

    def disputed(self) -> list[str]:
        """Questions on which people are divided, the oldest first."""
        return [key for key in self._double if is_disputed(one.answer for one in self._given[key].values())]

    def agreement(self) -> Agreement | None:
        """Cohen's κ over the questions that several people answered."""
        return agreement({key: {name: one.answer for name, one in self._given[key].items()} for key in self._double})
