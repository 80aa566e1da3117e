"""What the interface takes, checked before anything is done with it, and what it gives, described for readers of ``/api``.

Replies are built elsewhere as plain values and written as JSON in ASCII, which any text survives: halves of surrogate pairs
too, which UTF-8 cannot hold.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Annotated, Any, Literal

from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from relhash.curate.asking import ALL, ALL_ORDERS, Filters, Probability
from relhash.curate.curation import HeldOutScore
from relhash.curate.standing import Agreement
from relhash.model.answers.answer import LONGEST, Answer

AnswerWord = Literal["yes", "no", "skip", "entity", "negated"]


def _printable(name: str) -> str:
    if not name.strip() or any(unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for one in name):
        raise ValueError("a name is made of characters that can be seen")
    return name.strip()


def _known(order: str) -> str:
    if order not in ALL_ORDERS:
        raise ValueError(f"an order is one of {', '.join(ALL_ORDERS)}")
    return order


OrderName = Annotated[str, Field(json_schema_extra={"enum": list(ALL_ORDERS)}), AfterValidator(_known)]
CuratorName = Annotated[str, Field(min_length=1, max_length=80, description="Who answers."), AfterValidator(_printable)]
Key = Annotated[str, Field(min_length=1, max_length=2000, description="The key of a question.")]
_TypeName = Annotated[str, Field(max_length=200), AfterValidator(_printable)]
Names = Annotated[
    list[Annotated[str, Field(max_length=LONGEST)]],
    Field(max_length=8, description="What entity 1, 2, … should be, where they are wrong: IL-2 receptor [HGNC:6008]."),
]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class QueueQuery(Filters):
    """Who asks for how many questions, in which order, and with which filters."""

    model_config = ConfigDict(extra="ignore")

    curator: CuratorName | None = None
    n: int = Field(1, ge=1, le=100)
    order: OrderName = "useful"
    holding: list[Key] = Field([], max_length=100, description="Questions that are shown already: none of them comes next.")


class AnswerBody(_Message):
    """An answer: yes, no, skip (cannot tell), entity (a name is wrong), negated (the sentence denies it)."""

    key: Key
    answer: AnswerWord
    type: _TypeName | None = Field(None, description="The type of the relation, if there are several.")
    names: Names = []
    curator: CuratorName
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None
    order: OrderName = Field("useful", description="The order of the next question.")
    filters: Filters = ALL
    holding: list[Key] = Field([], max_length=100, description="Questions that are shown already: none of them comes next.")


class AlikeBody(_Message):
    """One answer to several questions."""

    keys: list[Key] = Field(min_length=1, max_length=500)
    answer: AnswerWord
    type: _TypeName | None = None
    curator: CuratorName


class PredictBody(_Message):
    """A text, or several."""

    text: str | None = Field(None, min_length=1, max_length=1_000_000)
    texts: list[Annotated[str, Field(min_length=1, max_length=1_000_000)]] | None = Field(None, min_length=1, max_length=1000)
    evidence: bool = Field(False, description="Also say what moved each decision.")
    all_candidates: bool = Field(False, description="Also those below the threshold.")
    types: str | None = Field(None, max_length=200, description="Types that may relate: protein,chemical or chemical-disease.")
    threshold: Probability | None = Field(None, description="Accept from this probability on.")
    grounded: bool = Field(False, description="Only relations between entities that have an id.")
    keep: list[Literal["negated", "questioned"]] = Field([], max_length=2, description="Also accept what is denied or asked.")


class CheckBody(_Message):
    """Statements to check: records with sentence, subject, object and type."""

    rows: list[dict[str, Any]] = Field(min_length=1, max_length=1000)


def answer_of_word(word: str) -> Answer:
    """The answer for a word of the interface."""
    return Answer.WRONG_ENTITY if word == "entity" else Answer(word)


def as_json(content: Any) -> bytes:
    """JSON in ASCII, without NaN."""
    return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


class PlainJSON(JSONResponse):
    """A reply in JSON."""

    def render(self, content: Any) -> bytes:
        return as_json(content)


class Problem(BaseModel):
    """Why a request was refused."""

    detail: str = Field(description="One sentence for people.")
    problems: list[Any] = Field([], description="Where in the request, if several things are wrong.")


class EstimateReply(_Message):
    """Share of accepted rows that are right, by the questions drawn at random, with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int


class ProgressReply(_Message):
    """How far the work is."""

    answered: int
    skipped: int
    open: int
    total: int
    per_minute: float
    precision: EstimateReply | None = Field(
        description="The share of accepted rows that are right, by answers drawn at random."
    )
    recall: EstimateReply | None = Field(description="The share of all relations of the text that are accepted.")
    gained: int = Field(description="Rows that are accepted now and were not before any answer.")
    lost: int = Field(description="Rows that were accepted before any answer and are not now.")
    compared: list[str] = Field(description="How the taught model compares with the one before on the answers, in words.")
    changed: list[str] = Field(description="Rows that the answers have gained and lost: how many, and those that moved most.")
    threshold: float | None = Field(description="The lowest probability that is accepted now.")
    accepted: int
    f1: HeldOutScore | None
    agreement: Agreement | None
    has_learned: bool = Field(description="Whether the answers have changed the model.")
    is_learning: bool = Field(description="Whether some answers are not learned yet.")
    problem: str


class EntityReply(_Message):
    text: str
    type: str
    id: str
    number: int = Field(description="Which entity of a table it is, from 1 on; 0 for a trigger.")
    spans: list[tuple[int, int]] = Field(description="Characters of the sentence.")
    role: str


class GivenAnswer(_Message):
    curator: str
    answer: AnswerWord
    type: str | None
    names: list[str]
    at: str


class StationReply(_Message):
    text: str
    kind: Literal["participant", "word", "entity", "up", "down"]


class QuestionReply(_Message):
    """A candidate: does the sentence say that the two are related?"""

    key: str
    document: str
    sentence: str
    start: int = Field(description="Where the sentence begins in the document.")
    entities: list[EntityReply]
    others: list[tuple[int, int]] = Field(description="Other entities of the sentence.")
    path: list[tuple[int, int]] = Field(description="Words on the path between the two.")
    stations: list[StationReply] = Field(description="The path itself: words, and dependencies walked up or down.")
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
    similarity: float | None = Field(None, description="From 0 to 1, in lists of similar sentences.")
    in_group: bool | None = Field(None, description="There: so similar that one look may judge both together.")


class Listed(_Message):
    """Questions."""

    questions: list[QuestionReply]
    progress: ProgressReply | None = None


class AnsweredReply(_Message):
    """What an answer did."""

    id: int
    before: float
    after: float | None
    changed: int = Field(description="Rows that are accepted now and were not, or the other way round.")
    refitted: bool
    progress: ProgressReply
    next: QuestionReply | None


class Undone(_Message):
    undone: str
    count: int
    question: QuestionReply
    progress: ProgressReply


class Saved(_Message):
    saved: int
    skipped: int = 0
    detail: str = ""
    progress: ProgressReply


class Relations(_Message):
    """Rows of relhash predict, each with the number of its text; with ``why`` if evidence was asked for."""

    relations: list[dict[str, Any]]
    texts: int


class CheckedRows(_Message):
    """The columns that relhash check adds to each row that was sent, in their order."""

    rows: list[dict[str, Any]]


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
