"""Try a mutant in a fork of a process that has everything loaded: a second in the place of five.

The code of the one function that a mutant changes is put in the place of the live one. What cannot be changed in this way
(defaults, constants, compiled functions) has to be tried with changed files: :class:`Warm` then says nothing. Programs that
tests start have the unchanged code, so that a mutant may survive here which they would have noticed, but not the other way
round.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import _lru_cache_wrapper
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FunctionType

import pytest

import in_a_hurry
from mutants import IN_A_HURRY, LONGEST, ROOT, Verdict, first_failure

QUIET = ["-q", "-p", "no:cacheprovider", "-m", "not slow"]


class Warm:
    """Tests that are loaded once, with the package they test."""

    def __init__(self, tests: Sequence[str]) -> None:
        os.chdir(ROOT)
        os.environ |= IN_A_HURRY
        sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
        self._forked([*QUIET, "--collect-only", *tests], fork=False)

    def notices(self, file: str, source: str, tests: Sequence[str]) -> Verdict | None:
        """What ``tests`` say of ``source`` in the place of ``file``; ``None`` if it cannot be told in this way."""
        path = ROOT / "src" / "relhash" / file
        swaps = list(changed_code(*(compile(text, str(path), "exec") for text in (path.read_text(encoding="utf-8"), source))))
        if not swaps or not all(old.co_flags & CO_NEWLOCALS for old, _ in swaps):
            return None
        names = [f"tests/{name}" for name in tests if (ROOT / "tests" / name).exists()]
        code, said = self._forked([*QUIET, "-x", *names], swaps)
        if code in (-signal.SIGXCPU, -signal.SIGALRM):
            return Verdict("noticed", f"more than {LONGEST} s, of processor time or of waiting")
        if code in (0, pytest.ExitCode.NO_TESTS_COLLECTED) or (
            code == pytest.ExitCode.INTERRUPTED and in_a_hurry.NO_TIME in said
        ):
            return Verdict("survived")
        failed = first_failure(said) if code == 1 else ""
        passes_without = failed and self._forked([*QUIET, failed if failed.startswith("src/") else f"tests/{failed}"])[0] == 0
        return Verdict("noticed", failed) if passes_without else None

    def _forked(
        self, arguments: list[str], swaps: Sequence[tuple[CodeType, CodeType]] = (), *, fork: bool = True
    ) -> tuple[int, str]:
        """What pytest returns and says, in a process of its own unless what it loads is to stay."""
        with tempfile.TemporaryFile() as said:
            sys.stdout.flush()
            process = os.fork() if fork else 0
            if process:
                status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                said.seek(0)
                return status, said.read().decode(errors="replace")
            kept = os.dup(1), os.dup(2)
            for stream in (1, 2):
                os.dup2(said.fileno(), stream)
            if fork:
                resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 60))
                signal.alarm(4 * LONGEST)  # a mutant may make threads wait for each other
            code = 70  # for what pytest itself cannot catch
            try:
                if all(swap(old, new) for old, new in swaps):
                    code = int(pytest.main(arguments, [in_a_hurry]))
                sys.stdout.flush()
            finally:
                if fork:
                    os._exit(code)
            for stream, own in zip((1, 2), kept, strict=True):
                os.dup2(own, stream)
            return code, ""


def changed_code(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The outermost pieces of code that differ.

    >>> one, other = (compile(f"def f(x):\\n    return x + {n}\\n\\ndef g(x=1): ...", "a.py", "exec") for n in (1, 2))
    >>> [code.co_qualname for code, _ in changed_code(one, other)]
    ['f']
    """
    inner = [[part for part in code.co_consts if isinstance(part, CodeType)] for code in (old, new)]
    if _own(old) != _own(new) or len(inner[0]) != len(inner[1]):
        yield old, new
        return
    for parts in zip(*inner, strict=True):
        found = list(changed_code(*parts))
        if found and old.co_flags & CO_NEWLOCALS:  # a function inside a function goes with the outer one
            yield old, new
            return
        yield from found


def _own(code: CodeType) -> tuple[object, ...]:
    values = [f"{type(part)} {part!r}" for part in code.co_consts if not isinstance(part, CodeType)]
    return code.co_code, values, code.co_names, code.co_varnames, code.co_freevars


def swap(old: CodeType, new: CodeType) -> bool:
    """Put new code into every live function that has the old; whether there was one that is not compiled.

    What the package remembers of calls is forgotten: it is what the old code said.
    """
    objects = gc.get_objects()
    for one in objects:
        if type(one) is _lru_cache_wrapper and one.__module__.startswith("relhash"):
            one.cache_clear()
    live = [
        one
        for one in objects
        if type(one) is FunctionType  # isinstance would ask a weak proxy, and a dead one answers with an error
        and (one.__code__.co_qualname, one.__code__.co_firstlineno) == (old.co_qualname, old.co_firstlineno)
        and Path(one.__code__.co_filename) == Path(old.co_filename)
    ]
    if any(hasattr(type(one.__globals__.get(one.__name__)), "dispatcher") for one in live):
        return False
    for one in live:
        one.__code__ = new
    return bool(live)
