"""Parses kept between runs, by what they were made from.

An entry of a :class:`~relhash.store.Store`, named by a hash of text, annotation, model and settings; one that is not what was
written is parsed again and replaced, with one warning.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.text import LINE
from relhash.language.annotation import Annotation
from relhash.store import Store, unpacked

DEFAULT_MAX_BYTES = 1_000_000_000
_FORMAT = 3
"""Raised whenever the meaning of an entry changes, so that old ones are never found."""
_LARGEST = 1 << 30
"""Bytes that an entry may unpack to."""


def cache_key(settings: Sequence[object], document: Document) -> str:
    """Hash of everything a parse depends on; the id of the document is not part of it."""
    content = [
        _FORMAT,
        list(settings),
        document.text,
        [[s.start, s.end, s.is_parsed, [[t.start, t.end, t.text] for t in s.tokens]] for s in document.sentences],
        [[m.spans, m.type, False] for m in document.entities],
        [(passage.start, passage.end) if passage.type == LINE else passage.start for passage in document.passages],
        document.candidates is None,
    ]
    return hashlib.sha256(json.dumps(content, ensure_ascii=True, default=str).encode("ascii")).hexdigest()


def _is_of_earlier_version(content: bytes) -> bool:
    """Whether it is an entry as it was before there were checksums: such a one is never asked for."""
    unpacking = zlib.decompressobj()
    try:
        unpacking.decompress(content, _LARGEST)
    except zlib.error:
        return False
    return unpacking.eof and not unpacking.unused_data


class ParseCache:
    """Annotations in a :class:`~relhash.store.Store` of bounded size.

    Parameters
    ----------
    folder
        Where entries live; by default ``parses`` in the user's cache folder for RelHash.
    max_bytes
        Upper bound of the sum of the entries' sizes.
    """

    def __init__(self, folder: str | Path | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("relhash", appauthor=False) / "parses"
        self.store = Store(folder, "parses", max_bytes)
        self.folder, self.drop, self.prune = self.store.folder, self.store.drop, self.store.prune

    def get(self, key: str) -> Annotation | None:
        """The annotation under ``key``; ``None`` when there is none or it is damaged."""
        content = self.store.get(key)
        try:
            return None if content is None else Annotation.from_json(content.decode("utf-8"))
        except (ValueError, TypeError, KeyError, RecursionError):  # as if it were not there
            self.drop(key)
            return None

    def put(self, key: str, annotation: Annotation) -> None:
        """Keep ``annotation``; a folder that cannot be written to (full, read-only) only means that nothing is kept."""
        self.store.put(key, annotation.to_json().encode("utf-8"))

    def damaged(self) -> Iterator[Path]:
        """The entries that are not what was written; those of earlier versions are left to :meth:`prune`."""
        for path in self.store.files():
            try:
                content = path.read_bytes()
                if not _is_of_earlier_version(content):
                    Annotation.from_json(unpacked(content).decode("utf-8"))
            except (OSError, ValueError, TypeError, KeyError, RecursionError):
                yield path
