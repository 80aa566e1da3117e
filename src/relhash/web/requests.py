"""What the interface takes: the bodies of requests, checked before anything is done with them."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from relhash.models.answers.answer import Answer
from relhash.web.asking import Filters

OrderName = Literal["useful", "uncertain", "confident", "random", "entity", "pair", "disagreements"]
AnswerWord = Literal["yes", "no", "skip", "entity", "negated"]
Probability = Annotated[float, Field(ge=0, le=1)]


def _printable(name: str) -> str:
    if not name.strip() or any(unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for one in name):
        raise ValueError("a name is made of characters that can be seen")
    return name.strip()


CuratorName = Annotated[str, Field(min_length=1, max_length=80, description="Who answers."), AfterValidator(_printable)]
Key = Annotated[str, Field(min_length=1, max_length=2000, description="The key of a question.")]
_TypeName = Annotated[str, Field(max_length=200), AfterValidator(_printable)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FiltersBody(_Body):
    """Which questions are wanted: the same fields as in GET /api/queue."""

    entity: Annotated[str, Field(max_length=200)] = ""
    document: Annotated[str, Field(max_length=1000)] = ""
    min_probability: Probability | None = None
    max_probability: Probability | None = None
    type: Annotated[str, Field(max_length=200)] = ""
    assertion: Annotated[str, Field(max_length=40)] = ""

    def filters(self) -> Filters:
        return Filters(**self.model_dump())


class AnswerBody(_Body):
    """An answer: yes, no, skip (cannot tell), entity (a name is wrong), negated (the sentence denies it)."""

    key: Key
    answer: AnswerWord
    type: _TypeName | None = Field(None, description="The type of the relation, if there are several.")
    curator: CuratorName
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None
    order: OrderName = Field("useful", description="The order of the next question.")
    filters: FiltersBody = FiltersBody()
    holding: list[Key] = Field([], max_length=100, description="Questions that are shown already: none of them comes next.")


class AlikeBody(_Body):
    """One answer to several questions."""

    keys: list[Key] = Field(min_length=1, max_length=500)
    answer: AnswerWord
    type: _TypeName | None = None
    curator: CuratorName


class PredictBody(_Body):
    """A text, or several."""

    text: str | None = Field(None, min_length=1, max_length=1_000_000)
    texts: list[Annotated[str, Field(min_length=1, max_length=1_000_000)]] | None = Field(None, min_length=1, max_length=1000)
    evidence: bool = Field(False, description="Also say what moved each decision.")
    all_candidates: bool = Field(False, description="Also those below the threshold.")


def answer_of_word(word: str) -> Answer:
    """The answer for a word of the interface."""
    return Answer.WRONG_ENTITY if word == "entity" else Answer(word)
