"""Where a name ends, by rules that are plainly right: no stray sign at its border, no bracket that it does not close."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["trimmed"]

_PAIRS = {")": "(", "]": "[", "}": "{"}
_STRAY = frozenset(",;:.?!-‐‑‒–—−/\\=<>*'\"`’‘“”|~^&@#%")


def trimmed(texts: Sequence[str], first: int, after: int) -> tuple[int, int] | None:
    """The span without stray signs and unbalanced brackets at its borders; nothing if no whole name is left.

    >>> texts = ["IL", "-", "2", ")", ";"]
    >>> trimmed(texts, 0, 5)
    (0, 3)
    >>> trimmed(["NAD", "(", "P"], 0, 3)
    """
    while after > first and (texts[after - 1] in _STRAY or (texts[after - 1] in _PAIRS and _is_open(texts, first, after))):
        after -= 1
    while after > first and (texts[first] in _STRAY or (texts[first] in _PAIRS.values() and _is_open(texts, first, after))):
        first += 1
    return None if first == after or _is_open(texts, first, after) else (first, after)


def _is_open(texts: Sequence[str], first: int, after: int) -> bool:
    """Whether a bracket is opened and not closed, or closed and not opened."""
    waiting: list[str] = []
    for text in texts[first:after]:
        if text in _PAIRS.values():
            waiting.append(text)
        elif text in _PAIRS and (not waiting or waiting.pop() != _PAIRS[text]):
            return True
    return bool(waiting)
