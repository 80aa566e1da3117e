"""Parses kept between runs, by what they were made from.

One small file per entry, named by a hash of text, annotation, model and settings, with the sha256 of what it holds. Files are
written under another name and then renamed, so concurrent processes see whole entries or none; an entry that is not what was
written is parsed again and replaced, with one warning.

The folders of what is kept between runs, to be shown, checked and cleared.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from relhash.compilation import compiled_folder, damaged_files
from relhash.corpus.document import Document
from relhash.corpus.text import LINE
from relhash.errors import RelHashWarning
from relhash.files import replacing
from relhash.language.annotation import Annotation

DEFAULT_MAX_BYTES = 1_000_000_000
_FORMAT = 3
"""Raised whenever the meaning of an entry changes, so that old ones are never found."""
_CHECKSUM = 32
"""Bytes of the sha256 that comes before what an entry holds."""
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


def _payload(content: bytes) -> bytes:
    """What an entry holds; ``ValueError`` if it is not what was written, or too large."""
    packed = content[_CHECKSUM:]
    if hashlib.sha256(packed).digest() != content[:_CHECKSUM]:
        raise ValueError("another checksum")
    unpacking = zlib.decompressobj()
    payload = unpacking.decompress(packed, _LARGEST)
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("cut off, followed by something else, or larger than any parse")
    return payload


def _is_of_earlier_version(content: bytes) -> bool:
    """Whether it is an entry as it was before there were checksums: such a one is never asked for."""
    unpacking = zlib.decompressobj()
    try:
        unpacking.decompress(content, _LARGEST)
    except zlib.error:
        return False
    return unpacking.eof and not unpacking.unused_data


class ParseCache:
    """A folder of annotations of bounded size; the oldest entries go first.

    Parameters
    ----------
    folder
        Where entries live; by default ``parses`` in the user's cache folder for RelHash.
    max_bytes
        Upper bound of the sum of the entries' sizes, kept whenever this process has written 5% of it.
    is_synced
        Whether an entry is on the disk, not only with the system, before the next is made.
    """

    def __init__(
        self, folder: str | Path | None = None, max_bytes: int = DEFAULT_MAX_BYTES, *, is_synced: bool = False
    ) -> None:
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("relhash", appauthor=False) / "parses"
        self.folder, self.max_bytes, self.is_synced = Path(folder), max_bytes, is_synced
        self._written = 0
        self._warned: set[str] = set()

    def get(self, key: str) -> Annotation | None:
        """The annotation under ``key``; ``None`` when there is none or it is damaged."""
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        try:
            annotation = Annotation.from_json(_payload(content).decode("utf-8"))
        except (zlib.error, ValueError, TypeError, KeyError, RecursionError):  # damaged: as if it were not there
            self.drop(key)
            return None
        with contextlib.suppress(OSError):
            path.touch()
        return annotation

    def drop(self, key: str) -> None:
        """Forget an entry that does not fit what it was made for."""
        with contextlib.suppress(OSError):
            self._path(key).unlink()
        self._warn("damaged", f"{self.folder}: parses that were kept here are damaged; they are made again")

    def damaged(self) -> Iterator[Path]:
        """The entries that are not what was written; those of earlier versions are left to :meth:`prune`."""
        for path in sorted(self.folder.glob("??/*")):
            try:
                content = path.read_bytes()
                if not _is_of_earlier_version(content):
                    Annotation.from_json(_payload(content).decode("utf-8"))
            except (OSError, zlib.error, ValueError, TypeError, KeyError, RecursionError):
                yield path

    def _warn(self, kind: str, message: str) -> None:
        """Once for each kind, however many entries there are."""
        if kind not in self._warned:
            self._warned.add(kind)
            warnings.warn(message, RelHashWarning, stacklevel=2)

    def put(self, key: str, annotation: Annotation) -> None:
        """Keep ``annotation``; a folder that cannot be written to (full, read-only) only means that nothing is kept."""
        packed = zlib.compress(annotation.to_json().encode("utf-8"), 6)
        payload = hashlib.sha256(packed).digest() + packed
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path, "wb") as handle:
                handle.write(payload)
                if self.is_synced:
                    handle.flush()
                    os.fsync(handle.fileno())
        except OSError as error:
            self._warn("unkept", f"{self.folder}: parses cannot be kept here ({error.strerror}); each run makes them again")
            return
        self._written += len(payload)
        if self._written > self.max_bytes // 20:
            self._written = 0
            self.prune()

    def prune(self) -> None:
        """Delete the entries that were used longest ago until the rest fits ``max_bytes``."""
        entries = []
        for path in self.folder.glob("??/*"):
            with contextlib.suppress(OSError):
                status = path.stat()
                entries.append((status.st_mtime_ns, status.st_size, path))
        excess = sum(size for _, size, _ in entries) - self.max_bytes
        for _, size, path in sorted(entries):
            if excess <= 0:
                break
            with contextlib.suppress(OSError):  # another process was faster
                path.unlink()
            excess -= size

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]


@dataclass(frozen=True)
class KeptFolder:
    """A folder of files that can all be made again."""

    name: str
    folder: Path
    patterns: tuple[str, ...]
    """Which files below it are ours: the folder may be the user's own choice, with other things in it."""
    damaged: Callable[[], Iterable[Path]]

    def files(self) -> Iterator[Path]:
        for pattern in self.patterns:
            yield from (path for path in sorted(self.folder.glob(pattern)) if path.is_file())

    def size(self) -> tuple[int, int]:
        """How many files, and their bytes."""
        count = total = 0
        for path in self.files():
            with contextlib.suppress(OSError):
                total += path.stat().st_size
                count += 1
        return count, total

    def clear(self) -> int:
        """Remove all; how many that were."""
        removed = 0
        for path in self.files():
            with contextlib.suppress(OSError):
                path.unlink()
                removed += 1
        return removed


def kept_folders() -> list[KeptFolder]:
    """Compiled code and parses of this user."""
    compiled, parses = compiled_folder(), ParseCache()
    return [
        KeptFolder("compiled code", compiled, ("*-*/**/*.nb[ic]", "*-*/**/*.nb?.tmp.*"), lambda: damaged_files(compiled)),
        KeptFolder("parses", parses.folder, ("??/*", "??/.*.tmp"), parses.damaged),
    ]
