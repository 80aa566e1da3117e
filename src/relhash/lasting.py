"""What a process has loaded stays to its end, so the collector of cycles need not look at it again and again.

Models, tables of names and the parser are about a million objects. Python walks all of them each time that enough new ones have
come, which is a tenth of the time of a stream of text. Only programs of our own (commands, worker processes) say this: a
program that uses RelHash decides about its own memory.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

SETTLED = 64
"""Documents after which everything is loaded that a stream needs."""

Item = TypeVar("Item")


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
