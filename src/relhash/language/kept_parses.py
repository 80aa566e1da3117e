"""Parses of a run that may be killed, in a folder of its own: they outlive a cache that is off, full or cleared."""

from __future__ import annotations

from pathlib import Path

from relhash.language.annotation import Annotation
from relhash.language.parse_cache import ParseCache


class KeptParses(ParseCache):
    """A cache that is on the disk before it goes on, in front of the user's own.

    Parameters
    ----------
    folder
        The folder of the run.
    cache
        The user's own cache, if there is one: what it has is taken from there, and what is made is put there, too.
    """

    def __init__(self, folder: Path, cache: ParseCache | None = None) -> None:
        super().__init__(folder, max_bytes=1 << 50, is_synced=True)  # a run needs all of its own
        self.cache = cache

    def get(self, key: str) -> Annotation | None:
        found = super().get(key)
        return self.cache.get(key) if found is None and self.cache is not None else found

    def put(self, key: str, annotation: Annotation) -> None:
        if self.folder.parent.is_dir():  # a worker of a cluster may not see it
            super().put(key, annotation)
        if self.cache is not None:
            self.cache.put(key, annotation)

    def drop(self, key: str) -> None:
        super().drop(key)
        if self.cache is not None:
            self.cache.drop(key)
