"""Learned functions as plain arrays, and back: what a model file holds instead of a pickle.

The references of all functions of a view lie one after the other in one compact set, so a stored code is a handful of arrays
whatever its length. Kernels are not stored here: who stores a model knows how to make them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ModelFileError, StructureError
from relhash.hashing.functions import HashFamily, HashFunction
from relhash.kernels.bound import Kernel
from relhash.structures.packing import pack_strings, unpack_strings
from relhash.structures.paths import PathSet
from relhash.structures.structure_set import StructureSet

__all__ = ["functions_from_arrays", "functions_to_arrays", "gather_references"]

Kernels = Mapping[str, Sequence[Kernel]]


def gather_references(functions: Sequence[HashFunction]) -> dict[str, Any]:
    """The references of all functions, view by view, in the order of the functions.

    The functions are left with selections of these sets, so that they no longer hold the data they were learned on.
    """
    gathered: dict[str, Any] = {}
    for view in dict.fromkeys(function.view for function in functions):
        own = [function for function in functions if function.view == view]
        together = gathered[view] = _concatenate([function.references for function in own])
        stops = np.cumsum([function.n_references for function in own]).tolist()
        for function, stop in zip(own, stops, strict=True):
            function.references = together[stop - function.n_references : stop]
    return gathered


def functions_to_arrays(functions: Sequence[HashFunction], kernels: Kernels) -> dict[str, NDArray[Any]]:
    """Everything but the kernels; ``kernels`` are those that were offered for each view, to store which one was chosen."""
    references = gather_references(functions)
    views = list(references)
    numbers = [
        next(n for n, kernel in enumerate(kernels[function.view]) if kernel is function.kernel) for function in functions
    ]
    arrays: dict[str, NDArray[Any]] = {
        "views": pack_strings(views),
        "functions.view": np.array([views.index(function.view) for function in functions], np.int32),
        "functions.kernel": np.array(numbers, np.int32),
        "functions.n_references": np.array([function.n_references for function in functions], np.int32),
        "functions.splits": np.concatenate([function.split for function in functions]),
        "functions.n_parameters": np.array([function.parameters.size for function in functions], np.int64),
        "functions.parameters": np.concatenate([function.parameters for function in functions]),
    }
    for number, view in enumerate(views):
        arrays |= _set_to_arrays(references[view], f"references.{number}.")
    return arrays


def functions_from_arrays(arrays: Mapping[str, NDArray[Any]], kernels: Kernels, family: HashFamily) -> list[HashFunction]:
    """The inverse of :func:`functions_to_arrays`; raises ``ModelFileError`` when the arrays do not fit together."""
    try:
        views = unpack_strings(arrays["views"])
        left = {view: (_set_from_arrays(arrays, f"references.{number}."), kernels[view]) for number, view in enumerate(views)}
        sizes, parameter_sizes = arrays["functions.n_references"], arrays["functions.n_parameters"]
        if sizes.sum() != arrays["functions.splits"].size or parameter_sizes.sum() != arrays["functions.parameters"].size:
            raise ModelFileError("stored hash functions: lengths do not add up")
        splits = np.split(arrays["functions.splits"], np.cumsum(sizes)[:-1])
        parameters = np.split(arrays["functions.parameters"], np.cumsum(parameter_sizes)[:-1])
        taken = dict.fromkeys(views, 0)
        functions: list[HashFunction] = []
        for number, split in enumerate(splits):
            view = views[arrays["functions.view"][number]]
            references, offered = left[view]
            start, stop = taken[view], taken[view] + split.size
            taken[view] = stop
            if stop > len(references):
                raise ModelFileError(f"stored hash functions: references of view {view!r} are missing")
            kernel = offered[int(arrays["functions.kernel"][number])]
            functions.append(family.restore(references[start:stop], split, kernel, view, parameters[number]))
        return functions
    except (KeyError, IndexError, StructureError) as error:
        raise ModelFileError(f"stored hash functions: {error}") from error


def _concatenate(parts: Sequence[Any]) -> Any:
    first = parts[0]
    if isinstance(first, PathSet):
        if all(part.tokens is first.tokens for part in parts):  # selections of one set: only the rows differ
            rows = np.concatenate([part.rows for part in parts])
            return PathSet(first.vocabulary, first.tokens, first.offsets, rows).compact()
        return PathSet.concatenate([part.compact() for part in parts])
    if isinstance(first, StructureSet):
        return StructureSet({name: _concatenate([part[name] for part in parts]) for name in first.names})
    return np.concatenate(parts)


def _set_to_arrays(references: Any, prefix: str) -> dict[str, NDArray[Any]]:
    if isinstance(references, PathSet):
        return references.compact().to_arrays(prefix)
    if isinstance(references, StructureSet):
        arrays: dict[str, NDArray[Any]] = {f"{prefix}views": pack_strings(references.names)}
        for number, name in enumerate(references.names):
            arrays |= _set_to_arrays(references[name], f"{prefix}{number}.")
        return arrays
    return {f"{prefix}table": references}


def _set_from_arrays(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Any:
    if f"{prefix}table" in arrays:
        return arrays[f"{prefix}table"]
    if f"{prefix}views" in arrays:
        names = unpack_strings(arrays[f"{prefix}views"])
        return StructureSet({name: _set_from_arrays(arrays, f"{prefix}{number}.") for number, name in enumerate(names)})
    return PathSet.from_arrays(arrays, prefix)
