"""One table of what is learned from: distinct candidates of both texts, counted, compared, and with their bits so far.

It is made of what a user passes (array, PathSet, StructureSet; kernels by name, as objects, in lists). Two candidates that
look the same in every view get the same bit from every hash function: they are one *point*, counted as often as it occurs.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.paths import PathSet
from relhash.candidates.structure_set import StructureSet
from relhash.errors import ParameterError, RelHashWarning
from relhash.hashing.functions import HashFamily, HashFunction, Responses
from relhash.hashing.information import Clustering, cluster_by_bits, cluster_by_keys, count_ones, latent_factors
from relhash.kernels.bound import BoundKernel, Kernel
from relhash.kernels.path_kernel import PathKernel
from relhash.kernels.storage import named_kernel
from relhash.kernels.vector_kernels import VectorKernel

ONLY_VIEW = ""  # the name of the one view of an array or a PathSet


def view_names(X: Any, views: Sequence[str] | None) -> tuple[str, ...]:
    """The views to hash: those asked for, or all that ``X`` has."""
    if not isinstance(X, StructureSet):
        if views is not None:
            raise ParameterError("views= names views of a StructureSet; an array or a PathSet has only one")
        return (ONLY_VIEW,)
    names = X.names if views is None else tuple(views)
    unknown = [name for name in names if name not in X.names]
    if unknown or not names:
        raise ParameterError(f"views={list(names)}: the data has the views {', '.join(X.names)}")
    return names


def data_of_view(X: Any, view: str) -> Any:
    if view == ONLY_VIEW:
        return X
    if isinstance(X, StructureSet):
        return X[view]
    raise ParameterError(f"the hash functions compare view {view!r}: pass a StructureSet, not a {type(X).__name__}")


def concatenate(first: Any, *others: Any) -> Any:
    """Data sets of one type, one after the other."""
    for other in others:
        if type(first) is not type(other):
            raise ParameterError(f"target must be a {type(first).__name__} like X, not a {type(other).__name__}")
    if isinstance(first, PathSet):
        return PathSet.concatenate([first, *others])
    if isinstance(first, StructureSet):
        return StructureSet.concatenate([first, *others])
    return np.concatenate([first, *others])


def kernels_by_view(kernel: Any, X: Any, views: Sequence[str]) -> dict[str, tuple[Kernel, ...]]:
    """The kernels offered for each view.

    ``kernel`` is one kernel (an object, a name, or a callable on arrays), a list of kernels from which each function takes
    the best, or a mapping from views to either. None is the default for the type of the view.
    """
    offered: dict[str, tuple[Kernel, ...]] = {}
    for view in views:
        choice = kernel
        if isinstance(kernel, Mapping):
            if view not in kernel:
                raise ParameterError(f"kernel= has no entry for view {view!r}; it has {', '.join(map(str, kernel))}")
            choice = kernel[view]
        choices = choice if isinstance(choice, list | tuple) else [choice]
        if not choices:
            raise ParameterError(f"kernel= offers no kernel for view {view!r}")
        data = data_of_view(X, view)
        offered[view] = tuple(_as_kernel(one, data) for one in choices)
    return offered


def bind_views(X: Any, kernels: Mapping[str, Sequence[Kernel]], n_jobs: int | None = None) -> dict[str, list[BoundKernel]]:
    """Each view prepared for each of the kernels that are offered for it."""
    return {
        view: [kernel.bind(data_of_view(X, view), n_jobs=n_jobs) for kernel in offered] for view, offered in kernels.items()
    }


def _as_kernel(kernel: Any, data: Any) -> Kernel:
    if kernel is None:
        kernel = PathKernel() if isinstance(data, PathSet) else VectorKernel()
    elif isinstance(kernel, str):
        kernel = named_kernel(kernel)
    elif callable(kernel) and not isinstance(kernel, Kernel):
        if not isinstance(data, np.ndarray):
            raise ParameterError(
                f"kernel: a function compares rows of an array, not a {type(data).__name__}; use a PathKernel, "
                "or write a kernel (relhash.kernels.Kernel says how)"
            )
        kernel = VectorKernel(kernel)
    if not isinstance(kernel, Kernel):
        raise ParameterError(f"kernel={kernel!r} is neither a relhash.kernels.Kernel nor the name of one nor a function")
    if isinstance(data, PathSet) and isinstance(kernel, VectorKernel):
        raise ParameterError("a PathSet needs a PathKernel: vector kernels compare rows of an array")
    if kernel.needs_fit:
        copied: Any = copy(kernel)
        return copied.fit(data)
    return kernel


class Table:
    """Points, the kernels that are bound to their structures, and one row of bits per function.

    Parameters
    ----------
    bound, kernels
        Each view of all candidates prepared for each kernel that is offered for it.
    family
        How functions are made.
    membership
        x: 1 for training candidates, 0 for target candidates.
    n_bits
        How many functions there may be at a time.

    Attributes
    ----------
    weights
        ``(points, kinds)``: how many target candidates and how many training candidates a point stands for.
    of_candidate
        The point of each candidate.
    rows
        For each kernel of each view the structure of each point.
    """

    def __init__(
        self,
        bound: Mapping[str, Sequence[BoundKernel]],
        kernels: Mapping[str, Sequence[Kernel]],
        family: HashFamily,
        membership: NDArray[np.int64],
        *,
        n_bits: int = 100,
    ) -> None:
        self.bound, self.kernels, self.family = bound, kernels, family
        views = [offered[0].rows for offered in bound.values()]
        self.weights, first, self.of_candidate = merged(views, membership)
        self.rows = {view: [np.ascontiguousarray(one.rows[first]) for one in offered] for view, offered in bound.items()}
        self.n_candidates, self.n_functions = int(self.weights.sum()), 0
        self._bits = np.zeros((n_bits, first.size), np.uint8)
        self._distinct = {view: distinct_points(offered[0]) for view, offered in self.rows.items()}
        self._latent: NDArray[np.int64] | None = None
        if first.size == 1 and self.n_candidates > 1:
            warnings.warn(
                f"all {self.n_candidates:,} candidates are the same to the kernel, so all bits are constant and tell nothing "
                "apart; check the data, or compare other views",
                RelHashWarning,
                stacklevel=5,
            )

    @property
    def bits(self) -> NDArray[np.uint8]:
        """``(functions, points)``."""
        return self._bits[: self.n_functions]

    def clusters(self, chosen: NDArray[np.int64]) -> Clustering:
        """Cells of the bits of the ``chosen`` functions."""
        return cluster_by_bits(self.bits, chosen, self.weights)

    def latent_clusters(self, n_factors: int, rng: np.random.Generator, *, anew: bool) -> Clustering:
        """Cells of the latent factors of all bits; without ``anew`` the factors are those of the last time."""
        if anew or self._latent is None:
            factors = latent_factors(self.bits, self.weights.sum(axis=1), n_factors, rng)
            self._latent = factors.codes(self.bits)
        return cluster_by_keys(self._latent, self.weights)

    def ones_of(self, functions: Sequence[int], clusters: Clustering) -> NDArray[np.int64]:
        return count_ones(self.bits, functions, clusters, self.weights)

    def everywhere(self, view: str) -> NDArray[np.int64]:
        """One point for each distinct structure."""
        return self._distinct[view]

    def members(self, view: str, clusters: Clustering, cluster: int) -> NDArray[np.int64]:
        """One point for each distinct structure of a cluster."""
        return distinct_points(self.rows[view][0], np.flatnonzero(clusters.cells == cluster))

    def respond(self, view: str, number: int, places: NDArray[np.int64]) -> Responses:
        """How all structures of the view respond to those of some points as references, under one of its kernels."""
        return self.family.respond(self.bound[view][number], self.rows[view][number][places].astype(np.int64))

    def accept(self, view: str, number: int, responses: Responses, split: NDArray[np.uint8]) -> HashFunction:
        """One more function, and its bits."""
        self._append(self.rows[view][number], responses.bits(split))
        references = self.bound[view][number].unique(responses.ids)
        return self.family.function(references, split, self.kernels[view][number], view, responses)

    def add(self, function: HashFunction) -> None:
        """The bits of a function that was here before."""
        offered = enumerate(self.kernels.get(function.view, ()))
        number = next((number for number, kernel in offered if kernel is function.kernel), None)
        if number is None:
            raise ParameterError(f"a function compares view {function.view!r} with a kernel that is not offered here")
        self._append(self.rows[function.view][number], function.bits(self.bound[function.view][number]))

    def keep(self, functions: Sequence[int]) -> None:
        """Only these functions, in this order."""
        self._bits[: len(functions)] = self._bits[list(functions)]
        self.n_functions = len(functions)

    def _append(self, rows: NDArray[np.int32], bits: NDArray[np.uint8]) -> None:
        self._bits[self.n_functions] = bits[rows]
        self.n_functions += 1


def merged(
    rows: Sequence[NDArray[np.integer]], membership: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Candidates that have the same structure in all views become one point.

    Parameters are those of :class:`Table`; ``rows`` has for each view the number of each candidate's structure. Returns
    weights, one candidate for each point, and the point of each candidate.

    >>> merged([np.array([0, 0, 1])], np.array([1, 0, 1]))[0].tolist()
    [[1, 1], [0, 1]]
    """
    key = np.asarray(rows[0], np.int64)
    for more in rows[1:]:
        _, key = np.unique(key, return_inverse=True)  # keeps the product below within 63 bits
        key = key * (int(more.max(initial=0)) + 1) + more
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    weights = np.zeros((first.size, 2), np.int64)
    np.add.at(weights, (index, np.asarray(membership, np.int64)), 1)
    return weights, first.astype(np.int64), index.astype(np.int64)


def distinct_points(rows: NDArray[np.int32], among: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """One point for each distinct structure: duplicates count as weight, never in the draw.

    >>> distinct_points(np.array([0, 1, 0, 2])).tolist()
    [0, 1, 3]
    """
    if among is None:
        return np.unique(rows, return_index=True)[1]
    return among[np.unique(rows[among], return_index=True)[1]]


def membership_of(n_train: int, n_target: int | None, target_share: float, seed: np.random.SeedSequence) -> NDArray[np.int64]:
    """x: 1 for training candidates, 0 for target candidates; without a target a random share plays its part."""
    if n_target is not None:
        return (np.arange(n_train + n_target) < n_train).astype(np.int64)
    membership = np.ones(n_train, np.int64)
    rng = np.random.default_rng(seed)
    membership[rng.choice(n_train, int(target_share * n_train), replace=False)] = 0
    return membership
