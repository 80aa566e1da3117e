"""The contract of a table format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from relhash.errors import CorpusError

Row = Mapping[str, Any]
"""A record: column → string, number or truth value; lists are for formats that have them."""


class TableFormat(ABC):
    """How rows become a file.

    A new format is a subclass in a file of its own and one line in :data:`~relhash.model.tables.files.TABLE_FORMATS`, or an
    entry point ``relhash.table_formats``. Its name there is the suffix of its files.
    """

    is_binary: ClassVar[bool] = True
    """Whether it can neither be gzipped nor printed."""

    @abstractmethod
    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        """Write rows as they come, and count them; ``title`` is for formats that show one."""

    def read(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a file, each with its line or row number; formats for people only need not be readable."""
        raise CorpusError(
            "this format is for people, and cannot be read back", path=path, remedy="give the .tsv, .xlsx or .jsonl of it"
        )

    def check(self, path: Path) -> None:  # noqa: B027 (most need nothing)
        """An error for what would fail in the end, such as a package that is not installed."""


class TextTable(TableFormat):
    """A format of lines."""

    is_binary = False
    header: ClassVar[int] = 0
    """Lines before the first row."""

    @abstractmethod
    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        """The lines, header first, without line ends."""

    def write(self, rows: Iterable[Row], handle: IO[bytes], columns: Sequence[str], title: str) -> int:
        count = -self.header
        for line in self.lines(rows, columns):
            handle.write(line.encode("utf-8", "surrogatepass") + b"\n")
            count += 1
        return count
