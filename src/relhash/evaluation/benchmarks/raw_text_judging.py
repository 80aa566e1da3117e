"""What a model found in raw text, held against the annotation: each row judged, and each annotated relation found or lost.

Names match where their spans overlap: a tagger that finds "RAF1 kinase" for "RAF1" has found it.

A row is **judgeable** if its two names are two annotated entities. Others cannot be judged by the annotation alone: it leaves
real proteins out, so an unannotated name may be wrong or right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from relhash.corpus.document import Document, Mention, Span
from relhash.evaluation.datasets.raw_text_gold import GoldText, Pair
from relhash.language.assertion import Assertion
from relhash.models.fitted import FittedModel
from relhash.models.prediction import Prediction


class Verdict(StrEnum):
    """What the annotation says of a row."""

    RIGHT = "right"
    RELATION_WRONG = "relation wrong"
    """Both names are annotated, and no relation joins them."""
    NEGATED = "negated"
    """The text says that the two are not related."""
    ENTITY_SPURIOUS = "entity spurious"
    """A name is no annotated entity, or both are the same one."""


class Fate(StrEnum):
    """What became of an annotated relation."""

    FOUND = "found"
    ENTITY_MISSED = "entity missed"
    NOT_PAIRED = "not paired"
    """Both entities were found, but not as a pair: in one name, or in two sentences."""
    RELATION_WRONG = "relation wrong"
    """The pair was a candidate and stayed below the threshold."""
    NEGATED = "negated"
    """It would have been accepted, but the model takes the sentence for a denial or a question."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A candidate that the model made of raw text."""

    probability: float
    accepted: bool
    verdict: Verdict

    @property
    def is_judgeable(self) -> bool:
        return self.verdict is not Verdict.ENTITY_SPURIOUS


@dataclass(frozen=True, slots=True)
class JudgedText:
    """The rows of one text, the fates of its annotated relations, and how many entities of either side met one."""

    rows: tuple[JudgedRow, ...]
    fates: tuple[Fate, ...]
    names_found: int
    names_right: int
    entities: int
    entities_found: int
    sentences: int


def judged_texts(model: FittedModel, texts: Sequence[GoldText]) -> Iterator[JudgedText]:
    """Let ``model`` read the texts, and judge what it finds."""
    # every assertion is let through, to tell a pair that the model takes for denied from one below its threshold
    read = model.keeping(*Assertion).annotate([gold.document for gold in texts], all_candidates=True)
    for gold, (document, found) in zip(texts, read, strict=True):
        yield judge(gold, document, found, model.kept)


def judge(
    gold: GoldText,
    document: Document,
    found: Iterable[Prediction],
    kept: frozenset[Assertion],
) -> JudgedText:
    """Judge the candidates ``found`` in ``document``, the text as a model read it.

    ``found`` holds all candidates, ``is_relation`` meaning above the threshold; accepted are those whose assertion is ``kept``.
    """
    entities = _Spans(gold.entities)
    names = document.entities
    meets = {mention.id: entities.meeting(mention) for mention in names}
    rows: list[JudgedRow] = []

    def met_by(same: Iterable[Mention]) -> frozenset[int]:
        return frozenset().union(*(meets[mention.id] for mention in same))

    fate: dict[Pair, Fate] = dict.fromkeys(gold.within_sentence, Fate.NOT_PAIRED)
    for prediction in found:
        first, second = (met_by(names) for names in _names(prediction))
        pairs = {(min(a, b), max(a, b)) for a, b in product(first, second) if a != b}
        kept_as_is = prediction.is_relation and prediction.assertion in kept
        rows.append(JudgedRow(prediction.probability, kept_as_is, _verdict(pairs, gold)))
        reached = Fate.FOUND if kept_as_is else Fate.NEGATED if prediction.is_relation else Fate.RELATION_WRONG
        for pair in pairs & fate.keys():
            fate[pair] = min(fate[pair], reached, key=_BEST_FIRST.index)
    reached_entities = {number for numbers in meets.values() for number in numbers}
    for pair in fate:
        if not reached_entities.issuperset(pair):
            fate[pair] = Fate.ENTITY_MISSED
    return JudgedText(
        tuple(rows),
        tuple(fate.values()),
        names_found=len(names),
        names_right=sum(bool(numbers) for numbers in meets.values()),
        entities=len(gold.entities),
        entities_found=len(reached_entities),
        sentences=len(document.sentences),
    )


def _names(prediction: Prediction) -> list[tuple[Mention, ...]]:
    """All names of each participant: a row that says other names speaks of these, too."""
    mentions = prediction.candidate.mentions
    return [(own, *others) for own, others in zip(mentions, prediction.also or ((),) * len(mentions), strict=True)]


_BEST_FIRST = [Fate.FOUND, Fate.NEGATED, Fate.RELATION_WRONG, Fate.NOT_PAIRED]


def _verdict(pairs: set[Pair], gold: GoldText) -> Verdict:
    if not pairs:
        return Verdict.ENTITY_SPURIOUS
    if pairs & gold.related:
        return Verdict.RIGHT
    return Verdict.NEGATED if pairs & gold.negated else Verdict.RELATION_WRONG


class _Spans:
    """Annotated entities by where they stand."""

    def __init__(self, entities: Sequence[tuple[Span, ...]]) -> None:
        self._spans = sorted((start, end, number) for number, spans in enumerate(entities) for start, end in spans)
        self._longest = max((end - start for start, end, _ in self._spans), default=0)
        self._starts = [start for start, _, _ in self._spans]

    def meeting(self, mention: Mention) -> frozenset[int]:
        """Numbers of the entities that share a character with a mention."""
        found: set[int] = set()
        for start, end in mention.spans:
            near = slice(bisect_right(self._starts, start - self._longest), bisect_left(self._starts, end))
            found.update(number for _, other_end, number in self._spans[near] if other_end > start)
        return frozenset(found)
