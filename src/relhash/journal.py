"""What a long run has done so far, on disk: records that are appended, synced, and read again by the run after a kill.

A journal belongs to one run, told by a key of everything that the results depend on: a journal with another key is begun anew.
Each record has its checksum. Whatever is cut off or damaged, and all that follows it, is forgotten, so that a process may be
killed at any moment. A disk that is full or read-only means that nothing is kept, with one warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import warnings
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO

from relhash.errors import RelHashWarning

_HEAD = b"relhash journal 1\n"
_SIZES = struct.Struct(">Q16s")
"""Before each record: its length and its checksum."""
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "spacy")
"""Packages whose version may show in a result."""


class Journal:
    """Records of one run in a file.

    Parameters
    ----------
    path
        Where to keep it; its folder must exist.
    key
        Everything that the records depend on, in one string.

    Attributes
    ----------
    n_found
        Records that an earlier run with the same key has left.
    is_kept
        Whether records are written: not if another process writes this very journal now, or if the disk takes nothing.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "out.journal"
    >>> with Journal(path, "settings") as journal:
    ...     journal.append(b"first", b"second")
    >>> with Journal(path, "settings") as journal:
    ...     list(journal)
    [b'first', b'second']
    >>> Journal(path, "other settings").n_found
    0
    """

    def __init__(self, path: str | os.PathLike[str], key: str) -> None:
        self.path = Path(path)
        self._head = _HEAD + hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        self._starts: list[int] = []
        self._handle: IO[bytes] | None = None
        try:
            self._handle = open(self.path, "a+b", buffering=0)  # noqa: SIM115 (until close)
            if not _is_ours_alone(self._handle):
                self._give_up("another process is writing it; this run keeps nothing")
                return
            end = self._scan()
            self._handle.truncate(end)
        except OSError as error:
            self._give_up(f"{error.strerror}; this run cannot be resumed")

    @property
    def n_found(self) -> int:
        return len(self._starts)

    @property
    def is_kept(self) -> bool:
        return self._handle is not None

    def __iter__(self) -> Iterator[bytes]:
        """The records so far, one at a time from the disk."""
        for number in range(self.n_found):
            yield self[number]

    def __getitem__(self, number: int) -> bytes:
        start = self._starts[number]
        if self._handle is None:
            raise IndexError(number)
        self._handle.seek(start)
        length, _ = _SIZES.unpack(_exactly(self._handle, _SIZES.size))
        return _exactly(self._handle, length)

    def append(self, *records: bytes) -> None:
        """Add records and return when they are on the disk."""
        if self._handle is None or not records:
            return
        try:
            end = self._handle.seek(0, os.SEEK_END)
            content = b"" if end else self._head
            starts = []
            for record in records:
                starts.append(end + len(content))
                content += _SIZES.pack(len(record), _checksum(record)) + record
            _write_all(self._handle, content)
            os.fsync(self._handle.fileno())
            if not end:
                _sync_folder(self.path.parent)
        except OSError as error:
            self._give_up(f"{error.strerror}; this run cannot be resumed")
            self._remove_file()
            return
        self._starts += starts

    def cut(self, n_records: int) -> None:
        """Forget all records but the first ``n_records``."""
        if self._handle is not None and n_records < self.n_found:
            self._handle.truncate(self._starts[n_records])
            del self._starts[n_records:]

    def close(self) -> None:
        """Let go of the file; one without records is removed."""
        if self._handle is not None:
            # the file itself is asked: a signal may have come while records were on their way to the disk
            if self._handle.seek(0, os.SEEK_END) <= len(self._head):
                self._remove_file()
            self._handle.close()
            self._handle = None

    def remove(self) -> None:
        """The run is complete: forget it."""
        if self._handle is not None:
            self._remove_file()
            self._starts = []
            self.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _scan(self) -> int:
        """Find the records that are whole; where the first that is not begins."""
        assert self._handle is not None
        size = self._handle.seek(0, os.SEEK_END)
        self._handle.seek(0)
        if self._handle.read(len(self._head)) != self._head:
            return 0
        end = len(self._head)
        while end + _SIZES.size <= size:
            length, checksum = _SIZES.unpack(_exactly(self._handle, _SIZES.size))
            after = end + _SIZES.size + length
            if after > size or _checksum(_exactly(self._handle, length)) != checksum:
                break
            self._starts.append(end)
            end = after
        return end

    def _give_up(self, why: str) -> None:
        warnings.warn(f"{self.path}: {why}", RelHashWarning, stacklevel=4)
        if self._handle is not None:
            self._handle.close()
        self._handle, self._starts = None, []

    def _remove_file(self) -> None:
        with contextlib.suppress(OSError):
            self.path.unlink()


@cache
def installed_program() -> str:
    """What computes, as a part of a key: our own files as they are installed, and the versions of the libraries."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent
    for file in sorted(package.rglob("*")):
        if file.suffix == ".py":
            digest.update(file.relative_to(package).as_posix().encode() + b"\n" + file.read_bytes())
        elif "resources" in file.parts and file.is_file() and "__pycache__" not in file.parts:
            status = file.stat()  # of megabytes of resources only this: whoever installs others changes it
            digest.update(f"{file.relative_to(package).as_posix()} {status.st_size} {status.st_mtime_ns}\n".encode())
    for library in _LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            digest.update(f"{library} {version(library)}\n".encode())
    return digest.hexdigest()


def _checksum(record: bytes) -> bytes:
    return hashlib.sha256(record).digest()[:16]


def _exactly(handle: IO[bytes], length: int) -> bytes:
    """So many bytes; an unbuffered file may give fewer at a time."""
    pieces = []
    while length:
        piece = handle.read(length)
        if not piece:
            raise OSError(0, "the journal is cut off")
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)


def _write_all(handle: IO[bytes], content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[handle.write(left) :]


def _sync_folder(folder: Path) -> None:
    """The name of a new file is in its folder, which is synced by itself."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_ours_alone(handle: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
