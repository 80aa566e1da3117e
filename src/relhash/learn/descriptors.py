"""Parts whose columns are those of a table: descriptors (raw for trees, as threshold bits for linear models), the clues of
interactions, and what the encoder says of a pair."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.descriptors import COLUMNS
from relhash.candidates.encoded import ENCODER
from relhash.errors import ModelFileError, ParameterError
from relhash.language.encoder import shared_encoder
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Text

CLUES_VIEW = "clues"


class CluesPart(FeaturePart):
    """The clues of interaction candidates (:mod:`relhash.candidates.statements.links`), each with mean 0 and spread 1 on the
    training text. Where the policy has learned no links, all are 0."""

    name: ClassVar[str] = "clues"
    views = (CLUES_VIEW,)
    names_: tuple[str, ...]
    mean_: NDArray[np.float64]
    spread_: NDArray[np.float64]

    def fit(self, text: Text, target: Text | None = None) -> CluesPart:
        table = text.table(CLUES_VIEW).astype(np.float64)
        self.names_ = tuple(text.structures.columns.get(CLUES_VIEW, ()))
        self.mean_ = table.mean(axis=0)
        spread = table.std(axis=0)
        self.spread_ = np.where(spread > 0, spread, 1.0)
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        return sparse.csr_matrix((text.table(CLUES_VIEW).astype(np.float64) - self.mean_) / self.spread_)

    @property
    def columns(self) -> list[str]:
        return [f"clue: {name}" for name in self.names_]

    def verify(self) -> None:
        from relhash.candidates.statements.links import CLUES

        if self.names_ != CLUES or any(one.shape != (len(CLUES),) for one in (self.mean_, self.spread_)):
            raise ModelFileError("the model was made with other clues than this version computes; fit it again")


FEATURE_PARTS.register(CluesPart.name, CluesPart)


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


VIEW = "descriptors"


def quantile_cuts(table: NDArray[Any], n_cuts: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Columns and thresholds at quantiles, at most ``n_cuts`` per column; a column of two values gets one, a constant none.

    >>> columns, thresholds = quantile_cuts(np.array([[0.0, 1.0], [1.0, 2.0], [1.0, 3.0]]), 2)
    >>> columns.tolist(), thresholds.tolist()
    ([0, 1, 1], [0.5, 1.5, 2.5])
    """
    columns: list[int] = []
    thresholds: list[float] = []
    for column in range(table.shape[1]):
        values = np.asarray(table[:, column], np.float32)
        distinct = np.unique(values)
        if distinct.size - 1 <= n_cuts:
            cuts = (distinct[:-1] + distinct[1:]) / 2
        else:
            quantiles = np.quantile(values, np.linspace(0, 1, n_cuts + 2)[1:-1])
            # between two values that occur: no threshold hangs on the last digit of a logarithm
            above = np.unique(np.searchsorted(distinct, quantiles, side="right").clip(1, distinct.size - 1))
            cuts = (distinct[above - 1] + distinct[above]) / 2
        columns += [column] * len(cuts)
        thresholds += [float(cut) for cut in cuts]
    return np.array(columns, np.int32), np.array(thresholds, np.float64)


class RawDescriptorsPart(FeaturePart):
    """Descriptors as they are (for forests)."""

    name: ClassVar[str] = "raw-descriptors"
    views = (VIEW,)
    names_: tuple[str, ...]

    def fit(self, text: Text, target: Text | None = None) -> Self:
        self.names_ = text.structures.columns.get(VIEW, ())
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        return sparse.csr_matrix(text.table(VIEW), dtype=np.float32)

    @property
    def columns(self) -> list[str]:
        return list(self.names_)

    def verify(self) -> None:
        if self.names_ != COLUMNS:
            raise ModelFileError("the model was made with other descriptors than this version computes; fit it again")


class DescriptorBitsPart(RawDescriptorsPart):
    """Each descriptor as bits "greater than", so that a linear model may bend.

    Parameters
    ----------
    n_thresholds
        At most this many per descriptor.
    """

    name: ClassVar[str] = "descriptors"
    columns_: NDArray[np.int32]
    thresholds_: NDArray[np.float64]
    n_columns_: int

    def __init__(self, n_thresholds: int = 8) -> None:
        self.n_thresholds = n_thresholds

    def fit(self, text: Text, target: Text | None = None) -> Self:
        super().fit(text)
        table = np.concatenate([one.table(VIEW) for one in (text, target) if one is not None])
        self.n_columns_ = int(table.shape[1])
        self.columns_, self.thresholds_ = quantile_cuts(table, self.n_thresholds)
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        table = text.table(VIEW)
        if table.shape[1] != self.n_columns_:
            raise ParameterError(f"descriptors: {self.n_columns_} columns are expected, not {table.shape[1]}")
        return sparse.csr_matrix((table[:, self.columns_] > self.thresholds_).astype(np.float32))

    @property
    def columns(self) -> list[str]:
        return [f"{self.names_[column]} > {cut:.2f}" for column, cut in zip(self.columns_, self.thresholds_, strict=True)]

    def verify(self) -> None:
        super().verify()
        if self.columns_.ndim != 1 or self.columns_.shape != self.thresholds_.shape:
            raise ModelFileError("descriptors: its arrays do not fit together")
        if self.columns_.size and not 0 <= self.columns_.min() <= self.columns_.max() < self.n_columns_:
            raise ModelFileError("descriptors: a column does not exist")


FEATURE_PARTS.register(DescriptorBitsPart.name, DescriptorBitsPart)
FEATURE_PARTS.register(RawDescriptorsPart.name, RawDescriptorsPart)
