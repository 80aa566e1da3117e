"""A feature part as a stage of a fit: fitted, with its rows of both texts, or recalled as an earlier run has kept it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.features.part import FEATURE_PARTS, FeaturePart, Text
from relhash.features.stages import Stages

_PART, _ROWS, _TARGET = "part/", "rows/", "target/"

Fitted = tuple[FeaturePart, sparse.csr_matrix, sparse.csr_matrix | None]
"""The part, its rows of the training text, and those of the target."""


def fitted_part(part: FeaturePart, text: Text, target: Text | None, stages: Stages | None = None) -> Fitted:
    """Fit ``part``, or recall it and its rows."""
    name = f"features-{part.name}"
    kept = None if stages is None else stages.recall(name)
    if kept is not None:
        return _recalled(part, text, *kept)
    rows, of_target = part.fit_transform(text, target)
    if stages is not None and _comes_back(part, text):
        arrays = {f"{_PART}{key}": array for key, array in part.to_arrays().items()} | _matrix_to_arrays(rows, _ROWS)
        if of_target is not None:
            arrays |= _matrix_to_arrays(of_target, _TARGET)
        stages.keep(name, arrays, {"parameters": part.parameters})
    return part, rows, of_target


def same_arrays(first: Mapping[str, NDArray[Any]], second: Mapping[str, NDArray[Any]]) -> bool:
    """Whether two sets of arrays would be the same bytes in a file.

    >>> same_arrays({"a": np.array([1.0, np.nan])}, {"a": np.array([1.0, np.nan])}), same_arrays({"a": np.ones(1)}, {})
    (True, False)
    """
    return first.keys() == second.keys() and all(
        (array.dtype, array.shape, array.tobytes()) == (second[name].dtype, second[name].shape, second[name].tobytes())
        for name, array in first.items()
    )


def _recalled(part: FeaturePart, text: Text, arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any]) -> Fitted:
    restored = _restored(part, {k.removeprefix(_PART): a for k, a in arrays.items() if k.startswith(_PART)}, notes, text)
    of_target = _matrix_from_arrays(arrays, _TARGET) if f"{_TARGET}shape" in arrays else None
    return restored, _matrix_from_arrays(arrays, _ROWS), of_target


def _restored(part: FeaturePart, arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any], text: Text) -> FeaturePart:
    return FEATURE_PARTS[part.name].from_arrays(arrays, notes["parameters"], text.code if part.code_output else None)


def _comes_back(part: FeaturePart, text: Text) -> bool:
    """Whether what is read again is what was fitted, to the last bit; a part of somebody else's may not care."""
    arrays = part.to_arrays()
    restored = _restored(part, arrays, json.loads(json.dumps({"parameters": part.parameters})), text)
    return restored == part and restored.columns == part.columns and same_arrays(restored.to_arrays(), arrays)


def _matrix_to_arrays(matrix: sparse.csr_matrix, prefix: str) -> dict[str, NDArray[Any]]:
    parts = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr, "shape": np.array(matrix.shape)}
    return {f"{prefix}{name}": array for name, array in parts.items()}


def _matrix_from_arrays(arrays: Mapping[str, NDArray[Any]], prefix: str) -> sparse.csr_matrix:
    data, indices, indptr, shape = (arrays[f"{prefix}{name}"] for name in ("data", "indices", "indptr", "shape"))
    return sparse.csr_matrix((data, indices, indptr), shape=tuple(shape.tolist()))
