"""One BLAS thread where matrices are small: a second one only spins, and the last digits of a product would depend on it.

The limit belongs to the process, not to a thread: several threads of ours may ask for it at once, so it is lifted only when the
last of them is done.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock
from typing import Any

_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_BRINGS_BLAS = ("numpy", "scipy.linalg", "sklearn", "torch")
"""Modules with which a BLAS library may come into the process."""

_lock = Lock()
_inside = 0
_limit = ExitStack()
_keepers: list[ThreadPoolExecutor] = []
# a forked child has the keeper object but not its thread
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keepers.clear)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """In the block, and in every function called from it, BLAS has one thread.

    >>> with one_blas_thread():
    ...     pass
    """
    global _inside
    with _lock:
        if _inside == 0:
            _keeper().submit(_set).result()
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _keeper().submit(_limit.close).result()


def _set() -> None:
    loaded = tuple(name in sys.modules for name in _BRINGS_BLAS)
    _limit.enter_context(_libraries(loaded).limit(limits=1, user_api="blas"))


def _keeper() -> ThreadPoolExecutor:
    """A thread that does nothing else: threadpoolctl lets only the thread that set a limit lift it again."""
    if not _keepers:
        _keepers.append(ThreadPoolExecutor(1, thread_name_prefix="relhash-blas"))
    return _keepers[0]


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
