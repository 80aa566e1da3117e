"""Processes joined by pipes with the few methods of a Dask client that a fit uses: what is left when the engine is taken away.

Nothing here survives a process that dies, and nothing is moved or spilled. It only shows what an engine costs.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import count
from typing import Any

from relhash.scale.part import Part

_parts: dict[int, Part] = {}


class _Kept:
    """A part that stays in the process that made it, or another result on its way here."""

    def __init__(self, number: int, process: int, done: Future[Any]) -> None:
        self.number, self.process, self.done = number, process, done

    def result(self) -> Any:
        return self.done.result()


class BareProcesses:
    """``map``, ``submit`` and ``gather`` over processes of one worker each, so that a part is always asked where it is."""

    def __init__(self, n: int) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._pools = [ProcessPoolExecutor(1, mp_context=spawning) for _ in range(n)]
        self._numbers = count()

    def __enter__(self) -> BareProcesses:
        return self

    def __exit__(self, *error: object) -> None:
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)

    def submit(self, function: Callable[..., Any], *arguments: Any, pure: bool = False, **options: Any) -> _Kept:
        number = next(self._numbers)
        kept = [one for one in arguments if isinstance(one, _Kept)]
        process = kept[0].process if kept else number % len(self._pools)
        sent = [_Place(one.number) if one in kept[:1] else one.result() if isinstance(one, _Kept) else one for one in arguments]
        return _Kept(number, process, self._pools[process].submit(_run, number, function, sent, options))

    def map(self, function: Callable[..., Any], *items: Iterable[Any], pure: bool = False, **options: Any) -> list[_Kept]:
        return [self.submit(function, *arguments, **options) for arguments in zip(*items, strict=True)]

    def gather(self, asked: Sequence[_Kept]) -> list[Any]:
        return [one.result() for one in asked]

    def run(self, function: Callable[[], Any]) -> list[Any]:
        """The answer of each process."""
        return [one.result() for one in [pool.submit(function) for pool in self._pools]]


class _Place:
    def __init__(self, number: int) -> None:
        self.number = number


def _run(number: int, function: Callable[..., Any], arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    found = function(*(_parts[one.number] if isinstance(one, _Place) else one for one in arguments), **options)
    if not isinstance(found, Part):
        return found
    _parts[number] = found
    return None
