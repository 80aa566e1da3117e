"""Numba's cache on disk, with a checksum on every file: what is damaged is compiled again, with one warning.

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
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile
from numba.core.runtime import rtsys  # type: ignore[attr-defined]

from relhash.errors import RelHashWarning

FORMAT = b"relhash compiled 1\n"
"""How each file begins; then come the sha256 of the rest and the rest."""
LAYOUT = b"one file per signature\n"
"""What else a reader has to know; another one means another folder."""
_DIGEST = 32
_warned: set[str] = set()


def is_kept(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether code of ``function`` for arguments like these is in memory or on disk."""
    signature = tuple(map(function.typeof_pyval, args))
    files = getattr(function._cache, "_cache_file", None)
    if signature in function.overloads or not isinstance(files, CheckedFiles):
        return signature in function.overloads
    return files._path(function._cache._index_key(signature, function.targetctx.codegen())).is_file()


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
        payload: bytes = self._dump(value)  # type: ignore[no-untyped-call]
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
