"""What can go wrong with a user's input, as one small tree.

Every error here is meant for the person at the terminal: one line that names the file, the place in it and the remedy. The
command line prints ``str(error)`` and exits with 2; a traceback is reserved for our own bugs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


class RelHashError(Exception):
    """Base of all errors that bad input can cause."""


class CorpusError(RelHashError):
    """A corpus file that cannot be read or written: what is wrong, the file, the place in it, and what the user can do.

    >>> print(CorpusError("end of the entity lies beyond the text", path="a.xml", where=12, remedy="check its offsets"))
    a.xml:12: end of the entity lies beyond the text; check its offsets
    >>> print(CorpusError("unknown mention T9", path="a.a2", where="E4"))
    a.a2 [E4]: unknown mention T9
    """

    def __init__(
        self, message: str, path: str | Path | None = None, where: int | str | None = None, *, remedy: str | None = None
    ) -> None:
        self.message, self.path, self.where, self.remedy = message, path, where, remedy
        super().__init__(message, path, where, remedy)

    def __reduce__(self) -> tuple[Callable[..., CorpusError], tuple[object, ...]]:
        """For errors that come from another process: its arguments have names."""
        return _made_again, (type(self), self.args)

    def __str__(self) -> str:
        place = "" if self.path is None else str(self.path)
        if isinstance(self.where, int):
            place = f"{place}:{self.where}" if place else f"line {self.where}"
        elif self.where is not None:
            place = f"{place} [{self.where}]".strip()
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}; {self.remedy}" if self.remedy else text


def _made_again(kind: type[CorpusError], arguments: tuple[str, Any, Any, Any]) -> CorpusError:
    message, path, where, remedy = arguments
    return kind(message, path=path, where=where, remedy=remedy)


class StructureError(RelHashError):
    """A candidate or a view that cannot be turned into a structure (for instance: no parse)."""


class LanguageError(RelHashError):
    """A language pipeline or dependency scheme that cannot do what is asked."""


class OutputError(CorpusError):
    """A place where no output can be written, found before any work is done for it."""


class ParameterError(RelHashError, ValueError):
    """A parameter outside its range; the message names the parameter, the value and what is allowed."""


class ModelFileError(RelHashError):
    """A model file that is damaged, of another schema version, or does not fit the data."""


class DataMissingError(RelHashError):
    """Data that the user must supply (a benchmark corpus, an optional package) is not there."""


class RelHashWarning(UserWarning):
    """Something was left out or cut short, and the result is good without it; the command line prints it in one line."""


class RelHashNote(RelHashWarning):
    """Something that was understood rather than said (an encoding, a language, a type), so that a wrong guess can be seen."""
