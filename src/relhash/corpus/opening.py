"""What stands between a file and its bytes: pipes that can be read only once, archives that unpack without end."""

from __future__ import annotations

import atexit
import contextlib
import gzip
import io
import os
import select
import stat
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, cast

from relhash.errors import CorpusError

LARGEST_RATIO = 200
"""Bytes that a packed byte may unpack to; text has 3 to 30."""
ALWAYS_ALLOWED = 64 << 20
"""Bytes that may be unpacked whatever the ratio."""
A_MOMENT = 0.5
"""Seconds for which a pipe is waited for at a time."""

_kept: dict[tuple[str, int, int], Path] = {}


def open_source(path: Path) -> BinaryIO:
    """The bytes of a file. A pipe (``<(zcat …)``) is kept in a temporary file, because formats look before they read."""
    status = path.stat()
    if not stat.S_ISFIFO(status.st_mode):
        return path.open("rb")
    place = os.fspath(path), status.st_dev, status.st_ino
    if place not in _kept:
        descriptor, name = tempfile.mkstemp(prefix="relhash-", suffix=".pipe")
        atexit.register(_forget, Path(name))
        try:
            with open(descriptor, "wb") as copy, path.open("rb", buffering=0) as pipe:
                while piece := _next(pipe):
                    copy.write(piece)
        except BaseException:
            _forget(Path(name))
            raise
        _kept[place] = Path(name)
    return _kept[place].open("rb")


def _next(pipe: io.FileIO) -> bytes:
    """What a pipe holds as soon as it holds something; nothing at its end.

    Python notices a signal that comes just before it begins to read only when it has read, which may be never: so it looks up
    from time to time while it waits.
    """
    while not select.select([pipe], [], [], A_MOMENT)[0]:
        pass
    return pipe.read(1 << 16) or b""


def standard_input() -> BinaryIO:
    """Standard input as bytes; an error if there is none (``<&-``)."""
    if sys.stdin is None or sys.stdin.closed:
        raise CorpusError("standard input is closed", remedy="give a file, or pipe the text in: cat text | relhash …")
    return cast(BinaryIO, sys.stdin.buffer)


class CountedReader(io.RawIOBase):
    """A stream that knows how many bytes were taken from it."""

    def __init__(self, source: BinaryIO) -> None:
        self.source, self.count = source, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.source.read1(len(buffer)) if hasattr(self.source, "read1") else self.source.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class UnpackedReader(io.RawIOBase):
    """A gzip archive unpacked, as long as it unpacks to what a text may."""

    def __init__(self, source: BinaryIO, path: Path) -> None:
        self.packed, self.path, self.count = CountedReader(source), path, 0
        self.unpacked = gzip.GzipFile(fileobj=io.BufferedReader(self.packed), mode="rb")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.unpacked.read1(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        if self.count > max(ALWAYS_ALLOWED, LARGEST_RATIO * self.packed.count):
            raise CorpusError(
                f"the gzip archive unpacks to more than {LARGEST_RATIO} times its size, which no text does",
                path=self.path,
                remedy="if it is right nevertheless, unpack it first: gunzip",
            )
        return len(data)


def _forget(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
