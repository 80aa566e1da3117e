"""What ``relhash predict`` counts while documents pass: how much was found, of how much, and whether that looks right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from relhash.language.entities import entity_type

if TYPE_CHECKING:
    from relhash.models import FittedModel, Prediction
    from relhash.models.streaming import Portion

LOOKED_AT = 2000
"""Candidates from the beginning of a text by which it is told whether the model knows such text."""
ENOUGH_TO_TELL = 50
"""Candidates from which the share of accepted ones says something."""


class Tally:
    """Counts the candidates that pass, says so, and lets through those that are wanted."""

    def __init__(self, step: Callable[..., None], *, all_candidates: bool) -> None:
        self.step, self.all_candidates = step, all_candidates
        self.documents = self.entities = self.candidates = self.relations = self.below_half = 0
        self.lowest: float | None = None
        self.types: set[str] = set()
        self.first: list[Prediction] = []

    def counted(self, read: Iterator[Portion]) -> Iterator[Portion]:
        for portion in read:
            judged = portion.predictions
            found = [prediction for prediction in judged if prediction.is_relation]
            self.documents += portion.is_last
            if portion.is_last:
                self.entities += len(portion.document.entities)
                self.types.update(entity_type(mention.type) for mention in portion.document.entities)
            self.candidates += len(judged)
            self.relations += len(found)
            self.below_half += sum(prediction.probability < 0.5 for prediction in found)
            met = [prediction.probability for prediction in found] + ([] if self.lowest is None else [self.lowest])
            self.lowest = min(met, default=None)
            self.first += judged[: LOOKED_AT - len(self.first)]
            self.step(int(portion.is_last), f"{self.relations:,} found")
            yield portion if self.all_candidates else replace(portion, predictions=found)

    def unlike(self, fitted: FittedModel) -> str:
        """How the text differs from what the model was adapted to; empty if it does not."""
        return fitted.unlike([one.candidate for one in self.first], [one.score for one in self.first])

    @property
    def summary(self) -> str:
        """What was found, and of how many."""
        from relhash.models.acceptance import accepted_text

        return f"{accepted_text(self.relations, self.candidates, self.lowest)} in {self.documents:,} documents"

    @property
    def accepts_suspiciously_many(self) -> bool:
        """Whether more than half is accepted of so many that it cannot be chance."""
        return self.candidates >= ENOUGH_TO_TELL and self.relations > self.candidates / 2
