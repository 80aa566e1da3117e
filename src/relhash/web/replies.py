"""What the interface gives: described for readers of ``/api`` and checked by tests, built elsewhere as plain values."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Why a request was refused."""

    detail: str = Field(description="One sentence for people.")
    problems: list[Any] = Field([], description="Where in the request, if several things are wrong.")


class Estimate(_Reply):
    """Share of accepted rows that are right, by the questions drawn at random, with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int


class HeldOutF1(_Reply):
    value: float
    precision: float
    recall: float
    n: int


class Kappa(_Reply):
    kappa: float
    double: int = Field(description="Questions that several people answered.")


class Progress(_Reply):
    """How far the work is."""

    answered: int
    skipped: int
    open: int
    total: int
    per_minute: float
    precision: Estimate | None
    threshold: float | None = Field(description="The lowest probability that is accepted now.")
    accepted: int
    f1: HeldOutF1 | None
    agreement: Kappa | None
    has_learned: bool = Field(description="Whether the answers have changed the model: from two yes and two no on.")
    is_learning: bool = Field(description="Whether some answers are not learned yet.")
    problem: str


class Entity(_Reply):
    text: str
    type: str
    id: str
    spans: list[tuple[int, int]] = Field(description="Characters of the sentence.")
    role: str


class GivenAnswer(_Reply):
    curator: str
    answer: Literal["yes", "no", "skip", "entity", "negated"]
    type: str | None
    at: str


class Station(_Reply):
    text: str
    kind: Literal["participant", "word", "entity", "up", "down"]


class Question(_Reply):
    """A candidate: does the sentence say that the two are related?"""

    key: str
    document: str
    sentence: str
    start: int = Field(description="Where the sentence begins in the document.")
    entities: list[Entity]
    others: list[tuple[int, int]] = Field(description="Other entities of the sentence.")
    path: list[tuple[int, int]] = Field(description="Words on the path between the two.")
    stations: list[Station] = Field(description="The path itself: words, and dependencies walked up or down.")
    words: str
    probability: float
    probability_before: float = Field(description="Without any answer.")
    accepted: bool
    type: str
    types: list[str]
    assertion: str
    why: str
    answers: list[GivenAnswer]
    leased_until: float | None
    distance: int | None = Field(None, description="Bits that differ, in lists of similar sentences.")


class Listed(_Reply):
    """Questions."""

    questions: list[Question]
    progress: Progress | None = None


class Answered(_Reply):
    """What an answer did."""

    id: int
    before: float
    after: float | None
    changed: int = Field(description="Rows that are accepted now and were not, or the other way round.")
    refitted: bool
    progress: Progress
    next: Question | None


class Undone(_Reply):
    undone: str
    count: int
    question: Question
    progress: Progress


class Saved(_Reply):
    saved: int
    skipped: int = 0
    detail: str = ""
    progress: Progress


class Relations(_Reply):
    """Rows of relhash predict, each with the number of its text; with ``why`` if evidence was asked for."""

    relations: list[dict[str, Any]]
    texts: int


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words}
    for status, words in {
        401: "A token is needed.",
        403: "Another page asked for it, or the header X-RelHash is missing.",
        404: "There is no such thing.",
        408: "The request did not arrive in time.",
        413: "The body is too long.",
        415: "The body is no JSON.",
        421: "The server is not called so.",
        422: "The request cannot be understood.",
        429: "Too many requests.",
        503: "The database cannot be reached.",
    }.items()
}
"""Refusals that every address may give."""
