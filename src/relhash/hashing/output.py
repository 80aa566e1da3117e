"""From learned functions to features: bits, packed codes, α-way codes.

Shared by the functions of a model file (:class:`LearnedCode`) and by the estimators that find them
(:mod:`relhash.hashing.learner`). Nothing here is fitted, so scikit-learn is not imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.blas import one_blas_thread
from relhash.errors import ParameterError
from relhash.hashing.functions import NO_REFERENCE, HashFamily, HashFunction
from relhash.hashing.hamming import pack
from relhash.hashing.storage import Kernels, functions_from_arrays, functions_to_arrays
from relhash.hashing.table import data_of_view
from relhash.hashing.trace import Step

OUTPUTS = ("bits", "nearest", "both")


class CodeOutput:
    """Hashing with ``functions_``: a mixin for whatever has ``output``, ``sparse_output`` and ``n_jobs``."""

    functions_: Sequence[HashFunction]
    family_: HashFamily
    kernels_: Kernels
    output: str
    sparse_output: bool
    n_jobs: int | None

    @one_blas_thread()
    def transform(self, X: Any) -> Any:
        """Features of the candidates of ``X``, as ``output`` says; a row depends on nothing but its candidate."""
        X = self._checked(X)
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
        """Packed bits, 64 functions per column (see :mod:`relhash.hashing.hamming`)."""
        return pack(self._bits(self._checked(X)))

    @one_blas_thread()
    def nearest_codes(self, X: Any) -> NDArray[np.uint8]:
        """α-way codes ``(n, n_bits)``: the nearest reference of each function, 255 where none has any similarity."""
        return self._bits_and_nearest(self._checked(X))[1]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Functions and family as plain arrays, without the kernels."""
        return functions_to_arrays(self.functions_, self.kernels_, self.family_)

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

    def _checked(self, X: Any) -> Any:
        """``X``, if these functions can hash it."""
        return X


class LearnedCode(CodeOutput):
    """Functions that were learned before, from a model file: they hash, nothing of them is fitted again.

    Attributes
    ----------
    functions_, family_, kernels_
        As of :class:`~relhash.hashing.HashcodeLearner`.
    output, sparse_output, n_jobs
        Its parameters of the same names.
    """

    sparse_output = True

    def __init__(self, functions: Sequence[HashFunction], family: HashFamily, kernels: Kernels, n_jobs: int | None) -> None:
        self.functions_, self.family_ = functions, family
        self.kernels_ = {view: tuple(offered) for view, offered in kernels.items()}
        self.output, self.n_jobs = "bits", n_jobs
        self.trace_: Sequence[Step] = ()

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], kernels: Kernels, *, n_jobs: int | None = None) -> LearnedCode:
        """What :meth:`to_arrays` of a learner, or of this, has written, with the ``kernels_`` it had."""
        family, functions = functions_from_arrays(arrays, kernels)
        return cls(functions, family, kernels, n_jobs)


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
