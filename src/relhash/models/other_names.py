"""One row per statement: what a sentence says of "tumor necrosis factor (TNF)" it says once, not of each of the two names.

A tagger finds both names, and a model accepts a row for each. A curator would read the same sentence twice and count it twice.
So of such rows the most probable stays, and says the other names (:attr:`Prediction.also
<relhash.models.prediction.Prediction.also>`). Names that people annotated keep their rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from relhash.corpus.document import Document, Mention
from relhash.learning.end_to_end import CERTAIN
from relhash.models.prediction import Prediction
from relhash.structures.same_thing import Reason, SameThing

_SAID_THERE = frozenset({Reason.ABBREVIATION, Reason.PARENTHESES, Reason.CALLED})
"""Two names at one place; the same name elsewhere in the sentence is another statement."""
Statement = tuple[int, str, tuple[tuple[str, str], ...]]
"""Sentence, relation, and who takes part in which role."""


def one_row_per_statement(predictions: Sequence[Prediction]) -> list[Prediction]:
    """The predictions in their order; of accepted ones that differ in names of one thing only one stays accepted."""
    told = list(predictions)
    rows: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(told):
        if one.is_relation:
            rows.setdefault((id(one.candidate.document), one.candidate.sentence), []).append(number)
    for numbers in rows.values():
        if len(numbers) > 1:
            _tell_once(told, numbers)
    return told


def _tell_once(told: list[Prediction], numbers: Sequence[int]) -> None:
    """Of the accepted rows of one sentence."""
    document = told[numbers[0]].candidate.document
    mentions = {mention.id: mention for number in numbers for mention in told[number].candidate.mentions}
    first_name = _first_names(document, sorted(mentions.values(), key=lambda mention: mention.start))
    if not first_name:
        return
    statements: dict[Statement, list[int]] = {}
    for number in numbers:
        candidate = told[number].candidate
        who = tuple(
            sorted((role, first_name.get(m.id, m.id)) for role, m in zip(candidate.roles, candidate.mentions, strict=True))
        )
        statements.setdefault((candidate.sentence, told[number].relation, who), []).append(number)
    for same in statements.values():
        best = max(same, key=lambda number: told[number].probability)
        others = [number for number in same if number != best and _differs_in_found_names(told[best], told[number])]
        if others:
            told[best] = replace(told[best], also=_also(told[best], [told[number] for number in others], first_name))
        for number in others:
            told[number] = replace(told[number], is_relation=False)


def _first_names(document: Document, mentions: Sequence[Mention]) -> dict[str, str]:
    """Id of a mention → id of the first of the names that stand there for the same thing; both of each pair are in it."""
    same = SameThing(document)
    first: dict[str, str] = {}
    for number, mention in enumerate(mentions):
        for other in mentions[number + 1 :]:
            if mention.end <= other.start and same(mention, other) in _SAID_THERE:
                first.setdefault(mention.id, mention.id)
                first[other.id] = first[mention.id]
    return first


def _differs_in_found_names(one: Prediction, other: Prediction) -> bool:
    own = {mention.id for mention in one.candidate.mentions}
    return all(mention.certainty < CERTAIN for mention in other.candidate.mentions if mention.id not in own)


def _also(best: Prediction, others: Sequence[Prediction], first_name: dict[str, str]) -> tuple[tuple[Mention, ...], ...]:
    """For each participant of the row that stays its other names, in their order."""
    found = {mention.id: mention for one in others for mention in one.candidate.mentions}
    return tuple(
        tuple(
            sorted(
                (m for m in found.values() if m.id != own.id and first_name.get(m.id) == first_name.get(own.id, own.id)),
                key=lambda mention: mention.start,
            )
        )
        for own in best.candidate.mentions
    )
