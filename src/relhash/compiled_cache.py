"""Numba's cache on disk, with a checksum on every file: what is damaged is compiled again, with one warning.

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
        base = files._index_name.removesuffix(".nbi")
        return cls(files._cache_path, base, files._source_stamp)

    def _load_index(self) -> dict[Any, str]:
        found = self._checked(Path(self._index_path))
        if not isinstance(found, tuple) or found[:2] != (self._version, self._source_stamp):
            return {}
        overloads: dict[Any, str] = found[2]
        return overloads

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._keep(Path(self._index_path), (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._checked(Path(self._cache_path, name))

    def _save_data(self, name: str, data: Any) -> None:
        self._keep(Path(self._cache_path, name), data)

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
            _warn("unkept", f"{path.parent}: compiled code cannot be kept here ({error.strerror}); each run compiles it again")


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


def _warn(kind: str, message: str) -> None:
    """Once for each kind: one sentence is enough for a folder of a hundred files."""
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(message, RelHashWarning, stacklevel=2)
