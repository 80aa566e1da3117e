"""One BLAS thread where matrices are small: a second one only spins, and the last digits of a product would depend on it.

The limit belongs to the process, not to a thread: several threads of ours may ask for it at once, so it is lifted only when the
last of them is done.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock
from typing import Any

__all__ = ["limit_from_the_start", "one_blas_thread"]

_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_BRINGS_BLAS = ("numpy", "scipy.linalg", "sklearn", "torch")
"""Modules with which a BLAS library may come into the process."""

_lock = Lock()
_inside = 0
_limit = ExitStack()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """In the block, and in every function called from it, BLAS has one thread.

    >>> with one_blas_thread():
    ...     pass
    """
    global _inside
    with _lock:
        if _inside == 0:
            _limit.enter_context(_libraries(tuple(name in sys.modules for name in _BRINGS_BLAS)).limit(limits=1, user_api="blas"))
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limit.close()


def limit_from_the_start(environment: MutableMapping[str, str] = os.environ) -> None:
    """Say the same to libraries that are not loaded yet, and to child processes; what the user has set stays.

    >>> variables = {"OPENBLAS_NUM_THREADS": "4"}
    >>> limit_from_the_start(variables)
    >>> variables["OPENBLAS_NUM_THREADS"], variables["MKL_NUM_THREADS"]
    ('4', '1')
    """
    for name in _VARIABLES:
        environment.setdefault(name, "1")


@cache
def _libraries(loaded: tuple[bool, ...]) -> Any:
    """The libraries in this process, looked up again when a module that may have brought one was loaded since."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
