"""Which question a person is asked next, and what the page shows of it.

A question is asked one person at a time: leases that end by themselves without an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.evidence import Evidence
from relhash.curate.curation import Curation, Moment
from relhash.curate.question_evidence import ShownText
from relhash.curate.store import Given
from relhash.model.answers.answer import Answer, corrected
from relhash.model.answers.questions import ORDERS, Question
from relhash.visible import visible

SECONDS = 300.0
"""How long a question is kept for a person."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A question, who has it, and until when (seconds since 1970)."""

    question: Question
    curator: str
    until: float


class Leases:
    """Who is asked what at the moment. Not safe between threads: whoever holds it has a lock.

    >>> now = [0.0]
    >>> leases = Leases(60, clock=lambda: now[0])
    >>> _ = leases.take(Question(7, "uncertain"), "ann")
    >>> leases.rows_of_others("bob"), leases.rows_of_others("ann")
    ([7], [])
    >>> now[0] = 61
    >>> leases.rows_of_others("bob")
    []
    """

    def __init__(self, seconds: float = SECONDS, clock: Callable[[], float] = time.time) -> None:
        self.seconds, self._clock = seconds, clock
        self._by_row: dict[int, Lease] = {}

    def take(self, question: Question, curator: str) -> Lease:
        """Lease a question to a person, in the place of whoever had it."""
        lease = Lease(question, curator, self._clock() + self.seconds)
        self._by_row[question.row] = lease
        return lease

    def of(self, row: int, curator: str) -> Lease | None:
        """The lease that this person has on a row."""
        lease = self._by_row.get(row)
        return lease if lease is not None and lease.curator == curator and lease.until > self._clock() else None

    def release(self, row: int) -> None:
        """This is not asked any more."""
        self._by_row.pop(row, None)

    def keep_only(self, curator: str, rows: Collection[int]) -> None:
        """This person is asked nothing any more but these."""
        self._by_row = {row: lease for row, lease in self._by_row.items() if lease.curator != curator or row in rows}

    def rows_of_others(self, curator: str) -> list[int]:
        """Rows that somebody else is asked."""
        return [row for row, lease in self._standing() if lease.curator != curator]

    def _standing(self) -> list[tuple[int, Lease]]:
        now = self._clock()
        self._by_row = {row: lease for row, lease in self._by_row.items() if lease.until > now}
        return list(self._by_row.items())


DISAGREEMENTS = "disagreements"
ALL_ORDERS = (*ORDERS, DISAGREEMENTS)
EVERY = 10
"""Of so many questions a person is asked one that somebody else has answered, so that agreement can be measured."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which questions are wanted; what is ``None`` or empty does not matter.

    ``entity`` is a part of a name or an id, in any case; ``type`` a relation type, ``assertion`` what the sentence says of it;
    ``ids`` is ``"known"`` for all names with an id, ``"missing"`` for a name without one.
    """

    entity: str = ""
    document: str = ""
    min_probability: float | None = None
    max_probability: float | None = None
    type: str = ""
    assertion: str = ""
    ids: str = ""

    @property
    def is_empty(self) -> bool:
        return self == Filters()

    def rows(self, curation: Curation, moment: Moment) -> NDArray[np.bool_]:
        """Which candidates pass."""
        teaching = curation.teaching
        passed = np.ones(len(teaching.candidates), bool)
        if self.min_probability is not None:
            passed &= moment.taught.probabilities >= self.min_probability
        if self.max_probability is not None:
            passed &= moment.taught.probabilities <= self.max_probability
        if self.document:
            passed &= np.array([one.document.id == self.document for one in teaching.candidates])
        if self.entity:
            wanted = self.entity.casefold()
            names = ((name for mention in one.mentions for name in (mention.text, *mention.ids)) for one in teaching.candidates)
            passed &= np.array([any(wanted in name.casefold() for name in own) for own in names])
        if self.type:
            passed &= np.array([teaching.relation(row) == self.type for row in range(passed.size)])
        if self.assertion:
            passed &= curation.assertions == self.assertion
        if self.ids:
            known = np.array([all(mention.ids for mention in one.participants) for one in teaching.candidates])
            passed &= known == (self.ids == "known")
        return passed


ALL = Filters()


class Asking:
    """Asks people questions about a text, each question one person at a time."""

    def __init__(self, curation: Curation, leases: Leases) -> None:
        self.curation, self.leases = curation, leases

    def ask(
        self, curator: str, n: int = 1, *, order: str = "useful", filters: Filters = ALL, holding: Collection[int] = ()
    ) -> list[Lease]:
        """The next questions of a person, leased to him beside those that he is ``holding``; others that he had are free."""
        with self.curation.lock:
            self.leases.keep_only(curator, holding)
            taken = {*self.leases.rows_of_others(curator), *holding}
            return self._ask(curator, n, order, filters, taken)

    def _ask(self, curator: str, n: int, order: str, filters: Filters, taken: set[int]) -> list[Lease]:
        moment = self.curation.moment
        if order == DISAGREEMENTS:
            rows = (self.curation.teaching.row_of[key] for key in self.curation.answers.disputed())
            wanted: Iterable[Question] = [Question(row, "people do not agree on it") for row in rows if row not in taken]
        else:
            wanted = self._open(moment, curator, n, order, filters, taken)
        passed = None if filters.is_empty else filters.rows(self.curation, moment)
        chosen = [one for one in wanted if passed is None or passed[one.row]][:n]
        return [self.leases.take(question, curator) for question in chosen]

    def _open(self, moment: Moment, curator: str, n: int, order: str, filters: Filters, taken: set[int]) -> Iterable[Question]:
        teaching = self.curation.teaching
        answered = {teaching.row_of[key] for key in self.curation.answers}
        first = self._second_opinion(curator, taken) if order == "useful" and filters.is_empty else []
        if order == "useful" and filters.is_empty:
            ahead = [one for one in moment.ahead if one.row not in taken and one.row not in answered]
            if len(ahead) >= n:
                return [*first, *ahead]
        left_out = taken if filters.is_empty else taken | set(np.flatnonzero(~filters.rows(self.curation, moment)).tolist())
        found = teaching.queue.next(moment.taught.probabilities, sorted(answered), n, order=order, taken=sorted(left_out))
        return [*first, *found]

    def _second_opinion(self, curator: str, taken: set[int]) -> list[Question]:
        """Every so often a question that one other person has answered, if there is one."""
        answers, rows = self.curation.answers, self.curation.teaching.row_of
        if answers.count_of(curator) % EVERY != EVERY - 1:
            return []
        for key in answers:
            by = answers.of(key)
            is_answered = next(iter(by.values())).answer is not Answer.SKIP
            if is_answered and len(by) == 1 and curator not in by and rows[key] not in taken:
                return [Question(rows[key], "somebody else has answered it: do you agree?")]
        return []

    def show(self, lease: Lease, *, with_answers: bool = False) -> dict[str, Any]:
        """A leased question for the page; the answers of others are shown only where they disagree."""
        shown = self.shown(lease.question.row, lease.question.why, lease.curator, with_answers=with_answers)
        return {**shown, "leased_until": lease.until}

    def shown(
        self, row: int, why: str = "", curator: str | None = None, *, with_answers: bool = True, moment: Moment | None = None
    ) -> dict[str, Any]:
        """What the page gets of a candidate; offsets are those of the sentence as sent."""
        curation = self.curation
        teaching, taught = curation.teaching, (moment or curation.moment).taught
        scene, candidate = teaching.scenes[row], corrected(teaching.candidates[row], curation.corrections)
        numbers = {mention.id: number for number, mention in enumerate(candidate.participants, 1)}
        prediction = teaching.prediction(row, taught)
        evidence = prediction.evidence
        stage = scene.stage
        sentence = ShownText(stage.document.text[stage.start : stage.end])
        answers = curation.answers_of(candidate.key)
        if not with_answers:
            answers = {name: one for name, one in answers.items() if name == curator}
        return {
            "key": candidate.key,
            "document": candidate.document.id,
            "sentence": sentence.text,
            "start": stage.start,
            "entities": [
                {
                    "text": visible(mention.text),
                    "type": visible(mention.type),
                    "id": visible(";".join(mention.ids)),
                    "number": numbers.get(mention.id, 0),
                    "spans": sentence.spans(mention.spans, stage.start),
                    "role": role,
                }
                for role, mention in zip(candidate.roles, candidate.mentions, strict=True)
            ],
            "others": sentence.spans(_spans(evidence, "entity")),
            "path": sentence.spans(_spans(evidence, "path")),
            "stations": [{"text": visible(one.text), "kind": one.kind} for one in evidence.path],
            "words": visible(evidence.words),
            "probability": float(taught.probabilities[row]),
            "probability_before": float(teaching.untaught.probabilities[row]),
            "accepted": bool(taught.accepted[row]),
            "type": visible(prediction.relation),
            "types": [visible(name) for name in teaching.model.relation_types.names],
            "assertion": str(prediction.assertion),
            "why": why,
            "answers": [shown_answer(one) for one in answers.values()],
            "leased_until": None,
        }


def shown_answer(one: Given) -> dict[str, Any]:
    """An answer for the page."""
    said = {"curator": visible(one.curator), "answer": word_of(one.answer), "type": one.relation}
    return {**said, "names": [visible(name) for name in one.names], "at": one.at}


def word_of(answer: Answer) -> str:
    """The word for an answer in the interface."""
    return "entity" if answer is Answer.WRONG_ENTITY else str(answer)


def _spans(evidence: Evidence, kind: str) -> list[tuple[int, int]]:
    """Where pieces of a kind stand in the sentence."""
    spans, position = [], 0
    for piece in evidence.sentence:
        if piece.kind == kind:
            spans.append((position, position + len(piece.text)))
        position += len(piece.text)
    return spans
