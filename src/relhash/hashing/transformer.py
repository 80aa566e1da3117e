"""Hashing as scikit-learn has it: what all estimators whose learned state is ``functions_`` share.

They differ only in how they find the functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from relhash.candidates.paths import PathSet
from relhash.candidates.structure_set import StructureSet
from relhash.hashing.output import CodeOutput


class CodeTransformer(TransformerMixin, CodeOutput):
    """A mixin for estimators with the parameters ``output``, ``sparse_output`` and ``n_jobs``."""

    def transform(self, X: Any) -> Any:  # its own, for ``set_output`` to find
        """Features of the candidates of ``X``, as ``output`` says; a row depends on nothing but its candidate."""
        return super().transform(X)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The learned functions and their family as plain arrays, for ``numpy.savez``.

        The kernels of ``kernels_`` are not among them: :func:`relhash.kernels.storage.kernels_to_arrays` stores those.
        """
        check_is_fitted(self, "functions_")
        return super().to_arrays()

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

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self, "functions_")
        return self._validated(X, reset=False)

    def _validated(self, X: Any, *, reset: bool) -> Any:
        if _are_tokens(X):
            X = PathSet.from_sequences(X)
        if isinstance(X, PathSet | StructureSet):
            if reset:
                for name in ("n_features_in_", "feature_names_in_"):
                    self.__dict__.pop(name, None)
            return X
        return validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], ensure_min_samples=2 if reset else 1)


def _are_tokens(X: Any) -> bool:
    """Whether X is a list of lists of words, and not of numbers: a path for each candidate, in words."""
    is_list = isinstance(X, list | tuple) and bool(X) and all(isinstance(row, list | tuple) for row in X)
    return is_list and any(X) and all(isinstance(token, str) for row in X for token in row)
