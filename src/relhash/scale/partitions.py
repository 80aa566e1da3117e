"""Text of any size cut into partitions: runs of documents, in the order of the inputs, that a worker reads one at a time.

A partition names files and which of their documents it takes, so that it can be read again anywhere the files can be seen.
Documents are counted once, on the cluster. A file that cannot be cut (a gzipped XML) is read from its beginning by each of its
partitions: reading takes a hundredth of the time of parsing.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.corpus import Document
from relhash.corpus.detection import detect, files_of
from relhash.corpus.formats import format_by_name
from relhash.corpus.read_write import stream
from relhash.corpus.remarks import OnError
from relhash.errors import CorpusError, ParameterError, RelHashError
from relhash.files import STANDARD_STREAM

if TYPE_CHECKING:
    from distributed import Client

FILES_AT_A_TIME = 200
"""Files whose documents one task counts, at most …"""
BYTES_AT_A_TIME = 256 << 20
"""… and their bytes."""


class InputChangedError(RelHashError):
    """A file that is gone, or was changed while it is worked on: no document's fault."""


@dataclass(frozen=True)
class InputFile:
    """A file of the input: where it is, its format, and how large it was and when it was written when the job was planned."""

    path: str
    format: str
    bytes: int
    encoding: str | None = None
    modified: int | None = None

    def documents(self, on_error: OnError = None) -> Iterator[Document]:
        """What is in it; an error if it is not what was planned with.

        Only its size is looked at: machines that share a disk need not agree on a time.
        """
        try:
            size = Path(self.path).stat().st_size
        except FileNotFoundError as error:
            raise InputChangedError(
                f"{self.path}: {platform.node()} does not see it; inputs must lie where all workers find them by the same name"
            ) from error
        if size != self.bytes:
            raise InputChangedError(
                f"{self.path}: it had {self.bytes:,} bytes when the work was planned, and has {size:,} now; leave files alone "
                "while they are read, and begin anew"
            )
        options = {} if self.encoding is None else {"encoding": self.encoding}
        return stream(Path(self.path), self.format, on_error=on_error, **options)


@dataclass(frozen=True)
class Slice:
    """Documents ``first`` to ``stop`` (not included) of a file; ``is_last`` if nothing of the file comes after them."""

    file: InputFile
    first: int
    stop: int
    is_last: bool

    def documents(self, broken: list[dict[str, Any]]) -> Iterator[Document]:
        """The documents; what was wrong with those that could not be read goes to ``broken``."""
        met = 0

        def report(error: CorpusError) -> None:
            if self.first <= met < self.stop or (self.is_last and met >= self.stop):
                broken.append({"file": self.file.path, "document": None, "error": str(error)})

        try:
            for document in self.file.documents(report):
                if met >= self.stop and not self.is_last:
                    return
                met += 1
                if self.first < met <= self.stop:
                    yield document
        except CorpusError as error:  # nothing at all could be read: it was reported, or it is the file as a whole
            if not any(one["error"] == str(error) for one in broken):
                report(error)


@dataclass(frozen=True)
class Partition:
    """One piece of work."""

    number: int
    slices: tuple[Slice, ...]

    @property
    def n_documents(self) -> int:
        return sum(one.stop - one.first for one in self.slices)

    def documents(self, broken: list[dict[str, Any]]) -> Iterator[Document]:
        for one in self.slices:
            yield from one.documents(broken)

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Partition:
        slices = tuple(Slice(InputFile(**one["file"]), one["first"], one["stop"], one["is_last"]) for one in given["slices"])
        return cls(given["number"], slices)


def find_files(inputs: Sequence[Path], format: str | None = None, encoding: str | None = None) -> list[InputFile]:
    """The files that paths, folders and patterns (``baseline/*.xml.gz``) mean, in this order, those of a pattern sorted."""
    found: list[InputFile] = []
    for given in inputs:
        if given == STANDARD_STREAM:
            raise ParameterError(
                "text in partitions is read from files, not from standard input: workers may be on other machines"
            )
        paths = [given] if given.exists() else _fitting(given)
        if not paths:
            raise CorpusError("there is no such file or folder, and no file fits it as a pattern", path=given)
        for path in paths:
            chosen = detect(path) if format is None else format_by_name(format)
            for file in files_of(path, chosen, is_named=format is not None):
                place = file.absolute()
                state = place.stat()
                found.append(InputFile(str(place), chosen.name, state.st_size, encoding, state.st_mtime_ns))
    return found


def count_documents(files: Sequence[InputFile], client: Client | None) -> list[int]:
    """How many documents each file holds, broken ones left out."""
    groups = list(_groups(files))
    counted = map(_count, groups) if client is None else client.gather(client.map(_count, groups, pure=False))
    return [count for group in counted for count in group]


def cut(files: Sequence[InputFile], counts: Sequence[int], size: int, *, first: int = 0) -> list[Partition]:
    """Partitions of ``size`` documents, the last one smaller; they are numbered from ``first`` on.

    >>> file = InputFile("a.jsonl", "jsonl", 1)
    >>> [part.n_documents for part in cut([file, file], [5, 2], 3)]
    [3, 3, 1]
    """
    if size < 1:
        raise ParameterError(f"--partition-size {size} is not allowed: at least 1 document")
    partitions: list[Partition] = []
    number = first
    slices: list[Slice] = []
    room = size

    def close() -> None:
        nonlocal slices, room
        if slices:
            partitions.append(Partition(number + len(partitions), tuple(slices)))
        slices, room = [], size

    for file, count in zip(files, counts, strict=True):
        first = 0
        while True:
            stop = min(count, first + room)
            slices.append(Slice(file, first, stop, stop == count))
            room -= stop - first
            first = stop
            if first == count:
                break
            close()
        if room == 0:
            close()
    close()
    return partitions


def _fitting(pattern: Path) -> list[Path]:
    """What fits a pattern such as ``baseline/*.xml.gz``, sorted."""
    fixed = [part for part in pattern.parts if not any(sign in part for sign in "*?[")]
    place = Path(*fixed) if pattern.parts[: len(fixed)] == tuple(fixed) else Path(pattern.anchor)
    return sorted(place.glob(str(pattern.relative_to(place))))


def _groups(files: Iterable[InputFile]) -> Iterator[list[InputFile]]:
    group: list[InputFile] = []
    size = 0
    for file in files:
        if group and (len(group) == FILES_AT_A_TIME or size + file.bytes > BYTES_AT_A_TIME):
            yield group
            group, size = [], 0
        group.append(file)
        size += file.bytes
    if group:
        yield group


def _count(files: Sequence[InputFile]) -> list[int]:
    counts = [0] * len(files)
    for number, file in enumerate(files):
        with suppress(CorpusError):  # not one document of it can be read; its partition will say so
            counts[number] = sum(1 for _ in file.documents(lambda error: None))
    return counts
