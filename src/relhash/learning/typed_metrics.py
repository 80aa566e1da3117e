"""How good predicted relation *types* are: precision, recall and F1 of each type, over all, and what was taken for what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from relhash.errors import ParameterError
from relhash.learning.metrics import rates

NONE = "no relation"
"""The row or column of the confusion table for candidates without a relation."""


@dataclass(frozen=True, slots=True)
class TypeScore:
    """Figures of one type, or of several together; 0 where nothing was found or there was nothing to find."""

    precision: float
    recall: float
    f1: float
    gold: int
    found: int
    right: int

    @classmethod
    def of(cls, gold: int, found: int, right: int) -> TypeScore:
        return cls(*rates(gold, found, right), gold, found, right)


@dataclass(frozen=True)
class TypedMetrics:
    """A relation counts as right only if its type is.

    Attributes
    ----------
    by_type
        Figures of each type that the gold text has or the model found.
    micro
        All relations together: frequent types count most.
    macro
        The mean over the types that the gold text has: rare types count as much as frequent ones.
    most_frequent
        What ``micro`` would be if every relation found were called by the gold text's most frequent type: the baseline.
    confusion
        Gold type → predicted type → number of candidates, :data:`NONE` among both.
    """

    by_type: dict[str, TypeScore]
    micro: TypeScore
    macro: TypeScore
    most_frequent: TypeScore
    confusion: dict[str, dict[str, int]]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def typed_metrics(gold: Sequence[Sequence[str]], predicted: Sequence[str | None]) -> TypedMetrics:
    """All figures from the gold types of each candidate (none for a negative one) and the type that was given to it.

    A candidate with several gold types is right with any of them, and misses the others.

    >>> found = typed_metrics([["bind"], ["bind"], ["inhibit"], []], ["bind", "inhibit", None, "bind"])
    >>> found.by_type["bind"].f1, found.micro.right, found.micro.gold, found.micro.found, found.macro.f1
    (0.5, 1, 3, 3, 0.25)
    >>> found.most_frequent.right            # "bind" for all three that were found
    2
    >>> found.confusion["inhibit"]
    {'no relation': 1}
    """
    if len(gold) != len(predicted):
        raise ParameterError(f"typed_metrics: {len(gold)} gold labels but {len(predicted)} predicted ones")
    there: Counter[str] = Counter()
    given: Counter[str] = Counter()
    right: Counter[str] = Counter()
    cells: Counter[tuple[str, str]] = Counter()
    for types, answer in zip(gold, predicted, strict=True):
        own = set(types)
        there.update(own)
        if answer is not None:
            given[answer] += 1
            right[answer] += answer in own
        taken_for = NONE if answer is None else answer
        for name in own or {NONE}:
            cells[name, NONE if answer in own and name != answer else taken_for] += 1
    by_type = {name: TypeScore.of(there[name], given[name], right[name]) for name in sorted(there.keys() | given.keys())}
    columns = [*by_type, NONE]
    commonest = min(there, key=lambda name: (-there[name], name), default="")
    rightly = sum(answer is not None and commonest in types for types, answer in zip(gold, predicted, strict=True))
    return TypedMetrics(
        by_type=by_type,
        micro=TypeScore.of(there.total(), given.total(), right.total()),
        macro=_mean([score for name, score in by_type.items() if there[name]]),
        most_frequent=TypeScore.of(there.total(), given.total(), rightly),
        confusion={
            name: {other: cells[name, other] for other in columns if cells[name, other]}
            for name in columns
            if any(cells[name, other] for other in columns)
        },
    )


def _mean(scores: Sequence[TypeScore]) -> TypeScore:
    n = max(len(scores), 1)
    return TypeScore(
        precision=sum(score.precision for score in scores) / n,
        recall=sum(score.recall for score in scores) / n,
        f1=sum(score.f1 for score in scores) / n,
        gold=sum(score.gold for score in scores),
        found=sum(score.found for score in scores),
        right=sum(score.right for score in scores),
    )
