"""Plain facts about a candidate as features: raw for trees, as threshold bits for linear models.

Descriptors for a linear model: each column as a row of bits "greater than", so that it may bend.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.descriptors import COLUMNS
from relhash.candidates.paths import pack_strings, unpack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.part import FEATURE_PARTS, Arrays, FeaturePart, Text

if TYPE_CHECKING:
    from relhash.learn.codes import Code


class DescriptorBits:
    """Thresholds at quantiles of each column; a column of two values gets one threshold, a constant one none.

    Parameters
    ----------
    n_thresholds
        At most this many a column.

    Examples
    --------
    >>> table = np.array([[0., 1.], [1., 2.], [1., 3.]])
    >>> DescriptorBits(2).fit(table).transform(table).toarray().astype(int).tolist()
    [[0, 0, 0], [1, 1, 0], [1, 1, 1]]
    """

    def __init__(self, n_thresholds: int = 8) -> None:
        self.n_thresholds = n_thresholds

    def fit(self, table: NDArray[Any]) -> Self:
        columns: list[int] = []
        thresholds: list[float] = []
        for column in range(table.shape[1]):
            values = np.asarray(table[:, column], np.float32)
            distinct = np.unique(values)
            if distinct.size - 1 <= self.n_thresholds:
                cuts = (distinct[:-1] + distinct[1:]) / 2
            else:
                quantiles = np.quantile(values, np.linspace(0, 1, self.n_thresholds + 2)[1:-1])
                # between two values that occur: no threshold hangs on the last digit of a logarithm
                above = np.unique(np.searchsorted(distinct, quantiles, side="right").clip(1, distinct.size - 1))
                cuts = (distinct[above - 1] + distinct[above]) / 2
            columns += [column] * len(cuts)
            thresholds += [float(cut) for cut in cuts]
        self.n_columns_ = int(table.shape[1])
        self.columns_ = np.array(columns, np.int32)
        self.thresholds_ = np.array(thresholds, np.float64)
        return self

    @property
    def n_features_(self) -> int:
        return int(self.columns_.size)

    def transform(self, table: NDArray[Any]) -> sparse.csr_matrix:
        if table.shape[1] != self.n_columns_:
            raise ParameterError(f"descriptors: {self.n_columns_} columns are expected, not {table.shape[1]}")
        return sparse.csr_matrix((table[:, self.columns_] > self.thresholds_).astype(np.float32))

    def names(self, columns: tuple[str, ...]) -> list[str]:
        return [f"{columns[column]} > {threshold:.2f}" for column, threshold in zip(self.columns_, self.thresholds_)]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"columns": self.columns_, "thresholds": self.thresholds_, "n_columns": np.array(self.n_columns_)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        part = cls()
        try:
            part.columns_ = np.asarray(arrays["columns"]).astype(np.int32, casting="same_kind")
            part.thresholds_ = np.asarray(arrays["thresholds"]).astype(np.float64, casting="same_kind")
            part.n_columns_ = int(arrays["n_columns"])
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"descriptors: arrays are missing or of the wrong kind ({error})") from error
        if part.columns_.ndim != 1 or part.columns_.shape != part.thresholds_.shape:
            raise ModelFileError("descriptors: its arrays do not fit together")
        if part.columns_.size and not 0 <= part.columns_.min() <= part.columns_.max() < part.n_columns_:
            raise ModelFileError("descriptors: a column does not exist")
        return part


VIEW = "descriptors"


class RawDescriptorsPart(FeaturePart):
    """Descriptors as they are (for forests)."""

    name: ClassVar[str] = "raw-descriptors"
    views = (VIEW,)

    def fit(self, text: Text, target: Text | None = None) -> RawDescriptorsPart:
        self.facts_ = text.structures.columns.get(VIEW, ())
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        return sparse.csr_matrix(text.table(VIEW), dtype=np.float32)

    @property
    def columns(self) -> list[str]:
        return list(self.facts_)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"names": pack_strings(self.facts_)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, parameters: Mapping[str, Any], code: Code | None) -> RawDescriptorsPart:
        part = cls(**parameters)
        part.facts_ = _same_facts(arrays)
        return part


class DescriptorBitsPart(FeaturePart):
    """Each descriptor as bits "greater than", so that a linear model may bend.

    Parameters
    ----------
    n_thresholds
        At most this many per descriptor.
    """

    name: ClassVar[str] = "descriptors"
    views = (VIEW,)

    def __init__(self, n_thresholds: int = 8) -> None:
        self.n_thresholds = n_thresholds

    def fit(self, text: Text, target: Text | None = None) -> DescriptorBitsPart:
        self.facts_ = text.structures.columns.get(VIEW, ())
        tables = [one.table(VIEW) for one in (text, target) if one is not None]
        self.bits_ = DescriptorBits(self.n_thresholds).fit(np.concatenate(tables))
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        return self.bits_.transform(text.table(VIEW))

    @property
    def columns(self) -> list[str]:
        return self.bits_.names(self.facts_)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"names": pack_strings(self.facts_), **self.bits_.to_arrays()}

    @classmethod
    def from_arrays(cls, arrays: Arrays, parameters: Mapping[str, Any], code: Code | None) -> DescriptorBitsPart:
        part = cls(**parameters)
        part.facts_ = _same_facts(arrays)
        part.bits_ = DescriptorBits.from_arrays(arrays)
        return part


def _same_facts(arrays: Arrays) -> tuple[str, ...]:
    """The names of the descriptors, if this version still computes just these."""
    names = unpack_strings(np.asarray(arrays.get("names", np.empty(0, np.uint8)), np.uint8))
    if names != COLUMNS:
        raise ModelFileError("the model was made with other descriptors than this version computes; fit it again")
    return names


FEATURE_PARTS.register(DescriptorBitsPart.name, DescriptorBitsPart)
FEATURE_PARTS.register(RawDescriptorsPart.name, RawDescriptorsPart)
