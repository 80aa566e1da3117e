"""The same function over many pieces of work, on several processes: results in order, bounded memory, no orphans.

Processes are loky's, as joblib's are: a program that uses RelHash needs no ``if __name__ == "__main__"`` for them, and they
are kept for the next call. They are ours alone: loky's ``get_reusable_executor`` is the one that joblib takes for its own, and
joblib then misses in it what it puts into those that it made (so scikit-learn's ``n_jobs`` failed after ours). A worker that
was killed, say for want of memory, is an error that says so.

Worker processes end with the process that started them, also when that was killed and could say nothing.

What a process of ours has loaded stays to its end: models, tables of names and the parser are about a million objects, and the
collector of cycles need not walk them again and again, which is a tenth of the time of a stream of text. Only commands and
worker processes say this; a program that uses RelHash decides about its own memory.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from relhash.blas import limit_from_the_start
from relhash.errors import RelHashError

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor


Item = TypeVar("Item")

INTERVAL = 2.0
"""Seconds between two looks at the parent."""


@cache
def end_with_parent() -> None:
    """From now on, end this process as soon as its parent has ended; called by a worker, once or often."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:  # an orphan is given another one
            time.sleep(INTERVAL)
        os._exit(1)

    threading.Thread(target=watch, name="relhash-parent", daemon=True).start()


Piece = TypeVar("Piece")
Result = TypeVar("Result")
Said = tuple[str, type[Warning]]

AHEAD = 2
"""Pieces per process that are under way or done before the first of them is asked for: what bounds the memory."""
IDLE = 60
"""Seconds after which a process that has nothing to do ends."""

_pools: dict[tuple[int, int], ProcessPoolExecutor] = {}
"""By the process that started them (a fork has none of its own) and their number."""
_choosing = threading.Lock()


def n_processes(n_jobs: int | None) -> int:
    """How many processes ``n_jobs`` asks for, as in scikit-learn: ``None`` is one, -1 all cores; one inside a worker.

    >>> n_processes(None), n_processes(3)
    (1, 3)
    """
    if n_jobs in (None, 1) or multiprocessing.parent_process() is not None:
        return 1
    import joblib

    return int(joblib.effective_n_jobs(n_jobs))


def in_order(function: Callable[[Piece], Result], pieces: Iterable[Piece], processes: int) -> Iterator[Result]:
    """``function`` of each piece, in the order of the pieces; warnings of the workers are given here.

    ``function``, pieces and results must be such that pickle takes them. Pieces are taken from their iterator no faster than
    results are asked for.
    """
    from joblib.externals.loky import BrokenProcessPool

    limit_from_the_start()  # a worker has one BLAS thread, which it reads when it starts
    pool = _pool(processes)
    waiting: deque[Any] = deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(_done, function, piece, os.getpid()))
            if len(waiting) >= AHEAD * processes:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
    except BrokenProcessPool as error:
        raise RelHashError(
            f"one of {processes} processes ended before its time, killed or out of memory; use fewer (--n-jobs 1)"
        ) from error
    finally:  # also if the caller stops early
        for future in waiting:
            future.cancel()


def end_workers() -> None:
    """End the processes that this one has started, whatever they are doing; later work starts others.

    Without this the interpreter waits, as it ends, for all that they are doing, and takes apart what loky needs before loky.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on systems without pgrep: then they see by themselves that their parent is gone
        for owner, processes in list(_pools):
            if owner == os.getpid():
                _pools.pop((owner, processes)).shutdown(wait=True, kill_workers=True)


atexit.register(end_workers)


def _pool(processes: int) -> ProcessPoolExecutor:
    """So many processes: those of the last call, unless one of them was killed since."""
    from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor

    with _choosing:
        pool = _pools.get((os.getpid(), processes))
        if pool is not None:
            try:
                pool.submit(os.getpid)
            except BrokenProcessPool:
                pool.shutdown(wait=True)
                pool = None
        if pool is None:
            pool = _pools[os.getpid(), processes] = ProcessPoolExecutor(processes, timeout=IDLE)
        return pool


def _done(function: Callable[[Piece], Result], piece: Piece, asked_by: int) -> tuple[Result, list[Said]]:
    """In a worker: the result, and what was said on the way."""
    if os.getpid() != asked_by:
        end_with_parent()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = function(piece)
    if os.getpid() != asked_by:
        settle_once()
    return result, [(str(one.message), one.category) for one in said]


@cache
def settle_once() -> None:
    """A worker has loaded with its first piece what it will ever need."""
    settle()


def _result(future: Any) -> Any:
    result, said = future.result()
    for message, category in said:
        warnings.warn(message, category, stacklevel=3)
    return result


SETTLED = 64
"""Documents after which everything is loaded that a stream needs."""


def settle() -> None:
    """Collect what is garbage now, and never look at the rest again."""
    gc.collect()
    gc.freeze()


@contextmanager
def loading() -> Iterator[None]:
    """What is imported and read inside stays: the garbage collector skips it, now and later."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def settled_after(items: Iterable[Item], n: int = SETTLED) -> Iterator[Item]:
    """The items; after ``n`` of them what is loaded counts as lasting. A short stream is not worth it."""
    for number, item in enumerate(items):
        if number == n:
            settle()
        yield item
