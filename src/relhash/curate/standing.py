"""The answers that stand, by question and person, what people say together, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sklearn.metrics import cohen_kappa_score

from relhash.curate.store import Given
from relhash.model.answers.answer import Answer, Answered


@dataclass(frozen=True, slots=True)
class Agreement:
    """κ, the mean over pairs of people weighed by their common questions, and how many questions have two answers."""

    kappa: float
    double: int


def cohen_kappa(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Agreement beyond chance of two people; 1 if both always say the same one thing."""
    first, second = zip(*pairs, strict=True)
    return 1.0 if len({*first, *second}) == 1 else float(cohen_kappa_score(first, second))


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
    >>> answers.disputed(), answers.said["k"].answer.value
    (['k'], 'skip')
    >>> answers.remove(Given("k", "bob", Answer.NO, id=2))
    >>> answers.disputed(), answers.said["k"].answer.value
    ([], 'yes')
    """

    def __init__(self, answers: Iterable[Given] = ()) -> None:
        self._given: dict[str, dict[str, Given]] = {}
        self.said: dict[str, Answered] = {}
        """What people together say, with the probability of the draw where the question was drawn."""
        self.times: list[tuple[float, str]] = []
        """When somebody answered, in seconds since 1970, and who: what was taken back was work, too."""
        for one in answers:
            self.add(one)

    def __len__(self) -> int:
        """Questions that have an answer."""
        return len(self._given)

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def add(self, one: Given) -> None:
        """One answer more, in the place of what the same person said before."""
        self._given.setdefault(one.key, {})[one.curator] = one
        self.times.append((one.time if one.at else 0.0, one.curator))
        self._decide(one.key)

    def remove(self, one: Given) -> None:
        """One answer less."""
        self._given.get(one.key, {}).pop(one.curator, None)
        self._decide(one.key)

    def _decide(self, key: str) -> None:
        self.said.pop(key, None)
        own = self._given[key].values()
        if not own:
            del self._given[key]
            return
        draw = next((one.draw for one in own if one.draw), None)
        names = max(own, key=lambda one: (any(one.names), one.id)).names
        relation = next((one.relation for one in reversed(own) if one.relation), None)
        self.said[key] = Answered(key, decided(one.answer for one in own), draw, names=names, relation=relation)

    def of(self, key: str) -> Mapping[str, Given]:
        """Who says what of a question."""
        return self._given.get(key, {})

    def all(self) -> list[Given]:
        """Of each person the last answer to each question, in the order in which they were given."""
        return sorted((one for by in self._given.values() for one in by.values()), key=lambda one: one.id)

    def count_of(self, curator: str) -> int:
        """How many questions a person has answered."""
        return sum(curator in by for by in self._given.values())

    @property
    def skipped(self) -> int:
        """Questions whose answers say nothing, or on which people are divided."""
        return sum(one.answer is Answer.SKIP for one in self.said.values())

    def decided(self) -> list[Answered]:
        """The same as a list."""
        return list(self.said.values())

    def disputed(self) -> list[str]:
        """Questions on which people are divided."""
        return [key for key, by in self._given.items() if is_disputed(one.answer for one in by.values())]

    def agreement(self) -> Agreement | None:
        """Cohen's κ over the questions that several people answered."""
        several = {key: by for key, by in self._given.items() if len(by) > 1}
        return agreement({key: {name: one.answer for name, one in by.items()} for key, by in several.items()})
