"""How this package compiles: without the GIL, strictly IEEE, and kept on disk in RelHash's own cache folder.

Numba decides where compiled code is kept when a function is decorated. :func:`compiled` points it at the user's cache folder
for just that moment, so that a user's own Numba functions keep their own settings. ``NUMBA_CACHE_DIR`` is respected when it is
set, and where no folder can be written (read-only home, zip import) the code is compiled anew in each process.

Numba notices a change in the file of a compiled function, but not in the functions it calls from other files; a digest of
the sources in the name of the folder closes that gap.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numba
import platformdirs

from relhash.compiled_cache import FORMAT, LAYOUT, warn_that_nothing_is_kept, with_checked_files

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent
ROOMS_WITH_COMPILED_CODE = ("language", "language/genes", "kernels", "hashing", "models")
"""In the order of the import contract: compiled code calls only what is in its own or an earlier room."""

_pointing = Lock()
"""Threads may import modules at once: one of them would take the other's folder for the user's, and leave it behind."""


def compiled_folder() -> Path:
    """Where all compiled code is kept: the user's cache folder, or ``NUMBA_CACHE_DIR``."""
    users_choice = os.environ.get("NUMBA_CACHE_DIR")
    return Path(users_choice or Path(platformdirs.user_cache_dir("relhash", appauthor=False)) / "numba")


@cache
def cache_folder(room: str) -> Path | None:
    """The folder of a room's compiled code, one for each state of the sources it is made from; ``None`` if none can be made."""
    rooms = ROOMS_WITH_COMPILED_CODE
    digest = hashlib.sha256(FORMAT + LAYOUT)
    for earlier in rooms[: rooms.index(room) + 1] if room in rooms else rooms:
        for source in sorted((PACKAGE / earlier).glob("*.py")):
            content = source.read_bytes()
            if b"@compiled" in content or b"@intrinsic" in content:
                digest.update(content)
    folder = compiled_folder() / f"{room.replace('/', '-')}-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
        why = "no permission"
    except OSError as error:
        why = str(error.strerror)
    warn_that_nothing_is_kept(folder.parent, why)
    return None


def compiled(function: Function) -> Function:
    """Compile ``function`` on its first call (or load it from the cache).

    No ``fastmath``: a result must not depend on how a loop was vectorised. No ``parallel``: threads are ours to start, see
    :mod:`relhash.kernels.threads`.

    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """
    return _compile(function, fastmath=False)


def compiled_in_any_order(function: Function) -> Function:
    """As :func:`compiled`, for sums that are exact (of whole numbers), so that the order of their terms does not matter."""
    return _compile(function, fastmath={"reassoc", "contract"})


def _compile(function: Function, **options: Any) -> Function:
    source = Path(function.__code__.co_filename).resolve().parent
    folder = cache_folder(source.relative_to(PACKAGE).as_posix() if source.is_relative_to(PACKAGE) else source.name)
    if folder is None:
        return _jit(function, **options)
    config: Any = numba.config
    with _pointing:
        users_folder = config.CACHE_DIR
        try:
            config.CACHE_DIR = os.fspath(folder)
            return with_checked_files(_jit(function, cache=True, **options))
        except RuntimeError:  # no source file to go with the code
            return _jit(function, **options)
        finally:
            config.CACHE_DIR = users_folder


def _jit(function: Function, **options: Any) -> Function:
    return numba.njit(nogil=True, error_model="numpy", **options)(function)


@cache
def has_vector_registers() -> bool:
    """Whether this CPU has vector registers that the eight-lane kernel maps to well: SSE, AVX or NEON."""
    return platform.machine().lower() in {"x86_64", "amd64", "aarch64", "arm64"}
