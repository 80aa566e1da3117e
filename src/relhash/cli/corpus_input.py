"""The corpus that a command reads: counted as it passes, put on meaning graphs if some are given, with a remark at the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from relhash.cli.console import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from relhash.corpus import Corpus, Document
    from relhash.errors import CorpusError

__all__ = ["CorpusInput", "counted"]

_ERRORS_SHOWN = 5


class CorpusInput:
    """What the options INPUT, ``--format``, ``--lenient`` and ``--amr`` ask for.

    ``skipped`` fills while documents are read; ``count`` is how many came through.
    """

    def __init__(self, path: Path, format: str | None = None, *, lenient: bool = False, amr: Path | None = None) -> None:
        self.path, self.format, self.lenient, self.amr = path, format, lenient, amr
        self.skipped: list[CorpusError] = []
        self.count = 0

    def stream(self, step: Callable[..., None] | None = None) -> Iterator[Document]:
        """The documents one at a time, with a step of progress after each."""
        from relhash.corpus import stream

        documents = stream(self.path, self.format, on_error=self.skipped.append if self.lenient else None)
        if self.amr is not None:
            from relhash.language.amr import GraphCollection

            documents = GraphCollection.read(self.amr).on_all(documents)
        for document in counted(documents, step):
            self.count += 1
            yield document

    def read(self) -> Corpus:
        """All documents in memory."""
        from relhash.corpus import Corpus

        return Corpus.of(self.stream())

    def remark(self, *, quiet: bool = False) -> None:
        """Say what was skipped, if anything."""
        if not self.skipped:
            return
        note(f"{len(self.skipped):,} broken document{'s' * (len(self.skipped) != 1)} skipped in {self.path}:", quiet=quiet)
        for problem in self.skipped[:_ERRORS_SHOWN]:
            note(f"  {problem}", quiet=quiet)
        if len(self.skipped) > _ERRORS_SHOWN:
            note(f"  … and {len(self.skipped) - _ERRORS_SHOWN:,} more", quiet=quiet)


def counted(documents: Iterable[Document], step: Callable[..., None] | None) -> Iterator[Document]:
    """The documents, with a step of progress after each."""
    for document in documents:
        yield document
        if step is not None:
            step(1)
