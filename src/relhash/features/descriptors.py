"""Plain facts about a candidate as features: raw for trees, as threshold bits for linear models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.errors import ModelFileError
from relhash.features.descriptor_bits import DescriptorBits
from relhash.features.part import FEATURE_PARTS, Arrays, FeaturePart, Text
from relhash.structures.descriptors import COLUMNS
from relhash.structures.packing import pack_strings, unpack_strings

if TYPE_CHECKING:
    from relhash.features.codes import Code

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
