"""Kernels by name: ours, and those that others register (:class:`~relhash.kernels.Kernel`)."""

from __future__ import annotations

from relhash.errors import ParameterError
from relhash.kernels.bound import Kernel
from relhash.kernels.path_kernel import PathKernel
from relhash.kernels.vector_kernels import METRICS, VectorKernel
from relhash.registry import Registry

KERNELS: Registry[type[Kernel]] = Registry(
    "kernel", "relhash.kernels", {PathKernel.kind: PathKernel, VectorKernel.kind: VectorKernel}
)
"""Kernels by kind. Register your own class under its ``kind``, or offer it by an entry point of ``relhash.kernels``."""


def named_kernel(name: str) -> Kernel:
    """What a name stands for: a metric of vectors, or a kernel with its default parameters.

    >>> named_kernel("cosine"), named_kernel("path")
    (VectorKernel(metric='cosine'), PathKernel())
    """
    if name in METRICS:
        return VectorKernel(name)
    if name not in KERNELS:
        raise ParameterError(f"there is no kernel {name!r}; there are {', '.join([*METRICS, *KERNELS])}")
    return KERNELS[name]()
