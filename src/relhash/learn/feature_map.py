"""Several feature parts side by side, on hash functions that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from relhash.candidates.structure_set import StructureSet
from relhash.codec import Arrays, prefixed, under
from relhash.errors import ModelFileError, ParameterError
from relhash.kernels import WordVectors
from relhash.learn.codes import Code
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Text

_CODE = "code/"


class FeatureMap:
    """The features of candidates: one row per candidate, the columns of each part after those of the part before.

    Parameters
    ----------
    parts
        The parts, not fitted; the map fits copies of them.
    code
        The hash functions, not learned, if any part uses them.
    """

    def __init__(self, parts: Sequence[FeaturePart], code: Code | None = None) -> None:
        if not parts:
            raise ParameterError(f"features: name at least one part of {', '.join(FEATURE_PARTS)}")
        self.parts = [copy(part) for part in parts]
        self.code = code

    def fit(self, X: StructureSet, *, target: StructureSet | None = None, y: ArrayLike | None = None) -> Self:
        self.fit_transform(X, target=target, y=y)
        return self

    def fit_transform(
        self,
        X: StructureSet,
        *,
        target: StructureSet | None = None,
        y: ArrayLike | None = None,
    ) -> tuple[sparse.csr_matrix, sparse.csr_matrix | None]:
        """Learn the hash functions, fit all parts; the features of both texts, each computed once.

        Labels ``y`` are seen only by hash functions that are learned with them.
        """
        return self.fit_parts(*self.learn(X, target=target, y=y))

    def learn(
        self,
        X: StructureSet,
        *,
        target: StructureSet | None = None,
        y: ArrayLike | None = None,
    ) -> tuple[Text, Text | None]:
        """The first half of :meth:`fit_transform`: the hash functions; both texts as parts see them, hashed already."""
        if self.code is None:
            return Text(X), None if target is None else Text(target)
        return self.code.fit(X, target, y, {part.code_output for part in self.parts if part.code_output})

    def fit_parts(self, text: Text, other: Text | None) -> tuple[sparse.csr_matrix, sparse.csr_matrix | None]:
        """The second half of :meth:`fit_transform`: all parts, and the features of both texts."""
        rows, target_rows = [], []
        for part in self.parts:
            own, of_target = part.fit_transform(text, other)
            rows.append(own)
            if of_target is not None:
                target_rows.append(of_target)
        return stack(rows), stack(target_rows) if target_rows else None

    def transform(self, X: StructureSet) -> sparse.csr_matrix:
        """One row per candidate."""
        text = Text(X, self.code)
        return stack([part.transform(text) for part in self.parts])

    @property
    def columns(self) -> dict[str, slice]:
        """The columns of each part."""
        return blocks({part.name: len(part.columns) for part in self.parts})

    def names(self) -> list[str]:
        """A name for each column, for explanations."""
        return [f"{part.name}: {column}" for part in self.parts for column in part.columns]

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Arrays, and notes as JSON takes them."""
        arrays = {f"{part.name}/{name}": array for part in self.parts for name, array in part.to_arrays().items()}
        notes: dict[str, Any] = {"parts": [part.to_dict() for part in self.parts], "code": None}
        if self.code is not None:
            of_code, notes["code"] = self.code.to_arrays()
            arrays |= prefixed(_CODE, of_code)
        return arrays, notes

    @classmethod
    def from_arrays(
        cls, arrays: Arrays, notes: Mapping[str, Any], *, vectors: WordVectors | None = None, n_jobs: int | None = None
    ) -> FeatureMap:
        """The inverse of :meth:`to_arrays`; ``vectors`` are the user's own in full, if at hand."""
        code = None if notes["code"] is None else Code.from_arrays(under(arrays, _CODE), notes["code"], vectors, n_jobs)
        parts = []
        for note in notes["parts"]:
            try:
                kind = FEATURE_PARTS[note["name"]]
            except ParameterError as error:
                raise ModelFileError(f"{error}; the model needs the package or script that registers it") from error
            parts.append(kind.from_arrays(under(arrays, f"{kind.name}/"), note["parameters"], code))
        return cls(parts, code)


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
