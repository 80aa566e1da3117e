"""Output files appear complete or not at all: written under a temporary name, then renamed. Is there a place for one, and which
day does it say it was made on?

A temporary file or folder names the machine and the process that writes it, so that what a killed process has left is known as
such and removed when the next one writes into the same place.
"""

from __future__ import annotations

import contextlib
import errno
import filecmp
import hashlib
import os
import secrets
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO, Any

from relhash.errors import CorpusError, OutputError, ParameterError

STANDARD_STREAM = Path("-")
"""Standard input or output, as people name it."""
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""What goes wrong with a disk rather than with the name of a file."""
EPOCH = "SOURCE_DATE_EPOCH"
SMALLEST_ROOM = 1 << 20
"""Bytes that must be free before long work for an output is begun."""


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], mode: str = "w", **kwargs: Any) -> Iterator[IO[Any]]:
    """Open a file for writing that takes the place of ``path`` only when the block ends without an error.

    A device or a pipe (``/dev/stdout``) is written to as it is. Errors of the disk name ``path``, not the temporary file.
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
    # made here and not by tempfile, whose files are private: so it has the permissions of any other, without asking for
    # the umask, which can only be asked for by changing it for all threads
    temporary = os.fspath(path.parent / f"{_prefix(path)}{secrets.token_hex(8)}.tmp")
    with _naming(path, None):
        opened = open(temporary, mode.replace("w", "x"), **kwargs)  # noqa: SIM115
    try:
        with _naming(path, temporary):
            with opened as handle:
                yield handle
            os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """A folder for temporary files on the disk of ``path``, removed in the end; folders above it are made."""
    parent = path.absolute().parent
    remove_stale(parent)
    with _naming(path, None):
        parent.mkdir(parents=True, exist_ok=True)
        temporary = tempfile.mkdtemp(prefix=_prefix(path), suffix=".tmp", dir=parent)
    try:
        with _naming(path, temporary):
            yield Path(temporary)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill that appears under the name ``path`` only when the block ends without an error.

    There may be an empty folder of that name; one with something in it is an error of the disk (see :func:`check_empty`).
    """
    with folder_beside(path) as private:
        folder = private / "new"
        folder.mkdir()
        yield folder
        os.replace(folder, path)


def same_content(one: Path, other: Path) -> bool:
    """Whether two folders hold the same files with the same bytes."""
    found = [{path.relative_to(folder): path for path in folder.rglob("*")} for folder in (one, other)]
    return found[0].keys() == found[1].keys() and all(
        first.is_dir() and second.is_dir() if first.is_dir() or second.is_dir() else filecmp.cmp(first, second, shallow=False)
        for first, second in ((path, found[1][name]) for name, path in found[0].items())
    )


def check_place(path: str | os.PathLike[str], *, is_folder: bool = False) -> None:
    """Refuse an output for which there is no place (``OutputError``) before any work is done; ``-`` is standard output."""
    path = Path(path)
    if path == STANDARD_STREAM or _is_stream(path):
        return
    parent = path.parent
    if is_folder:  # it will be made, with what lies above it
        parent = path
        while not exists(parent) and parent != parent.parent:
            parent = parent.parent
    elif path.is_dir():
        raise OutputError(f"{path}: a folder, and a file is to be written; name a file in it: {path / 'NAME'}")
    if not exists(parent):
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


def check_empty(path: Path) -> None:
    """Refuse a folder for the output in which there is something (``OutputError``)."""
    if path.is_dir() and any(path.iterdir()):
        raise OutputError("the folder is not empty; choose a new name or remove it", path=path)


def is_file(output: Path) -> bool:
    """Whether an output is or will be a file or folder with a name: no stream, device or pipe."""
    return output != STANDARD_STREAM and not _is_stream(output)


def private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, that only this user may look into."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def check_ends(path: Path) -> None:
    """Refuse a device that can be read without end, such as ``/dev/zero``; terminals and ``/dev/null`` are fine."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            with path.open("rb", buffering=0) as handle:
                if not handle.isatty() and handle.read(1):
                    raise CorpusError("a device without end, not a file", path=path, remedy="give a file")
    except OSError:
        return  # its reader says why it cannot be read


def digest_of(path: Path | None) -> str:
    """The sha256 of a file's content; nothing if there is none, or if it cannot be read (its reader says why)."""
    if path is None:
        return ""
    check_ends(path)
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError:
        return ""


def remove_stale(folder: Path) -> None:
    """Remove temporary files and folders that processes of this machine have left here and that run no more; once a folder."""
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
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    with contextlib.suppress(OSError):
                        os.unlink(entry.path)


def _prefix(path: Path) -> str:
    return f".{path.name[:200]}.{_process()}-"


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
        return True  # of another user
    return True


def _is_stream(path: Path) -> bool:
    """A device or a pipe, which nothing can take the place of."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def exists(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a file or folder; never an error, however long or odd the name."""
    return os.path.exists(path)  # noqa: PTH110 (Path.exists raises "File name too long")


@contextlib.contextmanager
def _naming(path: Path, temporary: str | None) -> Iterator[None]:
    """Errors of the disk with the name of the output; ``temporary=None``: all of them."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            is_ours = temporary is None or error.errno in NO_ROOM
        else:
            is_ours = temporary is None or bool(temporary and str(error.filename).startswith(temporary))
        if not is_ours or error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from error


def today() -> str:
    """The day in UTC, as ``2026-11-17``: today, or that of ``SOURCE_DATE_EPOCH``, with which the same work makes the same
    bytes on any day (https://reproducible-builds.org/specs/source-date-epoch)."""
    given = os.environ.get(EPOCH, "")
    try:
        when = datetime.fromtimestamp(int(given), UTC) if given else datetime.now(UTC)
    except (ValueError, OverflowError, OSError):
        raise ParameterError(f"{EPOCH}: {given!r} is no number of seconds since 1970") from None
    return when.strftime("%Y-%m-%d")
