"""Regular expressions that take time in proportion to the text, whatever the text is.

Python matches by trying. Two runs that can hold the same characters, one right after the other (``\\s*[-\\s]*``), or a run of
runs (``(?:\\w+\\s*)*``), can be cut in endless ways, and before a match fails all of them are tried: eight thousand blanks
between two names then stop a server. The patterns of the package are looked at here, which refuses such
ones. Three repairs: a possessive run (``\\s*+`` gives nothing back), one class for both runs, or a bound (``\\s{0,9}``).

Patterns that are *searched* for should not begin with an unbounded run either: it is tried from each place of a long one.
``tests/test_patterns.py`` pumps every pattern of the package with worst cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from typing import Any

from relhash.errors import RelHashError

LONG = 64
"""A repeat that may go on for longer than this is a run: what is shorter costs a constant."""
SAMPLE = frozenset(map(chr, range(1, 127))) | frozenset("\u00a0\u00b5\u00e9\u03b2\u2010\u2013\u2212\u4e2d\u0661")
"""Characters by which two classes are compared."""

Characters = frozenset[str]
Within = Callable[[Characters], bool]


class PatternError(RelHashError):
    """A pattern whose time may grow faster than the text."""


def compiled(pattern: str, flags: int | re.RegexFlag = 0) -> re.Pattern[str]:
    """The compiled pattern, once it is known to take linear time.

    >>> compiled(r"\\s*+(?:\\(\\w+\\))?[-\\s]*+sites?").match("  -  site") is not None
    True
    >>> compiled(r"\\s*(?:\\(\\w+\\))?[-\\s]*sites?")
    Traceback (most recent call last):
    tests.linear_patterns.PatternError: \\s*(?:\\(\\w+\\))?[-\\s]*sites?: two runs in a row may both hold ...
    """
    made = re.compile(pattern, flags)
    shared = shared_by_runs(pattern, made.flags)
    if shared is not None:
        raise PatternError(
            f"{pattern}: two runs in a row may both hold {shared!r}, so that its time grows with the square of the text; "
            "make one possessive (\\s*+), or bound it"
        )
    return made


def shared_by_runs(pattern: str, flags: int = 0) -> str | None:
    """A character that two neighbouring runs of a pattern may both hold; ``None`` if there is none."""
    try:
        _ends_of(_parser.parse(pattern, flags), flags)
    except _SharedError as found:
        return str(found.args[0])
    return None


class _SharedError(Exception):
    """Two runs meet."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """Runs with which a part of a pattern may begin and end, each with what has to be matched on the way to it.

    ``within`` says whether a run of these characters may hold all that the part has to match.
    """

    first: tuple[tuple[Characters, Within], ...] = ()
    last: tuple[tuple[Characters, Within], ...] = ()
    within: Within = lambda run: True

    def then(self, other: _Ends) -> _Ends:
        for one, after in self.last:
            for two, before in other.first:
                shared = one & two
                if shared and after(shared) and before(shared):
                    raise _SharedError(min(shared))
        return _Ends(
            (*self.first, *((run, _both(self.within, before)) for run, before in other.first)),
            (*((run, _both(after, other.within)) for run, after in self.last), *other.last),
            _both(self.within, other.within),
        )


def _both(one: Within, other: Within) -> Within:
    return lambda run: one(run) and other(run)


NOTHING = _Ends()


def _ends_of(parts: Iterable[tuple[Any, Any]], flags: int) -> _Ends:
    whole = NOTHING
    for kind, value in parts:
        whole = whole.then(_ends_of_part(kind, value, flags))
    return whole


def _ends_of_part(kind: Any, value: Any, flags: int) -> _Ends:
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, most, body = value
        is_kept = kind is op.POSSESSIVE_REPEAT  # nothing that it has matched is tried in another way
        inner = _ends_of(body, flags)
        if most is op.MAXREPEAT or most > LONG:
            one = _characters(body, flags)
            if one is not None:
                inner = _Ends(((one, NOTHING.within),), ((one, NOTHING.within),), inner.within)
            elif not is_kept:
                inner.then(inner)
        within = NOTHING.within if least == 0 else inner.within
        return _Ends(inner.first, () if is_kept else inner.last, within)
    if kind is op.SUBPATTERN:
        return _ends_of(value[-1], flags | value[1] & ~value[2])
    if kind is op.ATOMIC_GROUP:
        return replace(_ends_of(value, flags), last=())
    if kind is op.BRANCH:
        return _either([_ends_of(branch, flags) for branch in value[1]])
    if kind is op.GROUPREF_EXISTS:
        return _either([_ends_of(branch, flags) if branch else NOTHING for branch in value[1:]])
    if kind in (op.ASSERT, op.ASSERT_NOT):
        _ends_of(value[1], flags)
        return NOTHING
    if kind in (op.AT, op.GROUPREF):
        return NOTHING
    one = _class(kind, _hashable(value), flags)
    return _Ends(within=lambda run: bool(run & one))


def _either(branches: Sequence[_Ends]) -> _Ends:
    first = tuple(run for branch in branches for run in branch.first)
    last = tuple(run for branch in branches for run in branch.last)
    return _Ends(first, last, lambda run: any(branch.within(run) for branch in branches))


def _characters(body: Sequence[tuple[Any, Any]], flags: int) -> Characters | None:
    """The characters of a run, if the body of a repeat is a single character."""
    if len(body) != 1:
        return None
    kind, value = body[0]
    if kind is op.SUBPATTERN:
        return _characters(value[-1], flags)
    if kind is op.BRANCH:
        each = [_characters(branch, flags) for branch in value[1]]
        return None if None in each else frozenset().union(*filter(None, each))
    return _class(kind, _hashable(value), flags) if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY) else None


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@cache
def _class(kind: Any, value: Any, flags: int) -> Characters:
    """Those of the sample that a class holds: Python itself is asked, by a pattern of this one class."""
    state = _parser.State()
    state.flags = flags
    body = [(kind, list(value) if isinstance(value, tuple) else value)]
    one = _compiler.compile(_parser.SubPattern(state, body), flags)
    return frozenset(character for character in SAMPLE if one.fullmatch(character))
