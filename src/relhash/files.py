"""Output files appear complete or not at all: written under a temporary name, then renamed. Is there a place for one?

A temporary file names the machine and the process that writes it, so that what a killed process has left is known as such and
removed when the next one writes into the same folder.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any

from relhash.errors import OutputError

__all__ = ["NO_ROOM", "check_place", "digest_of", "is_file", "remove_stale", "replacing"]

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""What goes wrong with a disk rather than with the name of a file."""
SMALLEST_ROOM = 1 << 20
"""Bytes that must be free before long work for an output is begun."""


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], mode: str = "w", **kwargs: Any) -> Iterator[IO[Any]]:
    """Open a file for writing that takes the place of ``path`` only when the block ends without an error.

    A device or a pipe (``/dev/stdout``) is written to as it is. Errors of the disk name ``path``, not the temporary file.

    >>> import tempfile, pathlib
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "out.txt"
    >>> with replacing(target) as handle:
    ...     _ = handle.write("complete")
    >>> target.read_text()
    'complete'
    """
    path = Path(path)
    if "b" not in mode:
        kwargs.setdefault("encoding", "utf-8")
        kwargs.setdefault("newline", "\n")
    if _is_stream(path):
        with _naming(path, ""), open(path, mode, **kwargs) as handle:
            yield handle
        return
    remove_stale(path.parent)
    with _naming(path, None):
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name[:200]}.{_process()}-", suffix=".tmp", dir=path.parent)
    try:
        with _naming(path, temporary):
            with open(descriptor, mode, **kwargs) as handle:
                yield handle
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes private files; outputs get the permissions of any other
            os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def check_place(path: str | os.PathLike[str], *, is_folder: bool = False) -> None:
    """Refuse an output for which there is no place, before any work is done for it; ``-`` is standard output.

    Raises
    ------
    OutputError
        If its folder does not exist, cannot be written to or is on a full disk, or if ``path`` is a folder and should not be.
    """
    path = Path(path)
    if path == Path("-") or _is_stream(path):
        return
    parent = path.parent
    if is_folder:  # it will be made, with what lies above it
        parent = path
        while not _exists(parent) and parent != parent.parent:
            parent = parent.parent
    elif path.is_dir():
        raise OutputError(f"{path}: a folder, and a file is to be written; name a file in it: {path / 'NAME'}")
    if not _exists(parent):
        raise OutputError(f"{path}: the folder of the output does not exist; make it first: mkdir -p {parent}")
    if not parent.is_dir():
        raise OutputError(f"{path}: {parent} is a file, not a folder; choose another place")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise OutputError(f"{path}: no permission to write here; choose another place")
    with contextlib.suppress(OSError):
        if shutil.disk_usage(parent).free < SMALLEST_ROOM:
            raise OutputError(f"{path}: the disk is full; make room, or choose another place")
    if len(os.fsencode(path.name)) > 255:
        raise OutputError(f"{path.name[:40]}…: the name is too long for a file")


def is_file(output: Path) -> bool:
    """Whether an output is or will be a file or folder with a name: no stream, device or pipe."""
    return output != Path("-") and not _is_stream(output)


def digest_of(path: Path | None) -> str:
    """The sha256 of a file's content; nothing if there is none, or if it cannot be read (whoever reads it says why)."""
    if path is None:
        return ""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError:
        return ""


def remove_stale(folder: Path) -> None:
    """Remove temporary files that processes of this machine have left here and that run no more; once for each folder."""
    _remove_stale(os.fspath(folder.absolute()))


@cache
def _remove_stale(folder: str) -> None:
    machine = f"{_machine()}-"
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            name = entry.name
            if not name.startswith(".") or not name.endswith(".tmp") or name.count(".") < 3:
                continue
            writer = name.split(".")[-2]
            if not writer.startswith(machine):
                continue
            process = writer.removeprefix(machine).partition("-")[0]
            if process.isdecimal() and not _is_running(int(process)):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def _process() -> str:
    return f"{_machine()}-{os.getpid()}"


@cache
def _machine() -> str:
    """Short for the name of this machine: on a shared disk the processes of others are not ours to judge."""
    return f"{zlib.crc32(os.uname().nodename.encode() if hasattr(os, 'uname') else b''):08x}"


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True


def _is_stream(path: Path) -> bool:
    """A device or a pipe, which nothing can take the place of."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110 (Path.exists raises "File name too long")


@contextlib.contextmanager
def _naming(path: Path, temporary: str | None) -> Iterator[None]:
    """Errors of the disk with the name of the output; ``temporary=None``: all of them."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        is_ours = temporary is None or error.filename == temporary or (error.filename is None and error.errno in NO_ROOM)
        if not is_ours or error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from error
