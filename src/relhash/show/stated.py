"""What a model finds of everything that the gold states, not only of what happened to become a candidate.

Three models on one gold text then have one denominator. Three figures, never to be compared with each other:

- relations over everything stated (:func:`stated_counts`), of interactions with type, roles and trigger; the *ceiling* is the
  share of them that any candidate reaches: what no classifier can lift;
- interactions whatever word says them (:func:`any_word_counts`), the unit of the paper's judged candidates: type and
  participants in their roles; *TGF-beta induces expression of FOXP3* is right with *expression* for *induces*, and two words
  for one thing count once;
- events as a whole (:func:`event_score`), as the shared tasks judge them: type, a trigger that shares text, the same themes
  and causes. *With nesting* an event that takes part must be right itself; *without* it stands for the entities that it is
  about. Sites are left aside, and members of an equivalence are taken for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import Candidate, overlap, shared_characters
from relhash.candidates.gold import CAUSE, SITE, THEME, gold_pairs, role_of
from relhash.candidates.statements import gold_interactions, interaction_type, participants
from relhash.candidates.statements.gold import GoldInteractions, Wordless
from relhash.corpus.document import Document, Mention, Relation
from relhash.learn.metrics import Score
from relhash.show.significance import Interval


def event_score(gold: Document, found: Document, *, nesting: bool, one_participant: bool) -> Score:
    """The events of ``found`` against those of ``gold``, two annotations of one text with the same entities.

    Without ``one_participant`` only events that are about two entities or more count, on either side.
    """
    matcher = _Matcher(gold, found, nesting)
    least = 1 if one_participant else 2
    wanted = [event for event in _events(gold) if len(matcher.about(event, gold)) >= least]
    given = [event for event in _events(found) if len(matcher.about(event, found)) >= least]
    left = list(wanted)
    right = 0
    for event in given:
        match = next((other for other in left if matcher.same(event, other)), None)
        if match is not None:
            left.remove(match)
            right += 1
    return Score.of(len(wanted), len(given), right)


def _events(document: Document) -> Iterator[Relation]:
    return (relation for relation in document.relations if relation.trigger is not None and relation.arguments)


class _Matcher:
    def __init__(self, gold: Document, found: Document, nesting: bool) -> None:
        self.gold, self.found, self.nesting = gold, found, nesting
        self.group_of = {member: min(group) for group in gold.equivalences for member in group}

    def same(self, event: Relation, other: Relation, depth: int = 0) -> bool:
        """Whether an event that was found is the ``other``, of the gold."""
        if event.type != other.type or depth > 5 or event.trigger is None or other.trigger is None:
            return False
        if not overlap(self.found.mention_by_id[event.trigger], self.gold.mention_by_id[other.trigger]):
            return False
        if not self.nesting:
            return self.flat(event, self.found) == self.flat(other, self.gold)
        mine, theirs = (
            [(role, one.target) for one in relation.arguments if (role := role_of(one.role)) in (CAUSE, THEME)]
            for relation in (event, other)
        )
        if len(mine) != len(theirs):
            return False
        for role, target in mine:
            match = next((one for one in theirs if one[0] == role and self._same_target(target, one[1], depth)), None)
            if match is None:
                return False
            theirs.remove(match)
        return True

    def _same_target(self, target: str, other: str, depth: int) -> bool:
        inner, gold_inner = self.found.relation_by_id.get(target), self.gold.relation_by_id.get(other)
        if inner is not None and gold_inner is not None:
            return self.same(inner, gold_inner, depth + 1)
        return inner is None and gold_inner is None and self._one(target) == self._one(other)

    def about(self, event: Relation, document: Document) -> frozenset[str]:
        """The entities in the roles of an event."""
        return frozenset(mention for _, mention in self.flat(event, document))

    def flat(self, event: Relation, document: Document, seen: frozenset[str] = frozenset()) -> frozenset[tuple[str, str]]:
        """Roles and entities, of an event in a role the themes."""
        found = set()
        for argument in event.arguments:
            role, inner = role_of(argument.role), document.relation_by_id.get(argument.target)
            if role not in (CAUSE, THEME):
                continue
            if inner is None:
                found.add((role, self._one(argument.target)))
            elif inner.id not in seen:
                own = self.flat(inner, document, seen | {event.id})
                found.update((role, mention) for inner_role, mention in own if inner_role == THEME)
        return frozenset(found)

    def _one(self, mention: str) -> str:
        return self.group_of.get(mention, mention)


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
    low, high = np.quantile(_f1s(drawn), [0.025, 0.975]) if len(table) else (0.0, 0.0)
    return StatedScores(StatedCounts(*total), Interval(_f1s(np.array([total]))[0], float(low), float(high)))


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
        met=len(set().union(*compress(meets, (accepted for _, accepted in candidates)))),
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


def _f1s(table: NDArray[np.float64]) -> list[float]:
    return [_f1(right / max(found, 1), met / max(stated, 1)) for stated, _, met, found, right in table.tolist()]


@dataclass(frozen=True, eq=False)
class AnyWord:
    """What the candidates of a data set are without their triggers."""

    numbers: NDArray[np.int64]
    """For each candidate the number of its interaction; candidates that differ in the trigger only have one."""
    stated: NDArray[np.bool_]
    """For each candidate whether that is stated, by whatever word."""
    unreached: Mapping[int, int]
    """Of each test set, by the number of its fold, what is stated and no candidate is."""


def any_word(candidates: Sequence[Candidate], tested: Iterable[Document]) -> AnyWord:
    """The candidates of a data set with one test set, whose documents are ``tested``."""
    golds: dict[int, GoldInteractions] = {}
    numbers: dict[tuple[int, Wordless], int] = {}
    own, stated = [], []
    for candidate in candidates:
        document = candidate.document
        if id(document) not in golds:
            golds[id(document)] = gold_interactions(document)
        said = _said(candidate, golds[id(document)])
        own.append(numbers.setdefault((id(document), said), len(numbers)))
        stated.append(said in golds[id(document)].wordless)
    unreached = 0
    for document in tested:
        gold = golds.get(id(document)) or gold_interactions(document)
        unreached += sum((id(document), said) not in numbers for said in gold.wordless)
    return AnyWord(np.array(own, np.int64), np.array(stated, bool), {0: unreached})


def any_word_counts(document: Document, judged: Iterable[tuple[Candidate, bool]]) -> StatedCounts:
    """Counts of one document whose candidates, with whether they were accepted, are ``judged``; of two participants or more."""
    gold = gold_interactions(document)
    among, found = set(), set()
    for candidate, accepted in judged:
        said = _said(candidate, gold)
        if len(said[1]) > 1:
            among.add(said)
            if accepted:
                found.add(said)
    right = len(found & gold.wordless)
    return StatedCounts(len(gold.wordless), len(among & gold.wordless), right, len(found), right)


def _said(candidate: Candidate, gold: GoldInteractions) -> Wordless:
    roles = participants(candidate).items()
    return gold.without_word(interaction_type(candidate), ((role, mention.id) for role, mention in roles))
