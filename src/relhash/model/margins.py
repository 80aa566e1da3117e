"""Close calls: candidates whose score nearly equals the threshold, bits of their codes that nearly turn.

The same model gives the same scores on one kind of machine, to the last bit. Another processor or library may differ in the
last digits, which changes a decision only where the score lies as close to the threshold as that. A bit is one of hundreds of
features; one that turns moves a score a little.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from relhash.corpus import Document
from relhash.model.judging import judged_batches, structures_of

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel

NARROW = 1e-6
"""Distance from the threshold under which a margin is narrow: far more than rounding ever moves a score."""


@dataclass(frozen=True)
class Margins:
    """Candidates of a text, how many of them have a narrow margin, and the narrowest margin (None without candidates).

    ``bits`` are those of their codes that can be judged, ``narrow_bits`` those within the same distance of turning.

    >>> Margins.of([0.1, 0.5, 0.5 + 1e-7], 0.5)
    Margins(candidates=3, narrow=2, narrowest=0.0, bits=0, narrow_bits=0)
    """

    candidates: int
    narrow: int
    narrowest: float | None
    bits: int = 0
    narrow_bits: int = 0

    @classmethod
    def of(cls, scores: Iterable[float], threshold: float) -> Margins:
        distances = [abs(score - threshold) for score in scores]
        return cls(len(distances), sum(one < NARROW for one in distances), min(distances, default=None))

    def as_dict(self) -> dict[str, int | float | None]:
        return asdict(self)


def margins_of(model: FittedModel, documents: Iterable[Document]) -> Margins:
    """The margins of a model's decisions on a text, and of the bits that they are made from."""
    code = model.features.code
    scores: list[float] = []
    bits = narrow_bits = 0
    for batch in judged_batches(model, documents):
        judged = [one for portion in batch for one in portion.predictions]
        scores += [one.score for one in judged]
        if code is not None and judged:
            margins = code.learner.margins(structures_of(model, [one.candidate for one in judged]))
            bits, narrow_bits = bits + margins.size, narrow_bits + int((margins < NARROW).sum())
    return replace(Margins.of(scores, model.decision.threshold.score), bits=bits, narrow_bits=narrow_bits)
