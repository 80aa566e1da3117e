"""From learned functions to features: bits, packed codes, α-way codes, feature names.

Shared by all estimators whose learned state is ``functions_``; they differ only in how they find them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from relhash.blas import one_blas_thread
from relhash.errors import ParameterError
from relhash.hashing.codes import pack
from relhash.hashing.functions import NO_REFERENCE, HashFunction
from relhash.hashing.sources import data_of_view
from relhash.structures.paths import PathSet
from relhash.structures.structure_set import StructureSet

__all__ = ["OUTPUTS", "CodeOutput"]

OUTPUTS = ("bits", "nearest", "both")


class CodeOutput(TransformerMixin):
    """Hashing with ``functions_``: a mixin for estimators with the parameters ``output``, ``sparse_output`` and ``n_jobs``."""

    functions_: Sequence[HashFunction]
    output: str
    sparse_output: bool
    n_jobs: int | None

    @one_blas_thread()
    def transform(self, X: Any) -> Any:
        """Features of the candidates of ``X``, as ``output`` says; a row depends on nothing but its candidate."""
        check_is_fitted(self, "functions_")
        X = self._validated(X, reset=False)
        if self.output == "bits":
            return self._bits(X)
        if self.output not in OUTPUTS:
            raise ParameterError(f"output={self.output!r} is not one of {', '.join(OUTPUTS)}")
        return self._features(*self._bits_and_nearest(X))

    def _features(self, bits: NDArray[np.uint8], nearest: NDArray[np.uint8]) -> Any:
        """What ``output`` asks for, from bits and nearest references."""
        if self.output == "bits":
            return np.ascontiguousarray(bits)
        features = one_hot(nearest, [function.n_references for function in self.functions_])
        if self.output == "both":
            features = sparse.hstack([sparse.csr_array(bits), features], format="csr", dtype=np.uint8)
        return features if self.sparse_output else features.toarray()

    @one_blas_thread()
    def codes(self, X: Any) -> NDArray[np.uint64]:
        """Packed bits, 64 functions per column (see :mod:`relhash.hashing.codes`)."""
        check_is_fitted(self, "functions_")
        return pack(self._bits(self._validated(X, reset=False)))

    @one_blas_thread()
    def nearest_codes(self, X: Any) -> NDArray[np.uint8]:
        """α-way codes ``(n, n_bits)``: the nearest reference of each function, 255 where none has any similarity."""
        check_is_fitted(self, "functions_")
        return self._bits_and_nearest(self._validated(X, reset=False))[1]

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """``bit0`` … for bits and ``set0_reference2`` … for nearest references, behind the name of the class."""
        check_is_fitted(self, "functions_")
        if hasattr(self, "n_features_in_"):
            _check_feature_names_in(self, input_features)
        prefix = type(self).__name__.lower()
        bits = [f"{prefix}{number}" for number in range(len(self.functions_))]
        nearest = [
            f"{name}_reference{reference}"
            for name, function in zip(bits, self.functions_, strict=True)
            for reference in range(function.n_references)
        ]
        return np.array({"bits": bits, "nearest": nearest, "both": bits + nearest}[self.output], dtype=object)

    def _bits(self, X: Any) -> NDArray[np.uint8]:
        bits = np.empty((len(X), len(self.functions_)), np.uint8)
        bound = _Binder(X, self.n_jobs)
        alike: dict[tuple[type[HashFunction], int], list[int]] = {}
        for number, function in enumerate(self.functions_):
            alike.setdefault((type(function), id(bound(function))), []).append(number)
        for (kind, _), numbers in alike.items():
            prepared = bound(self.functions_[numbers[0]])
            bits[:, numbers] = kind.bits_of_all([self.functions_[number] for number in numbers], prepared)[:, prepared.rows].T
        return bits

    def _bits_and_nearest(self, X: Any) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        bits = np.empty((len(X), len(self.functions_)), np.uint8)
        nearest = np.empty_like(bits)
        bound = _Binder(X, self.n_jobs)
        for number, function in enumerate(self.functions_):
            prepared = bound(function)
            own_bits, own_nearest = function.bits_and_nearest(prepared)
            bits[:, number], nearest[:, number] = own_bits[prepared.rows], own_nearest[prepared.rows]
        return bits, nearest

    def _validated(self, X: Any, *, reset: bool) -> Any:
        if isinstance(X, PathSet | StructureSet):
            if reset:
                for name in ("n_features_in_", "feature_names_in_"):
                    self.__dict__.pop(name, None)
            return X
        return validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], ensure_min_samples=2 if reset else 1)


class _Binder:
    """Binds each view of ``X`` once for each kernel that compares it."""

    def __init__(self, X: Any, n_jobs: int | None) -> None:
        self.X, self.n_jobs = X, n_jobs
        self._bound: dict[tuple[str, int], Any] = {}

    def __call__(self, function: HashFunction) -> Any:
        key = function.view, id(function.kernel)
        if key not in self._bound:
            self._bound[key] = function.kernel.bind(data_of_view(self.X, function.view), n_jobs=self.n_jobs)
        return self._bound[key]


def one_hot(nearest: NDArray[np.uint8], sizes: Sequence[int]) -> sparse.csr_array:
    """A column for each reference of each function; all zeros where no reference is near.

    >>> one_hot(np.array([[1, 0], [255, 2]], np.uint8), [2, 3]).toarray().tolist()
    [[0, 1, 1, 0, 0], [0, 0, 0, 0, 1]]
    """
    first = np.concatenate([[0], np.cumsum(sizes)])
    present = nearest != NO_REFERENCE
    columns = (nearest + first[:-1])[present]
    starts = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    values = np.ones(columns.size, np.uint8)
    return sparse.csr_array((values, columns.astype(np.int32), starts), shape=(len(nearest), int(first[-1])))
