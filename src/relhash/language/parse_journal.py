"""Parses of a run that may be killed, in a journal of its own: they outlive a cache that is off, full or cleared."""

from __future__ import annotations

import zlib

from relhash.journal import Journal
from relhash.language.annotation import Annotation
from relhash.language.parse_cache import ParseCache

__all__ = ["ParseJournal"]

_KEY = 64
"""Length of a key (:func:`~relhash.language.parse_cache.cache_key`), which comes first in a record."""


class ParseJournal(ParseCache):
    """A cache that keeps what is parsed in a journal, too.

    Parameters
    ----------
    journal
        The journal of the run.
    cache
        The user's own cache, if there is one: what it has is taken from there.
    """

    def __init__(self, journal: Journal, cache: ParseCache | None = None) -> None:
        super().__init__(journal.path.parent)
        self.journal, self.cache = journal, cache
        self._place = {record[:_KEY].decode("ascii", "replace"): number for number, record in enumerate(journal)}

    def get(self, key: str) -> Annotation | None:
        if key in self._place:
            try:
                return Annotation.from_json(zlib.decompress(self.journal[self._place[key]][_KEY:]).decode("utf-8"))
            except (OSError, zlib.error, ValueError, TypeError, KeyError, IndexError):
                self.drop(key)
        return None if self.cache is None else self.cache.get(key)

    def put(self, key: str, annotation: Annotation) -> None:
        self.journal.append(key.encode("ascii") + zlib.compress(annotation.to_json().encode("utf-8"), 1))
        if self.cache is not None:
            self.cache.put(key, annotation)

    def drop(self, key: str) -> None:
        """Forget an entry that does not fit what it was made for."""
        if self._place.pop(key, None) is None and self.cache is not None:
            self.cache.drop(key)
