"""What is kept between runs: a folder of values under keys, each whole or absent.

One small file per value, with the sha256 of what it holds. Files are written under another name and then renamed, so a process
may be killed at any moment, and concurrent ones see whole values or none. A value that is not what was written is as if it were
not there. A folder that is full or read-only means that nothing is kept, with one warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import warnings
import zlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from relhash.errors import RelHashWarning
from relhash.files import private_folder, replacing

_CHECKSUM = 32
"""Bytes of the sha256 that comes before what a file holds."""
_LARGEST = 1 << 30
"""Bytes that a value may unpack to."""
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "spacy")
"""Packages whose version may show in a result."""


class Store:
    """Values in a folder, which is made with the first of them; ``what`` they are, in messages.

    ``max_bytes`` bounds the sum of their sizes, checked whenever this process has written 5% of it; the least recently
    used go first.
    """

    def __init__(self, folder: str | Path, what: str, max_bytes: int | None = None) -> None:
        self.folder, self.what, self.max_bytes = Path(folder), what, max_bytes
        self._written = 0
        self._warned: set[str] = set()

    def get(self, key: str) -> bytes | None:
        """The value under ``key``; ``None`` when there is none or it is damaged."""
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        try:
            value = unpacked(content)
        except ValueError:
            self.drop(key)
            return None
        with contextlib.suppress(OSError):
            path.touch()
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep ``value``, if the folder can be written to."""
        packed = zlib.compress(value, 6)
        path = self._path(key)
        try:
            private_folder(path.parent)  # what is kept is mostly text
            with replacing(path, "wb") as handle:
                handle.write(hashlib.sha256(packed).digest() + packed)
        except OSError as error:
            self._warn("unkept", f"{self.what} cannot be kept here ({error.strerror}); each run makes them again")
            return
        self._written += _CHECKSUM + len(packed)
        if self.max_bytes is not None and self._written > self.max_bytes // 20:
            self._written = 0
            self.prune()

    def drop(self, key: str) -> None:
        """Forget a value that is not what it should be."""
        with contextlib.suppress(OSError):
            self._path(key).unlink()
        self._warn("damaged", f"{self.what} that were kept here are damaged; they are made again")

    def files(self) -> Iterator[Path]:
        """One file per value."""
        return iter(sorted(path for path in self.folder.glob("??/*") if not path.name.startswith(".")))

    def prune(self) -> None:
        """Delete the values that were used longest ago until the rest fits ``max_bytes``."""
        entries = []
        for path in self.files():
            with contextlib.suppress(OSError):
                status = path.stat()
                entries.append((status.st_mtime_ns, status.st_size, path))
        excess = sum(size for _, size, _ in entries) - (self.max_bytes or 0)
        for _, size, path in sorted(entries):
            if excess <= 0:
                break
            with contextlib.suppress(OSError):  # another process was faster
                path.unlink()
            excess -= size

    def remove(self) -> None:
        """Forget everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]

    def _warn(self, kind: str, message: str) -> None:
        """Once for each kind, however many values there are."""
        if kind not in self._warned:
            self._warned.add(kind)
            warnings.warn(f"{self.folder}: {message}", RelHashWarning, stacklevel=3)


def unpacked(content: bytes) -> bytes:
    """The value that a file of a store holds; ``ValueError`` if it is not what was written, or too large."""
    packed = content[_CHECKSUM:]
    if hashlib.sha256(packed).digest() != content[:_CHECKSUM]:
        raise ValueError("another checksum")
    unpacking = zlib.decompressobj()
    try:
        value = unpacking.decompress(packed, _LARGEST)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("cut off, followed by something else, or too large")
    return value


@cache
def installed_program() -> str:
    """What computes, as a part of a key: our own files as they are installed, and the versions of the libraries."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent
    for file in sorted(package.rglob("*")):
        if file.suffix == ".py":
            digest.update(file.relative_to(package).as_posix().encode() + b"\n" + file.read_bytes())
        elif "resources" in file.parts and file.is_file() and "__pycache__" not in file.parts:
            status = file.stat()  # of megabytes of resources only this: installing others changes it
            digest.update(f"{file.relative_to(package).as_posix()} {status.st_size} {status.st_mtime_ns}\n".encode())
    for library in _LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            digest.update(f"{library} {version(library)}\n".encode())
    return digest.hexdigest()
