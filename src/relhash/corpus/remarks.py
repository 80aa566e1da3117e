"""What a reader has to say besides its documents: what was put right, what was left aside, and what was broken.

A reader turns the items of its file (lines, elements, graphs) into documents. What it understands although the file states it
wrongly goes to :class:`Remarks`, which are counted and printed once at the end. An item that is broken raises
:class:`CorpusError`; :func:`without_broken` ends the reading there or, with ``on_error``, leaves the item out.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from relhash.corpus.document import Document
from relhash.errors import CorpusError, RelHashWarning

OnError = Callable[[CorpusError], None] | None
"""Given the error of each broken document, which is then left out; ``None``: the first error is raised."""

Item = TypeVar("Item")
Result = TypeVar("Result")

_SHOWN = 3
_LEFT_OUT = "left out: "


class Remarks:
    """Remarks on one corpus, by what they say.

    >>> remarks = Remarks()
    >>> for line in range(1, 6):
    ...     remarks.add("relations without type", Path("a.ann"), line)
    >>> remarks.texts()
    ['relations without type: 5 (a.ann:1; a.ann:2; a.ann:3; …)']
    """

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self._places: dict[str, dict[str, None]] = {}

    def add(self, what: str, path: Path | str, where: int | str | None = None, detail: str = "", count: int = 1) -> None:
        """Count ``what`` (in the plural: *offsets that were moved*); the first places are shown."""
        self.counts[what] += count
        shown = self._places.setdefault(what, {})
        if len(shown) <= _SHOWN:
            place = f"{path}:{where}" if isinstance(where, int) else f"{path} [{where}]" if where else str(path)
            shown[f"{place} {detail}".rstrip()] = None

    def texts(self) -> list[str]:
        """One line for each kind of remark."""
        return [
            f"{what}: {count:,} ({'; '.join([*self._places[what]][:_SHOWN])}{'; …' * (len(self._places[what]) > _SHOWN)})"
            for what, count in self.counts.items()
        ]

    def report(self) -> None:
        """Warn once per kind."""
        for text in self.texts():
            warnings.warn(text, RelHashWarning, stacklevel=2)


def without_broken(items: Iterable[Item], convert: Callable[[Item], Result], on_error: OnError) -> Iterator[Result]:
    """``convert(item)`` for each item, without those that are broken.

    When the items themselves cannot be read any further (a file that is cut off), what came before them stays.

    >>> def even(number):
    ...     if number % 2:
    ...         raise CorpusError(f"{number} is odd")
    ...     return number
    >>> odd = []
    >>> list(without_broken([2, 3, 4], even, odd.append)), str(odd[0])
    ([2, 4], '3 is odd')
    >>> list(without_broken([2, 3, 4], even, None))
    Traceback (most recent call last):
    ...
    relhash.errors.CorpusError: 3 is odd
    """
    if on_error is None:
        yield from map(convert, items)
        return
    remaining = iter(items)
    while True:
        try:
            item = next(remaining)
        except StopIteration:
            return
        except CorpusError as error:
            on_error(error)
            return
        try:
            result = convert(item)
        except CorpusError as error:
            on_error(error)
        else:
            yield result


def left_out(counts: Mapping[str, int]) -> dict[str, str]:
    """Counts of what a reader dropped, as metadata of the document: they travel with it, and ``relhash inspect`` adds them up.

    >>> left_out({"strings not found": 2, "test rows": 0})
    {'left out: strings not found': '2'}
    """
    return {f"{_LEFT_OUT}{what}": str(count) for what, count in counts.items() if count}


def counts_left_out(document: Document) -> dict[str, int]:
    """The counts of a document.

    >>> counts_left_out(Document("d", "", metadata={"pmid": "7", **left_out({"strings not found": 2})}))
    {'strings not found': 2}
    """
    return {
        name.removeprefix(_LEFT_OUT): int(value)
        for name, value in document.metadata.items()
        if name.startswith(_LEFT_OUT) and value.isdecimal()
    }
