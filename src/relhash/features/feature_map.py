"""Features of candidates, in named parts that can be switched on and off.

==================  ===================================================================================================
``bits``            the hashcode: one column a hash function
``nearest``         the α-way code: which reference of each function is nearest, one-hot
``coordinates``     where the candidate lies in kernel space, seen from the references of all functions
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
from relhash.features.coordinates import ReferenceCoordinates
from relhash.features.descriptor_bits import DescriptorBits
from relhash.features.ngrams import Ngrams
from relhash.hashing.learner import HashcodeLearner
from relhash.structures.structure_set import StructureSet

__all__ = ["CODE_PARTS", "PARTS", "DescriptorPart", "FeatureMap", "HashcodePart", "NgramPart", "Part"]

CODE_PARTS = ("bits", "nearest", "coordinates")
PARTS = (*CODE_PARTS, "descriptors", "raw-descriptors", "ngrams", "contextual")
DESCRIPTORS = "descriptors"


class Part(Protocol):
    """One part of the features."""

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self: ...

    def transform(self, X: StructureSet) -> sparse.csr_matrix: ...

    def names(self) -> list[str]: ...


class HashcodePart:
    """What a hashcode learner makes.

    Parameters
    ----------
    learner
        The hashcode learner.
    outputs
        Some of ``"bits"``, ``"nearest"`` and ``"coordinates"``; columns come in this order.
    coordinates
        For ``"coordinates"``.
    """

    def __init__(self, learner: Any, outputs: Sequence[str], coordinates: ReferenceCoordinates | None = None) -> None:
        self.learner = learner
        self.outputs = tuple(output for output in CODE_PARTS if output in outputs)
        self.coordinates = coordinates or ReferenceCoordinates()
        hashed = [output for output in self.outputs if output != "coordinates"]
        self.learner.set_params(output="both" if len(hashed) == 2 else hashed[0] if hashed else "bits")

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self:
        self.fit_transform(X, target, y)
        return self

    def fit_transform(
        self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None
    ) -> tuple[sparse.csr_matrix, sparse.csr_matrix | None]:
        """Learn, and hash both texts at once."""
        hashed: tuple[Any, Any] | list[Any]
        if isinstance(self.learner, HashcodeLearner):
            hashed = self.learner.fit_hash(X, y, target=target)
        else:
            self.learner.fit(X, y)
            hashed = [None if one is None else self.learner.transform(one) for one in (X, target)]
        features = [sparse.csr_matrix(one, dtype=np.float64) for one in hashed if one is not None]
        if "coordinates" in self.outputs:
            texts = [one for one in (X, target) if one is not None]
            placed = map(self.coordinates.fit(self.learner.functions_, texts).transform, texts)
            hashes = self.outputs != ("coordinates",)
            features = [stack([own, place]) if hashes else place for own, place in zip(features, placed, strict=True)]
        return features[0], features[1] if len(features) > 1 else None

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        blocks = []
        if self.outputs != ("coordinates",):
            blocks.append(sparse.csr_matrix(self.learner.transform(X), dtype=np.float64))
        if "coordinates" in self.outputs:
            blocks.append(self.coordinates.transform(X))
        return stack(blocks)

    def names(self) -> list[str]:
        names: list[str] = []
        if self.outputs != ("coordinates",):
            names += [str(name) for name in self.learner.get_feature_names_out()]
        return names + self.coordinates.names() if "coordinates" in self.outputs else names

    def widths(self) -> dict[str, int]:
        """Number of columns of each output."""
        functions = self.learner.functions_
        widths = {"bits": len(functions), "nearest": sum(function.n_references for function in functions)}
        if "coordinates" in self.outputs:
            widths["coordinates"] = len(self.coordinates.offset_)
        return {output: widths[output] for output in self.outputs}


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
    """N-grams that occur in the training text (others could get no weight) and, where it is known, in the target."""

    def __init__(self, ngrams: Ngrams) -> None:
        self.ngrams = ngrams

    def fit(self, X: StructureSet, target: StructureSet | None, y: ArrayLike | None) -> Self:
        self.ngrams.fit(X, target)
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
        self.fit_transform(X, target=target, y=y)
        return self

    def fit_transform(
        self, X: StructureSet, *, target: StructureSet | None = None, y: ArrayLike | None = None
    ) -> tuple[sparse.csr_matrix, sparse.csr_matrix | None]:
        """Fit all parts; the features of both texts, each computed once."""
        rows, target_rows = [], []
        for part in self.parts.values():
            if isinstance(part, HashcodePart):
                own, other = part.fit_transform(X, target, y)
            else:
                part.fit(X, target, y)
                own, other = part.transform(X), None if target is None else part.transform(target)
            rows.append(own)
            if other is not None:
                target_rows.append(other)
        return stack(rows), stack(target_rows) if target_rows else None

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
