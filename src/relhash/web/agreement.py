"""Do people agree? Cohen's κ over questions that two of them answered, and the questions on which they do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from relhash.models.answers.answer import Answer


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
    told = list(pairs)
    n = len(told)
    same = sum(one == two for one, two in told) / n
    first, second = (sum(pair[side] for pair in told) / n for side in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    return 1.0 if chance == 1 else (same - chance) / (1 - chance)


def agreement(answers: Mapping[str, Mapping[str, Answer]]) -> Agreement | None:
    """The agreement of all people, from key → person → answer; what says neither yes nor no does not count."""
    pairs: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    double = 0
    for by_curator in answers.values():
        told = sorted((name, bool(answer.is_right)) for name, answer in by_curator.items() if answer.is_right is not None)
        double += len(told) > 1
        for (one, first), (two, second) in combinations(told, 2):
            pairs.setdefault((one, two), []).append((first, second))
    if not pairs:
        return None
    total = sum(map(len, pairs.values()))
    return Agreement(sum(cohen_kappa(own) * len(own) for own in pairs.values()) / total, double)


def is_disputed(answers: Iterable[Answer]) -> bool:
    """Whether as many say that the row is right as say that it is not."""
    told = [answer.is_right for answer in answers if answer.is_right is not None]
    return len(told) > 1 and 2 * sum(told) == len(told)


def decided(answers: Iterable[Answer]) -> Answer:
    """What several people say together: the answer that most give, of those that side with the majority.

    As long as they are evenly divided nothing is learned from them.

    >>> decided([Answer.YES, Answer.NO]).value, decided([Answer.SKIP, Answer.NEGATED]).value
    ('skip', 'negated')
    """
    told = [answer for answer in answers if answer.is_right is not None]
    if not told or is_disputed(told):
        return Answer.SKIP
    is_right = 2 * sum(bool(answer.is_right) for answer in told) > len(told)
    same = [answer for answer in told if answer.is_right == is_right]
    return max(same, key=lambda answer: (same.count(answer), -list(Answer).index(answer)))
