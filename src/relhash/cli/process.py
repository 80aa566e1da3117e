"""The process around a command: its streams, its signals, its memory."""

from __future__ import annotations

import gc
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn, cast

from relhash.errors import ParameterError

_HARDLY_ANYTHING = 32 << 20
"""Bytes: a library asks for so much at once when it is loaded."""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class Terminated(KeyboardInterrupt):
    """SIGTERM: everything that is done for Ctrl-C is done for it."""


_asked: list[type[KeyboardInterrupt]] = []
_A_MOMENT = 0.2
"""Seconds until C code has surely returned from its callback; if not, it is asked once more."""


def prepare_streams() -> None:
    """Write UTF-8 whatever the terminal claims to speak; what is no character (a byte of a file name) shows as its code.

    Standard output that was closed (``>&-``) fails when something is written to it, with a message, not before. Where standard
    error is closed, on a full disk or not read, what is said there is lost, and neither the work nor the exit code.
    """
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    elif sys.stderr is sys.__stderr__:  # not a test's
        raw = _Unfailing(cast(Any, sys.stderr).fileno(), "wb", closefd=False)
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a test's stream
            cast(Any, stream).reconfigure(encoding="utf-8", errors="backslashreplace")


class _Unfailing(io.FileIO):
    """A stream that drops what it cannot write."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def collect_rarely() -> None:
    """Look for garbage in cycles a third as often as Python would, and among old objects a sixth: there is hardly any here.

    The first sentences of a text load a million objects that stay, and each look at them takes as long as fifty sentences.
    """
    gc.set_threshold(2000, 10, 20)


def drop_standard_output() -> None:
    """Let what is still to be written go nowhere, so that the interpreter does not fail over it once more."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_like_an_interrupt() -> None:
    """Let SIGTERM end a command as Ctrl-C does: temporary files are removed, caches stay whole.

    What is raised while C code calls back into Python (a compiler does) is lost there; it is then raised again a moment later,
    and :func:`asked_to_end` tells that whatever failed in between is no error of its own.
    """
    _asked.clear()

    def end(signal_number: int, frame: Any) -> NoReturn:
        _asked.append(Terminated)
        raise Terminated

    def again(signal_number: int, frame: Any) -> None:
        if _asked:
            raise _asked[-1]

    as_python_does = sys.unraisablehook

    def lost(unraisable: Any) -> None:
        if not isinstance(unraisable.exc_value, KeyboardInterrupt):
            as_python_does(unraisable)
            return
        _asked.append(type(unraisable.exc_value))
        signal.setitimer(signal.ITIMER_REAL, _A_MOMENT)

    if threading.current_thread() is threading.main_thread():
        with suppress(ValueError, OSError, AttributeError):  # a system without such signals
            signal.signal(signal.SIGTERM, end)
            signal.signal(signal.SIGALRM, again)
            sys.unraisablehook = lost


def asked_to_end() -> type[KeyboardInterrupt] | None:
    """How the user has asked this command to end, if so; asked once."""
    if _asked:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return _asked[-1] if _asked else None


def taken_out(option: str, arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The value of an option of ``relhash`` itself, wherever it stands, and the other arguments."""
    found: str | None = None
    rest: list[str] = []
    given = iter(arguments)
    for argument in given:
        if argument == option:
            found = next(given, "")
        elif argument.startswith(f"{option}="):
            found = argument.partition("=")[2]
        else:
            rest.append(argument)
            if argument == "--":
                rest += given
    return found, rest


def limit_memory(arguments: Sequence[str]) -> list[str]:
    """Take ``--max-memory SIZE`` out of the arguments and obey it."""
    size, rest = taken_out("--max-memory", arguments)
    if size is not None:
        _limit(bytes_of(size))
    return rest


def bytes_of(size: str) -> int:
    """A size as people write it.

    >>> bytes_of("1.5G"), bytes_of("800 MB"), bytes_of("4GiB")
    (1610612736, 838860800, 4294967296)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", size.strip(), re.IGNORECASE)
    if match is None or float(match[1]) <= 0:
        raise ParameterError(f"--max-memory: {size!r} is no size; write for instance 4G or 800M")
    found = int(float(match[1]) * _UNITS[match[2].upper()])
    if found >= 1 << 63:
        raise ParameterError(f"--max-memory: {size} is more than any system has; write for instance 4G or 800M")
    return found


def _limit(size: int) -> None:
    try:
        import resource
    except ImportError:
        raise ParameterError("--max-memory: this system has no such limits") from None
    # what a process has asked for as its own, unlike RLIMIT_AS not what it has mapped of files and libraries
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard not in (resource.RLIM_INFINITY,) and size > hard:
        raise ParameterError("--max-memory: the system allows less")
    _let_blas_have_its_memory()
    resource.setrlimit(resource.RLIMIT_DATA, (size, hard))


def is_memory_limited() -> bool:
    """Whether this process has a bound on its memory, ours or that of whoever started it."""
    try:
        import resource
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_DATA)[0] != resource.RLIM_INFINITY


def is_memory_short() -> bool:
    """Whether hardly anything is left of that bound: then a library that fails, in whatever words, got no memory."""
    if not is_memory_limited():
        return False
    import resource

    try:
        with open("/proc/self/status", encoding="utf-8") as status:
            (taken,) = (int(line.split()[1]) << 10 for line in status if line.startswith("VmData:"))
    except (OSError, ValueError, MemoryError):
        return False
    return resource.getrlimit(resource.RLIMIT_DATA)[0] - taken < _HARDLY_ANYTHING


def _let_blas_have_its_memory() -> None:
    """Before there is a limit: OpenBLAS asks again, without end, for memory that it does not get."""
    import numpy as np
    from scipy.linalg.blas import dgemm  # scipy has an OpenBLAS of its own

    square = np.ones((64, 64))
    square @ square
    dgemm(1.0, square, square)
