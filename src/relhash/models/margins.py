"""How many decisions hang by a thread: candidates whose score nearly equals the threshold.

The same model gives the same scores on one kind of machine, to the last bit. Another processor or library may differ in the
last digits, which changes a decision only where the score lies as close to the threshold as that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from relhash.corpus import Document

if TYPE_CHECKING:
    from relhash.models.fitted import FittedModel

__all__ = ["NARROW", "Margins", "margins_of"]

NARROW = 1e-6
"""Distance from the threshold under which a margin is narrow: far more than rounding ever moves a score."""


@dataclass(frozen=True)
class Margins:
    """Candidates of a text, how many of them have a narrow margin, and the narrowest margin (None without candidates).

    >>> Margins.of([0.1, 0.5, 0.5 + 1e-7], 0.5)
    Margins(candidates=3, narrow=2, narrowest=0.0)
    """

    candidates: int
    narrow: int
    narrowest: float | None

    @classmethod
    def of(cls, scores: Iterable[float], threshold: float) -> Margins:
        distances = [abs(score - threshold) for score in scores]
        return cls(len(distances), sum(one < NARROW for one in distances), min(distances, default=None))

    def as_dict(self) -> dict[str, int | float | None]:
        return asdict(self)


def margins_of(model: FittedModel, documents: Iterable[Document]) -> Margins:
    """The margins of a model's decisions on a text."""
    judged = model.stream(documents, all_candidates=True)
    return Margins.of((one.score for one in judged), model.decision.threshold.score)
