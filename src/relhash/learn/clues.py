"""What a policy has learned of the parts of an interaction, as columns of unit spread."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.errors import ModelFileError
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Text

VIEW = "clues"


class CluesPart(FeaturePart):
    """The clues of interaction candidates (:mod:`relhash.candidates.statements.clues`), each with mean 0 and spread 1 on the
    training text. Where the policy has learned no links, all are 0."""

    name: ClassVar[str] = "clues"
    views = (VIEW,)
    names_: tuple[str, ...]
    mean_: NDArray[np.float64]
    spread_: NDArray[np.float64]

    def fit(self, text: Text, target: Text | None = None) -> CluesPart:
        table = text.table(VIEW).astype(np.float64)
        self.names_ = tuple(text.structures.columns.get(VIEW, ()))
        self.mean_ = table.mean(axis=0)
        spread = table.std(axis=0)
        self.spread_ = np.where(spread > 0, spread, 1.0)
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        return sparse.csr_matrix((text.table(VIEW).astype(np.float64) - self.mean_) / self.spread_)

    @property
    def columns(self) -> list[str]:
        return [f"clue: {name}" for name in self.names_]

    def verify(self) -> None:
        from relhash.candidates.statements.clues import CLUES

        if self.names_ != CLUES or any(one.shape != (len(CLUES),) for one in (self.mean_, self.spread_)):
            raise ModelFileError("the model was made with other clues than this version computes; fit it again")


FEATURE_PARTS.register(CluesPart.name, CluesPart)
