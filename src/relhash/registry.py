"""Parts by name: ours, those that a program registers, and those of other installed packages.

Readers, views, hash families, kernels, feature parts and classifiers are each a :class:`Registry`. A package offers a part by
an entry point of the registry's group, in its ``pyproject.toml``::

    [project.entry-points."relhash.feature_parts"]
    syllables = "my_package.syllables:SyllablePart"

A script registers it: ``FEATURE_PARTS.register("syllables", SyllablePart)``. Entry points are looked at only when a name is not
known without them, or when all names are listed, so that they cost nothing as long as they are not needed.

A room of ours may have a part for a registry of an earlier room (``language.amr`` reads a corpus format). The earlier room does
not know it: ``relhash/__init__.py``, which stands above all rooms, offers it, in the words of an entry point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from relhash.errors import ParameterError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Part = TypeVar("Part")

_ours: dict[str, dict[str, str]] = {}
"""Group → name → place, of parts that later rooms of RelHash have."""


def offer(group: str, name: str, place: str) -> None:
    """Say where a part of RelHash itself is found, ``"relhash.room.module:OBJECT"``; it is imported when it is needed."""
    _ours.setdefault(group, {})[name] = place


def entry_points(group: str) -> list[EntryPoint]:
    """What RelHash and other installed packages offer for a group."""
    from importlib import metadata  # not at the top: it takes longer to import than all of this module

    ours = [metadata.EntryPoint(name, place, group) for name, place in _ours.get(group, {}).items()]
    return [*ours, *_all_installed().select(group=group)]


@cache
def _all_installed() -> Any:
    """What all installed packages offer for anything; it takes as long for one group as for all."""
    from importlib import metadata

    return metadata.entry_points()


class Registry(Generic[Part]):
    """Parts of one kind by name: ``what`` they are called in errors, the ``group`` of entry points, those that ship.

    >>> shapes = Registry("shape", "relhash.shapes", {"circle": 1})
    >>> shapes.register("square", 2)
    >>> shapes["square"], "triangle" in shapes, list(shapes)
    (2, False, ['circle', 'square'])
    >>> shapes["triangle"]
    Traceback (most recent call last):
    ...
    relhash.errors.ParameterError: there is no shape 'triangle'; there are circle, square
    """

    def __init__(self, what: str, group: str, own: Mapping[str, Part] | None = None) -> None:
        self.what, self.group = what, group
        self._parts: dict[str, Part] = dict(own or {})
        self._offered: dict[str, EntryPoint] | None = None

    def register(self, name: str, part: Part) -> None:
        """Make ``part`` known as ``name``; a name that is taken by another part is refused."""
        if self._parts.get(name, part) is not part:
            raise ParameterError(f"{self.what} {name!r} is there already; choose another name")
        self._parts[name] = part

    def __getitem__(self, name: str) -> Part:
        if name not in self._parts:
            if name not in self._installed():
                raise ParameterError(f"there is no {self.what} {name!r}; there are {', '.join(self)}")
            try:
                self._parts[name] = self._installed()[name].load()
            except Exception as error:  # whatever another package raises, the user should know whose it is
                offered = self._installed()[name]
                raise ParameterError(f"{self.what} {name!r} of {offered.value} cannot be imported ({error})") from error
        return self._parts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._parts or name in self._installed()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._parts, *self._installed()]))

    def _installed(self) -> dict[str, EntryPoint]:
        if self._offered is None:
            self._offered = {offered.name: offered for offered in entry_points(self.group)}
        return self._offered
