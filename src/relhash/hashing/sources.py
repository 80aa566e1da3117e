"""From what a user passes (array, PathSet, StructureSet; kernel names, objects, lists) to bound kernels, view by view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np

from relhash.candidates.paths import PathSet
from relhash.candidates.structure_set import StructureSet
from relhash.errors import ParameterError
from relhash.kernels.bound import BoundKernel, Kernel
from relhash.kernels.path_kernel import PathKernel
from relhash.kernels.storage import named_kernel
from relhash.kernels.vector_kernels import VectorKernel

ONLY_VIEW = ""  # the name of the one view of an array or a PathSet


def view_names(X: Any, views: Sequence[str] | None, kernel: Any) -> tuple[str, ...]:
    """The views to hash: those asked for, or all that ``X`` has, or one if the kernel itself combines views."""
    if isinstance(kernel, Kernel) and kernel.combines_views:
        return (ONLY_VIEW,)
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
