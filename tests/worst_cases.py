"""Texts that a pattern finds hardest, made from the pattern itself: what it needs before each of its runs, then the run for
long, then something that it cannot match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

STRANGE = "\N{SNOWMAN}"
"""Ends a run: no pattern asks for it."""


def worst_cases(pattern: re.Pattern[str], size: int) -> Iterator[str]:
    """Texts of about ``size`` characters."""
    for before, pumped in dict.fromkeys(_runs(_parser.parse(pattern.pattern, pattern.flags), pattern.flags, "")):
        times = max(1, size // len(pumped))
        yield before + pumped * times + STRANGE
        yield (before + pumped) * max(1, size // len(before + pumped)) + STRANGE


def _runs(parts: Iterable[tuple[Any, Any]], flags: int, before: str) -> Iterator[tuple[str, str]]:
    """What may stand before each repeat of a pattern, and what it repeats."""
    for kind, value in parts:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from ((before, pumped) for pumped in _examples(value[2], flags))
            yield from _runs(value[2], flags, before)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _runs(branch, flags, before)
        elif kind is op.SUBPATTERN:
            yield from _runs(value[-1], flags, before)
        elif kind is op.ATOMIC_GROUP:
            yield from _runs(value, flags, before)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _runs(value[1], flags, before)
        before += next(iter(_examples([(kind, value)], flags)), "")


def _examples(parts: Iterable[tuple[Any, Any]], flags: int) -> list[str]:
    """Some strings that a part matches, the shortest; of a class several characters."""
    found = [""]
    for kind, value in parts:
        if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            each = _of_class(kind, value, flags)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            each = [one * value[0] for one in _examples(value[2], flags)]
        elif kind is op.BRANCH:
            each = [one for branch in value[1] for one in _examples(branch, flags)[:2]]
        elif kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
            each = _examples(value[-1] if kind is op.SUBPATTERN else value, flags)
        else:
            each = [""]
        found = [one + other for one in found[:4] for other in each[:6]]
    return [one for one in dict.fromkeys(found) if one]


def _of_class(kind: Any, value: Any, flags: int) -> list[str]:
    from re import _compiler  # type: ignore[attr-defined]

    if kind is op.LITERAL:
        return [chr(value)]
    state = _parser.State()
    state.flags = flags
    one = _compiler.compile(_parser.SubPattern(state, [(kind, value)]), flags)
    return [character for character in " aA1-(./,_β\n+\"'<:" if one.fullmatch(character)]
