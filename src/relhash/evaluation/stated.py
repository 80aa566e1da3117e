"""What a model finds of everything that the gold states, not only of what happened to become a candidate.

Three models on one gold text then have one denominator. The *ceiling* is the share of the stated relations that any candidate
reaches: what no classifier can lift.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from relhash.corpus.document import Document, Mention
from relhash.evaluation.significance import Interval
from relhash.structures.candidate import Candidate, overlap, shared_characters
from relhash.structures.direction import SITE
from relhash.structures.gold import gold_pairs
from relhash.structures.interactions import gold_interactions, interaction_type, participants

DRAWS = 1000


@dataclass(frozen=True, slots=True)
class StatedCounts:
    """Counts of one document: relations stated, those that some candidate reaches, those that an accepted one does; relations
    found (accepted), and those of them that are right."""

    stated: int
    reached: int
    met: int
    found: int
    right: int


@dataclass(frozen=True, slots=True)
class StatedScores:
    """The same over a corpus, with an interval for F1 by resampling documents."""

    counts: StatedCounts
    f1_interval: Interval

    @property
    def precision(self) -> float:
        return self.counts.right / max(self.counts.found, 1)

    @property
    def recall(self) -> float:
        return self.counts.met / max(self.counts.stated, 1)

    @property
    def f1(self) -> float:
        return _f1(self.precision, self.recall)

    @property
    def ceiling(self) -> float:
        """Recall of a model that accepts every candidate."""
        return self.counts.reached / max(self.counts.stated, 1)

    def as_dict(self) -> dict[str, float | int | list[float]]:
        counts = self.counts
        return {
            "precision": self.precision, "recall": self.recall, "f1": self.f1,
            "f1_interval": [self.f1_interval.low, self.f1_interval.high], "ceiling": self.ceiling,
            "stated": counts.stated, "reached": counts.reached, "found": counts.found, "right": counts.right,
        }  # fmt: skip


def stated_scores(counts: Sequence[StatedCounts], seed: int = 0) -> StatedScores:
    """The scores of documents with these counts."""
    table = np.array([[one.stated, one.reached, one.met, one.found, one.right] for one in counts], np.float64).reshape(-1, 5)
    total = [int(value) for value in table.sum(axis=0)]
    random = np.random.default_rng(seed)
    drawn = random.multinomial(len(table), np.full(len(table), 1 / len(table)), DRAWS) @ table if len(table) else table
    f1 = _f1s(drawn)
    low, high = np.quantile(f1, [0.025, 0.975]) if f1.size else (0.0, 0.0)
    return StatedScores(StatedCounts(*total), Interval(_f1s(np.array([total], np.float64))[0], float(low), float(high)))


def stated_counts(
    document: Document, judged: Iterable[tuple[Candidate, bool]], *, directed: bool = False, has_roles: bool = False
) -> StatedCounts:
    """Counts of one document whose candidates, with whether they were accepted, are ``judged``.

    Interactions count with type, roles and trigger, if two participants or more take part; pairs by their two ends, of directed
    ones in their direction. Events of the gold count as pairs where a model finds pairs; ``has_roles`` says of a document
    without candidates that its model finds interactions.
    """
    candidates = [(one, accepted) for one, accepted in judged if len(_members(one)) > 1]
    if has_roles or any(one.trigger is not None for one, _ in candidates):
        gold = gold_interactions(document)
        meets: list[set[object]] = [set(gold.met(interaction_type(one), _ids(one), one.trigger)) for one, _ in candidates]
        stated = len(gold.distinct)
    else:
        ends = _related(document, directed)
        meets = [set({_ends(one, directed)} & ends) for one, _ in candidates]
        stated = len(ends)
    return StatedCounts(
        stated=stated,
        reached=len(set().union(*meets)),
        met=len(set().union(*(met for met, (_, accepted) in zip(meets, candidates, strict=True) if accepted))),
        found=sum(accepted for _, accepted in candidates),
        right=sum(accepted and one.is_positive for one, accepted in candidates),
    )


def on_gold_entities(candidate: Candidate, gold: Document, *, directed: bool = False) -> Candidate:
    """A candidate of raw text with the gold entities that its participants share text with in their place.

    A participant that meets none stays as it is, so that the candidate is of nothing that is stated.
    """
    mentions = tuple(
        mention if role == "trigger" else _meeting(mention, gold.entities)
        for mention, role in zip(candidate.mentions, candidate.roles, strict=True)
    )
    moved = replace(candidate, document=gold, mentions=mentions, relations=())
    if len({mention.id for mention in mentions}) < len(mentions):
        return moved
    if candidate.trigger is not None:
        states = gold_interactions(gold).states(interaction_type(moved), _ids(moved), moved.trigger)
        return replace(moved, relations=(interaction_type(moved),) if states else ())
    first, second = (mention.id for _, mention in sorted(zip(moved.roles, moved.mentions, strict=True), key=lambda m: m[0]))
    return replace(moved, relations=gold_pairs(gold).between(first, second, directed=directed))


def _meeting(mention: Mention, entities: Sequence[Mention]) -> Mention:
    meeting = (other for other in entities if overlap(mention, other))
    best = max(meeting, key=partial(shared_characters, mention), default=None)
    return replace(mention, id=f"{mention.id} (no gold entity)") if best is None else best


def _related(document: Document, directed: bool) -> set[tuple[str, ...]]:
    """The pairs of entities that the gold relates."""
    names = {mention.id for mention in document.entities}
    found = set()
    for first, second in gold_pairs(document).pairs():
        if first != second and first in names and second in names:
            found.add((first, second) if directed else tuple(sorted((first, second))))
    return found


def _members(candidate: Candidate) -> dict[str, Mention]:
    return {role: mention for role, mention in participants(candidate).items() if role != SITE}


def _ids(candidate: Candidate) -> dict[str, str]:
    return {role: mention.id for role, mention in _members(candidate).items()}


def _ends(candidate: Candidate, directed: bool) -> tuple[str, ...]:
    by_role = sorted(zip(candidate.roles, (mention.id for mention in candidate.mentions), strict=True))
    ends = tuple(mention for _, mention in by_role)
    return ends if directed else tuple(sorted(ends))


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _f1s(table: NDArray[np.float64]) -> NDArray[np.float64]:
    stated, _, met, found, right = table.T
    precision, recall = right / np.maximum(found, 1), met / np.maximum(stated, 1)
    total = precision + recall
    f1: NDArray[np.float64] = np.divide(2 * precision * recall, total, out=np.zeros(len(table)), where=total > 0)
    return f1
