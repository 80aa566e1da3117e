"""Which question a person is asked next, what the page shows of it, and why the model says what it says of it.

A question is asked one person at a time: a lease ends by itself without an answer. Text is shown with everything invisible in
it made visible (:mod:`relhash.visible`), and with offsets that still fit.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from relhash.candidates.evidence import Evidence
from relhash.curate.curation import Curation, Moment
from relhash.curate.store import Given
from relhash.model.answers.answer import Answer, corrected
from relhash.model.answers.questions import ORDERS, Question
from relhash.model.answers.teaching import Taught, Teaching
from relhash.show.explanation import SEEN, Explained, Neighbours, explained_rows
from relhash.visible import visible

SECONDS = 300.0
"""How long a question is kept for a person."""
REASONS, NEAREST = 24, 5

Probability = Annotated[float, Field(ge=0, le=1)]
DISAGREEMENTS = "disagreements"
ALL_ORDERS = (*ORDERS, DISAGREEMENTS)
EVERY = 10
"""Of so many questions a person is asked one that another has answered, so that agreement can be measured."""


class Filters(BaseModel):
    """Which questions are wanted; what is ``None`` or empty does not matter."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entity: str = Field("", max_length=200, description="Part of a name or an id, in any case.")
    document: str = Field("", max_length=1000)
    min_probability: Probability | None = None
    max_probability: Probability | None = None
    type: str = Field("", max_length=200, description="A relation type.")
    assertion: str = Field("", max_length=40, description="What the sentence says of it.")
    ids: Literal["", "known", "missing"] = Field("", description="All names have an id, or one has none.")

    @property
    def is_empty(self) -> bool:
        return self == ALL

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


ALL = Filters.model_validate({})


_BLANK = str.maketrans("\t\r\n\x0b\x0c", "     ")


class ShownText:
    """A stretch of text for a page, and where its characters have gone.

    >>> shown = ShownText("a\\u202eb c", keep_lines=False)
    >>> shown.text, shown.spans([(2, 3)])
    ('a⟨U+202E⟩b c', [[9, 10]])
    """

    def __init__(self, text: str, *, keep_lines: bool = False) -> None:
        plain = text if keep_lines else text.translate(_BLANK)
        self._places: list[int] | None = None
        lines = [visible(line) for line in plain.split("\n")]
        self.text = "\n".join(lines)
        if len(self.text) != len(text):
            self._places = [0]
            for character in plain:
                self._places.append(self._places[-1] + (1 if character == "\n" else len(visible(character))))

    def at(self, offset: int) -> int:
        """Where a character of the text stands now."""
        return offset if self._places is None else self._places[min(max(offset, 0), len(self._places) - 1)]

    def spans(self, spans: Iterable[tuple[int, int]], start: int = 0) -> list[list[int]]:
        """Spans that count from ``start``, as they are now."""
        return [[self.at(begin - start), self.at(end - start)] for begin, end in spans]


@dataclass(frozen=True, slots=True)
class Lease:
    """A question, who has it, and until when (seconds since 1970)."""

    question: Question
    curator: str
    until: float


class Asking:
    """Asks people questions about a text, each question one person at a time for some ``seconds``."""

    def __init__(self, curation: Curation, seconds: float = SECONDS) -> None:
        self.curation, self.seconds = curation, seconds
        self._leases: dict[int, Lease] = {}

    def ask(
        self, curator: str, n: int = 1, *, order: str = "useful", filters: Filters = ALL, holding: Collection[int] = ()
    ) -> list[Lease]:
        """The next questions of a person, leased to him beside those that he is ``holding``; others that he had are free."""
        with self.curation.lock:
            now, kept = time.time(), self._leases.items()
            self._leases = {
                row: one for row, one in kept if one.until > now and (one.curator != curator or row in holding)
            }
            taken = {*(row for row, one in self._leases.items() if one.curator != curator), *holding}
            leases = [Lease(one, curator, now + self.seconds) for one in self._next(curator, n, order, filters, taken)]
            self._leases |= {one.question.row: one for one in leases}
            return leases

    def lease(self, row: int, curator: str) -> Lease | None:
        """The lease that this person has on a row."""
        found = self._leases.get(row)
        return found if found is not None and found.curator == curator and found.until > time.time() else None

    def release(self, row: int) -> None:
        """This is not asked any more."""
        self._leases.pop(row, None)

    def _next(self, curator: str, n: int, order: str, filters: Filters, taken: set[int]) -> list[Question]:
        moment = self.curation.moment
        passed = None if filters.is_empty else filters.rows(self.curation, moment)
        if order == DISAGREEMENTS:
            rows = (self.curation.teaching.row_of[key] for key in self.curation.answers.disputed())
            wanted: Iterable[Question] = [Question(row, "people do not agree on it") for row in rows if row not in taken]
        else:
            left_out = taken if passed is None else taken | set(np.flatnonzero(~passed).tolist())
            wanted = self._open(moment, curator, n, order, left_out, is_any=passed is None)
        return [one for one in wanted if passed is None or passed[one.row]][:n]

    def _open(
        self, moment: Moment, curator: str, n: int, order: str, taken: set[int], *, is_any: bool
    ) -> list[Question]:
        teaching = self.curation.teaching
        answered = {teaching.row_of[key] for key in self.curation.answers}
        first: list[Question] = []
        if order == "useful" and is_any:
            first = self._second_opinion(curator, taken)
            ahead = [one for one in moment.ahead if one.row not in taken and one.row not in answered]
            if len(ahead) >= n:
                return [*first, *ahead]
        found = teaching.queue.next(moment.taught.probabilities, sorted(answered), n, order=order, taken=sorted(taken))
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
                return [Question(rows[key], "another person has answered it: do you agree?")]
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


def evidence_of(curation: Curation, row: int) -> dict[str, Any]:
    """The evidence of one candidate; neighbours are other questions of the text that have an answer, then training text."""
    teaching, taught = curation.teaching, curation.moment.taught
    shown = shown_evidence(teaching, taught, [row])[0]
    shown["neighbours"] = [*_answered_nearby(curation, row), *shown["neighbours"]][:NEAREST]
    return shown


def shown_evidence(teaching: Teaching, taught: Taught, rows: list[int]) -> list[dict[str, Any]]:
    """The evidence of some candidates for the page."""
    found = explained_rows(teaching, taught, np.array(rows, np.int64), Neighbours(taught.model, None))
    return [_shown(one) for one in found]


def _shown(one: Explained) -> dict[str, Any]:
    reasons = one.reasons.strongest(REASONS)
    return {
        "base": one.reasons.base,
        "log_odds": one.reasons.log_odds,
        "pair_probability": one.pair_probability,
        "names_probability": one.names_probability,
        "reasons": [{"words": visible(r.text), "part": r.part, "contribution": r.value} for r in reasons],
        "hash_functions": [
            {
                "bit": function.bit,
                "view": function.view,
                "side": function.side,
                "sides": [[{"path": visible(text), "near": near} for text, near in side] for side in function.sides],
                "contribution": sum(r.value for r in one.reasons.reasons if r.bit == function.bit),
            }
            for function in one.functions
        ],
        "neighbours": [
            {
                "sentence": visible(near.sentence) if near.sentence else None,
                "label": near.is_related,
                "similarity": None if near.similarity is None else round(near.similarity, 3),
                "from": near.source or "training text",
            }
            for near in one.neighbours
        ],
        "coverage": _coverage(one),
    }


def _coverage(one: Explained) -> dict[str, Any] | None:
    if not one.seen:
        return None
    words = f"Seen {one.seen} ({one.n_seen:,}): {SEEN[one.seen]}."
    return {"words": words, "seen": one.seen, "share": one.n_seen}


def _answered_nearby(curation: Curation, row: int) -> list[dict[str, Any]]:
    """The nearest questions with an answer that says yes or no."""
    teaching = curation.teaching
    if teaching.alike is None:
        return []
    with curation.lock:
        labels = {key: one.answer.is_right for key, one in curation.answers.said.items()}
    rows = [teaching.row_of[key] for key, is_right in labels.items() if is_right is not None and teaching.row_of[key] != row]
    if not rows:
        return []
    similar = teaching.alike.among(row, rows)
    nearest = np.argsort(-similar, kind="stable")[:NEAREST]
    return [
        {
            "sentence": visible(" ".join(Evidence.of(teaching.scenes[rows[place]]).text.split())),
            "label": labels[teaching.candidates[rows[place]].key],
            "similarity": round(float(similar[place]), 3),
            "from": "your answers",
        }
        for place in nearest
    ]
