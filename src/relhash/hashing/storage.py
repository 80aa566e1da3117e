"""Learned functions: as plain arrays and back (what a model file holds instead of a pickle), and what they make of data.

The references of all functions of a view lie one after the other in one compact set, so a stored code is a handful of arrays
whatever its length. The family is stored by its name and its settings, and says itself how what its functions have fitted
becomes arrays. The families by name stand here, too: ours, and those that others register. Kernels are stored apart
(:mod:`relhash.kernels.storage`).

:class:`CodeOutput` turns data into bits and packed codes. Functions of a model file (:class:`LearnedCode`) share
it with the estimators that find them. Nothing here is fitted, so scikit-learn is not imported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.blas import one_blas_thread
from relhash.candidates.paths import PathSet
from relhash.codec import pack_strings, unpack_strings
from relhash.errors import ModelFileError, ParameterError, StructureError
from relhash.hashing.algorithm import require
from relhash.hashing.functions import HashFamily, HashFunction, SplitReferences
from relhash.hashing.hamming import pack
from relhash.hashing.margin import BalancedMarginFamily, MarginFamily
from relhash.hashing.nearest import NearestFamily, StandardNearestFamily
from relhash.hashing.table import data_of_view
from relhash.hashing.trace import Step
from relhash.kernels.bound import Kernel
from relhash.registry import Registry, offer

Kernels = Mapping[str, Sequence[Kernel]]
_OF_FAMILY = "family."

HASH_FAMILIES: Registry[type[HashFamily]] = Registry(
    "hash family",
    "relhash.hash_families",
    {family.name: family for family in (NearestFamily, StandardNearestFamily, MarginFamily, BalancedMarginFamily)},
)
"""Families by name. Register your own class under its ``name``, or offer it by an entry point of ``relhash.hash_families``."""

offer(HASH_FAMILIES.group, "neural", "relhash.hashing.neural:NeuralFamily")  # imported only when asked for


def find_family(hash_function: str | HashFamily, parameters: Mapping[str, Any]) -> HashFamily:
    """What ``HashcodeLearner(hash_function=…, **parameters)`` means.

    >>> find_family("margin", {"ridge": 0.1}).settings
    {'ridge': 0.1}
    """
    if isinstance(hash_function, HashFamily):
        return hash_function
    known = isinstance(hash_function, str) and hash_function in HASH_FAMILIES
    require(known, "hash_function", hash_function, f"{', '.join(HASH_FAMILIES)} or a HashFamily")
    return HASH_FAMILIES[hash_function].of_learner(parameters)


def check_storable(hash_function: str | HashFamily) -> None:
    """A ``ParameterError`` with the remedy, if no model file could hold functions of this family."""
    if not isinstance(hash_function, HashFamily):
        known = isinstance(hash_function, str) and hash_function in HASH_FAMILIES
        require(known, "hash_function", hash_function, f"{', '.join(HASH_FAMILIES)} or a HashFamily")
        return
    own = type(hash_function)
    name = getattr(own, "name", "")
    if name not in HASH_FAMILIES or HASH_FAMILIES[name] is not own:
        raise ParameterError(
            f"hash_function: a model with {own.__name__} could not be saved; register the class first, under its name: "
            f"relhash.hashing.HASH_FAMILIES.register({name or 'my-family'!r}, {own.__name__})"
        )
    try:
        json.dumps(dict(hash_function.settings), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"hash_function: a model with {own.__name__} could not be saved: its settings are not plain JSON ({error}); "
            "let them hold numbers, strings, lists and dicts"
        ) from error


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


def functions_to_arrays(functions: Sequence[HashFunction], kernels: Kernels, family: HashFamily) -> dict[str, NDArray[Any]]:
    """Everything but the kernels; ``kernels`` are those that were offered for each view, to store which one was chosen."""
    check_storable(family)
    references = gather_references(functions)
    views = list(references)
    numbers = [
        next(n for n, kernel in enumerate(kernels[function.view]) if kernel is function.kernel) for function in functions
    ]
    arrays: dict[str, NDArray[Any]] = {
        "family": pack_strings([family.name, json.dumps(dict(family.settings), sort_keys=True, allow_nan=False)]),
        "views": pack_strings(views),
        "functions.view": np.array([views.index(function.view) for function in functions], np.int32),
        "functions.kernel": np.array(numbers, np.int32),
        "functions.n_references": np.array([function.n_references for function in functions], np.int32),
        "functions.splits": np.concatenate([function.split for function in functions]),
    }
    arrays |= {f"{_OF_FAMILY}{name}": array for name, array in family.to_arrays(functions).items()}
    for number, view in enumerate(views):
        arrays |= _set_to_arrays(references[view], f"references.{number}.")
    return arrays


def functions_from_arrays(arrays: Mapping[str, NDArray[Any]], kernels: Kernels) -> tuple[HashFamily, list[HashFunction]]:
    """The inverse of :func:`functions_to_arrays`; raises ``ModelFileError`` when the arrays do not fit together."""
    try:
        family = _family_from_arrays(arrays)
        own = {name.removeprefix(_OF_FAMILY): array for name, array in arrays.items() if name.startswith(_OF_FAMILY)}
        return family, family.from_arrays(own, _split_references(arrays, kernels))
    except (KeyError, IndexError, TypeError, ValueError, StructureError, ModelFileError) as error:
        raise ModelFileError(f"stored hash functions: {error}") from error


def _family_from_arrays(arrays: Mapping[str, NDArray[Any]]) -> HashFamily:
    name, settings = unpack_strings(arrays["family"])
    if name not in HASH_FAMILIES:
        raise ModelFileError(f"there is no hash family {name!r}; install the package that has it, or register it")
    return HASH_FAMILIES[name].from_settings(json.loads(settings))


def _split_references(arrays: Mapping[str, NDArray[Any]], kernels: Kernels) -> list[SplitReferences]:
    views = unpack_strings(arrays["views"])
    left = {view: (_set_from_arrays(arrays, f"references.{number}."), kernels[view]) for number, view in enumerate(views)}
    sizes = arrays["functions.n_references"]
    if sizes.ndim != 1 or not sizes.size or (sizes < 1).any() or sizes.sum() != arrays["functions.splits"].size:
        raise ModelFileError("lengths do not add up")
    taken = dict.fromkeys(views, 0)
    found: list[SplitReferences] = []
    for number, split in enumerate(np.split(arrays["functions.splits"], np.cumsum(sizes)[:-1])):
        view = views[arrays["functions.view"][number]]
        references, offered = left[view]
        start, stop = taken[view], taken[view] + split.size
        taken[view] = stop
        if stop > len(references):
            raise ModelFileError(f"references of view {view!r} are missing")
        kernel = offered[int(arrays["functions.kernel"][number])]
        found.append(SplitReferences(references[start:stop], split, kernel, view))
    return found


def _concatenate(parts: Sequence[Any]) -> Any:
    first = parts[0]
    if isinstance(first, PathSet):
        if all(part.tokens is first.tokens for part in parts):  # selections of one set: only the rows differ
            rows = np.concatenate([part.rows for part in parts])
            return PathSet(first.vocabulary, first.tokens, first.offsets, rows).compact()
        return PathSet.concatenate([part.compact() for part in parts])
    return np.concatenate(parts)


def _set_to_arrays(references: Any, prefix: str) -> dict[str, NDArray[Any]]:
    if isinstance(references, PathSet):
        return references.compact().to_arrays(prefix)
    return {f"{prefix}table": references}


def _set_from_arrays(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Any:
    if f"{prefix}table" in arrays:
        return arrays[f"{prefix}table"]
    return PathSet.from_arrays(arrays, prefix)


class CodeOutput:
    """Hashing with ``functions_``: a mixin for whatever has ``n_jobs``."""

    functions_: Sequence[HashFunction]
    family_: HashFamily
    kernels_: Kernels
    n_jobs: int | None

    @one_blas_thread()
    def transform(self, X: Any) -> NDArray[np.uint8]:
        """The bits of the candidates of ``X``; a row depends on nothing but its candidate."""
        return self._bits(self._checked(X))

    @one_blas_thread()
    def codes(self, X: Any) -> NDArray[np.uint64]:
        """Packed bits, 64 functions per column (see :mod:`relhash.hashing.hamming`)."""
        return pack(self._bits(self._checked(X)))

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

    def _checked(self, X: Any) -> Any:
        """``X``, if these functions can hash it."""
        return X


class LearnedCode(CodeOutput):
    """Functions that were learned before, from a model file: they hash, nothing of them is fitted again.

    Attributes
    ----------
    functions_, family_, kernels_
        As of :class:`~relhash.hashing.HashcodeLearner`.
    n_jobs
        Its parameter of the same name.
    """

    def __init__(self, functions: Sequence[HashFunction], family: HashFamily, kernels: Kernels, n_jobs: int | None) -> None:
        self.functions_, self.family_ = functions, family
        self.kernels_ = {view: tuple(offered) for view, offered in kernels.items()}
        self.n_jobs = n_jobs
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
