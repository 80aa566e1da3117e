"""What the encoder says of a pair, as features: log-odds by each of its definitions, and its vector."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.encoded import ENCODER
from relhash.errors import ModelFileError
from relhash.language.encoder import shared_encoder
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Text


class EncoderPart(FeaturePart):
    """The columns of the view as they are. A model knows which weights it was fitted with, and is not read with others."""

    name: ClassVar[str] = ENCODER
    views = (ENCODER,)
    version_: str

    def transform(self, text: Text) -> sparse.csr_matrix:
        return sparse.csr_matrix(text.table(ENCODER).astype(np.float64))

    @property
    def columns(self) -> list[str]:
        return list(shared_encoder().columns)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"version": np.frombuffer(shared_encoder().version.encode(), np.uint8)}

    def verify(self) -> None:
        if self.version_ != (installed := shared_encoder().version):
            raise ModelFileError(
                f"encoder: the model was fitted with version {self.version_}, here is {installed}; fit it again"
            )


FEATURE_PARTS.register(EncoderPart.name, EncoderPart)
