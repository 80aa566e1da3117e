"""What happens to a broken document, the same in every reader: it ends the reading or, with ``on_error``, is left out.

A reader turns the items of its file (lines, elements, graphs) into documents. It raises :class:`CorpusError` where an item is
broken and leaves the rest to :func:`without_broken`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from relhash.errors import CorpusError

OnError = Callable[[CorpusError], None] | None
"""Given the error of each broken document, which is then left out; ``None``: the first error is raised."""

Item = TypeVar("Item")
Result = TypeVar("Result")


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
