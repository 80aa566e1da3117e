"""Features of candidates, in named parts that can be switched on and off.

==================  ===================================================================================================
``bits``            the hashcode: one column a hash function
``nearest``         the α-way code: which reference of each function is nearest, one-hot
``descriptors``     plain facts about the candidate, each column as bits "greater than" (for linear models)
``raw-descriptors`` the same as they are (for forests)
``ngrams``          runs of labels in some sequence views
``contextual``      components of what a sentence encoder says (if one is installed)
==================  ===================================================================================================

No part looks at labels, unless the hash functions are learned with them. Everything is fitted once; a row of the result
depends on its candidate alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.errors import ParameterError
from relhash.models.descriptor_bits import DescriptorBits
from relhash.models.ngrams import Ngrams
from relhash.structures.paths import StructureSet

__all__ = ["CODE_PARTS", "PARTS", "DescriptorPart", "FeatureMap", "HashcodePart", "NgramPart", "Part"]

CODE_PARTS = ("bits", "nearest")
PARTS = (*CODE_PARTS, "descriptors", "raw-descriptors", "ngrams", "contextual")
DESCRIPTORS = "descriptors"


class Part(Protocol):
    """One part of the features."""

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self: ...

    def transform(self, X: StructureSet) -> sparse.csr_matrix: ...

    def names(self) -> list[str]: ...


class HashcodePart:
    """What a hashcode learner makes: ``output`` is ``"bits"``, ``"nearest"`` or ``"both"``."""

    def __init__(self, learner: Any, output: str) -> None:
        self.learner = learner
        self.output = output
        self.learner.set_params(output=output)

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self:
        if target is None:
            self.learner.fit(X, y)
        else:
            self.learner.fit(X, y, target=target)
        return self

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        return sparse.csr_matrix(self.learner.transform(X), dtype=np.float64)

    def names(self) -> list[str]:
        return [str(name) for name in self.learner.get_feature_names_out()]

    def widths(self) -> dict[str, int]:
        """Number of columns of the bits and of the nearest references, as far as they are put out."""
        functions = self.learner.functions_
        widths = {"bits": len(functions), "nearest": sum(function.n_references for function in functions)}
        return widths if self.output == "both" else {self.output: widths[self.output]}


class DescriptorPart:
    """The dense view, as threshold bits or raw."""

    def __init__(self, bits: DescriptorBits | None, columns: tuple[str, ...] = ()) -> None:
        self.bits = bits
        self.columns = columns

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self:
        self.columns = X.columns.get(DESCRIPTORS, ())
        if self.bits is not None:
            tables = [_table(X)] if target is None else [_table(X), _table(target)]
            self.bits.fit(np.concatenate(tables))
        return self

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        table = _table(X)
        return sparse.csr_matrix(table, dtype=np.float64) if self.bits is None else self.bits.transform(table)

    def names(self) -> list[str]:
        return list(self.columns) if self.bits is None else self.bits.names(self.columns)


class NgramPart:
    """N-grams that occur on the training side (others could get no weight)."""

    def __init__(self, ngrams: Ngrams) -> None:
        self.ngrams = ngrams

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self:
        self.ngrams.fit(X)
        return self

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        return self.ngrams.transform(X)

    def names(self) -> list[str]:
        return self.ngrams.names()


class FeatureMap:
    """Several parts side by side.

    Parameters
    ----------
    parts
        Parts by name, in the order of their columns.
    """

    def __init__(self, parts: Mapping[str, Part]) -> None:
        if not parts:
            raise ParameterError(f"features: name at least one part of {', '.join(PARTS)}")
        self.parts = dict(parts)

    def fit(self, X: StructureSet, *, target: StructureSet | None = None, y: ArrayLike | None = None) -> Self:
        for part in self.parts.values():
            part.fit(X, target, y)
        return self

    @property
    def blocks_(self) -> dict[str, slice]:
        """The columns of each part, bits and nearest references apart."""
        widths: dict[str, int] = {}
        for name, part in self.parts.items():
            widths |= part.widths() if isinstance(part, HashcodePart) else {name: len(part.names())}
        return blocks(widths)

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        """One row a candidate."""
        return stack([part.transform(X) for part in self.parts.values()])

    def names(self) -> list[str]:
        """A name for each column, for explanations."""
        return [f"{part_name}: {name}" for part_name, part in self.parts.items() for name in part.names()]

    @property
    def learner(self) -> Any:
        """The hashcode learner, if there is one."""
        return next((part.learner for part in self.parts.values() if isinstance(part, HashcodePart)), None)


def blocks(widths: Mapping[str, int]) -> dict[str, slice]:
    """Columns of parts that stand side by side.

    >>> blocks({"bits": 3, "ngrams": 2})
    {'bits': slice(0, 3, None), 'ngrams': slice(3, 5, None)}
    """
    ends = np.cumsum([0, *widths.values()]).tolist()
    return {name: slice(start, end) for name, start, end in zip(widths, ends[:-1], ends[1:], strict=True)}


def stack(parts: Sequence[sparse.csr_matrix]) -> sparse.csr_matrix:
    """Parts side by side, indices of each row in order (so that sums over a row run in one order)."""
    joined = sparse.csr_matrix(sparse.hstack(parts, format="csr")) if len(parts) > 1 else parts[0]
    joined.sort_indices()
    return joined


def _table(X: StructureSet) -> NDArray[np.float32]:
    table = X[DESCRIPTORS]
    if not isinstance(table, np.ndarray):
        raise ParameterError(f"features: view {DESCRIPTORS!r} must be a table")
    return table
