"""How this package compiles: without the GIL, strictly IEEE, and kept on disk in RelHash's own cache folder.

Numba decides where compiled code is kept when a function is decorated. :func:`compiled` points it at the user's cache folder
for just that moment, so that a user's own Numba functions keep their own settings. ``NUMBA_CACHE_DIR`` is respected when it is
set, and where no folder can be written (read-only home, zip import) the code is compiled anew in each process.

Numba notices a change in the file of a compiled function, but not in the functions it calls from other files; a digest of
the sources in the name of the folder closes that gap.

Numba's cache on disk, with a checksum on every file: what is damaged is compiled again, with one warning.

Each compiled signature is a file of its own, named after it. Numba numbers them in an index: of two processes that compiled at
once (two commands on a new machine, the workers of a cluster) both had a number 1, and the code of one signature was then
loaded for another.

Compiled code is loaded without the part of Numba that compiles, which would take ten times as long to import as to load it.

Numba unpickles what it finds. A file that was cut off by a full disk, emptied or flipped ends in an error that hides
the cause, in a crash of the compiled code, or in other numbers; and does so again on every later run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import platform
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core.caching import IndexDataCacheFile
from numba.core.runtime import rtsys  # type: ignore[attr-defined]

from relhash.errors import RelHashWarning

FORMAT = b"relhash compiled 1\n"
"""How each file begins; then come the sha256 of the rest and the rest."""
LAYOUT = b"one file per signature\n"
"""What else a reader has to know; another one means another folder."""
_DIGEST = 32
_warned: set[str] = set()


def with_checked_files(function: Any) -> Any:
    """A function that Numba compiled with ``cache=True``, from now on with files that are checked."""
    cache: Any = getattr(function, "_cache", None)
    files = getattr(cache, "_cache_file", None)
    if isinstance(files, IndexDataCacheFile):  # a later Numba may keep them elsewhere, and then keeps its own ways
        cache._cache_file = CheckedFiles.like(files)
        cache.load_overload = partial(_loaded, cache)
    return function


def _loaded(cache: Any, signature: Any, context: Any) -> Any:
    """A compiled function as Numba's own ``load_overload`` gives it.

    That one refreshes the context first, which imports Numba's knowledge of all of Python and numpy. Compiling needs it, and
    refreshes by itself; compiled code needs only memory from Numba's runtime.
    """
    rtsys.initialize(context)
    return cache._load_overload(signature, context)


class CheckedFiles(IndexDataCacheFile):
    """The files of one function. Reading never fails, and writing where nothing can be written only warns."""

    @classmethod
    def like(cls, files: Any) -> CheckedFiles:
        return cls(files._cache_path, files._index_name.removesuffix(".nbi"), files._source_stamp)

    def flush(self) -> None:
        for path in Path(self._cache_path).glob(f"{self._base}.*.nbc"):
            path.unlink(missing_ok=True)

    def save(self, key: Any, data: Any) -> None:
        self._keep(self._path(key), (*self._stamp, key, data))

    def load(self, key: Any) -> Any:
        found = self._checked(self._path(key))
        is_ours = isinstance(found, tuple) and found[:-1] == (*self._stamp, key)
        return found[-1] if is_ours else None

    @property
    def _base(self) -> str:
        return str(self._index_name.removesuffix(".nbi"))

    @property
    def _stamp(self) -> tuple[Any, Any]:
        return self._version, self._source_stamp

    def _path(self, key: Any) -> Path:
        """Of a signature, for a kind of processor."""
        return Path(self._cache_path, f"{self._base}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc")

    def _checked(self, path: Path) -> Any:
        """What the file holds; nothing if it is not there or is not what was written."""
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if not _is_whole(content):
            with contextlib.suppress(OSError):
                path.unlink()
            _warn("damaged", f"{path.parent}: compiled code that was kept here is damaged; it is compiled again")
            return None
        try:
            return pickle.loads(content[len(FORMAT) + _DIGEST :])
        except Exception:  # whole, but of another version of some library
            return None

    def _keep(self, path: Path, value: Any) -> None:
        payload: bytes = self._dump(value)
        try:
            with self._open_for_write(os.fspath(path)) as handle:
                handle.write(FORMAT + hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            warn_that_nothing_is_kept(path.parent, str(error.strerror))


def damaged_files(folder: Path) -> Iterator[Path]:
    """Those files of compiled code under ``folder`` that are not what was written."""
    for path in sorted(folder.rglob("*.nb[ic]")):
        try:
            is_whole = _is_whole(path.read_bytes())
        except OSError:
            is_whole = False
        if not is_whole:
            yield path


def _is_whole(content: bytes) -> bool:
    start = len(FORMAT)
    digest, payload = content[start : start + _DIGEST], content[start + _DIGEST :]
    return content[:start] == FORMAT and hashlib.sha256(payload).digest() == digest


def warn_that_nothing_is_kept(folder: Path, why: str) -> None:
    """Else it is not clear why every command takes half a minute to begin."""
    _warn("unkept", f"{folder}: compiled code cannot be kept here ({why}); each run compiles it again")


def _warn(kind: str, message: str) -> None:
    """Once for each kind: one sentence is enough for a folder of a hundred files."""
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(message, RelHashWarning, stacklevel=2)


Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent
ROOMS_WITH_COMPILED_CODE = ("language", "biomed/genes", "kernels", "hashing", "learn")
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
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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
