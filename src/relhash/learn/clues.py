"""What a policy has learned of the parts of an interaction, as columns of unit spread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.paths import pack_strings, unpack_strings
from relhash.errors import ModelFileError
from relhash.learn.part import FEATURE_PARTS, Arrays, FeaturePart, Text

if TYPE_CHECKING:
    from relhash.learn.codes import Code

VIEW = "clues"


class CluesPart(FeaturePart):
    """The clues of interaction candidates (:mod:`relhash.candidates.statements.clues`), each with mean 0 and spread 1 on the
    training text. Where the policy has learned no links, all are 0."""

    name: ClassVar[str] = "clues"
    views = (VIEW,)

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

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"names": pack_strings(self.names_), "mean": self.mean_, "spread": self.spread_}

    @classmethod
    def from_arrays(cls, arrays: Arrays, parameters: Mapping[str, Any], code: Code | None) -> CluesPart:
        part = cls(**parameters)
        try:
            part.names_ = unpack_strings(np.asarray(arrays["names"], np.uint8))
            part.mean_, part.spread_ = (np.asarray(arrays[name], np.float64) for name in ("mean", "spread"))
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"clues: arrays are missing or of the wrong kind ({error})") from error
        from relhash.candidates.statements.clues import CLUES

        if part.names_ != CLUES or any(one.shape != (len(CLUES),) for one in (part.mean_, part.spread_)):
            raise ModelFileError("the model was made with other clues than this version computes; fit it again")
        return part


FEATURE_PARTS.register(CluesPart.name, CluesPart)
