"""The corpus that a command reads: counted as it passes, put on meaning graphs if some are given, with a remark at the end."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from relhash.cli.console import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from relhash.corpus import Corpus, Document
    from relhash.errors import CorpusError

_ERRORS_SHOWN = 5
_AHEAD = 10_000


class CorpusInput:
    """What INPUT and ``--format --encoding --lenient --amr --without-documents-of --one-type`` ask for.

    ``skipped`` fills while documents are read; ``count`` is how many came through.
    """

    def __init__(
        self,
        path: Path,
        format: str | None = None,
        *,
        lenient: bool = False,
        amr: Path | None = None,
        without: Sequence[Path] = (),
        one_type: str | None = None,
        encoding: str | None = None,
    ) -> None:
        self.path, self.format, self.lenient, self.amr = path, format, lenient, amr
        self.without, self.one_type = without, one_type
        self.options = {} if encoding is None else {"encoding": encoding}
        self.papers_left_out = 0
        self.skipped: list[CorpusError] = []
        self.count = 0

    def stream(self, step: Callable[..., None] | None = None) -> Iterator[Document]:
        """The documents one at a time, with a step of progress after each."""
        from relhash.corpus import stream

        documents = stream(self.path, self.format, on_error=self.skipped.append if self.lenient else None, **self.options)
        if self.amr is not None:
            from relhash.language.amr import GraphCollection

            documents = GraphCollection.read(self.amr).on_all(documents)
        if self.without:
            documents = self._without_papers(documents)
        if self.one_type is not None:
            from relhash.corpus.document import with_one_type

            documents = with_one_type(documents, self.one_type)
        for document in counted(documents, step):
            self.count += 1
            yield document

    def _without_papers(self, documents: Iterable[Document]) -> Iterator[Document]:
        from relhash.corpus import stream
        from relhash.corpus.document import without_papers_of

        read = 0

        def counting() -> Iterator[Document]:
            nonlocal read
            for document in documents:
                read += 1
                yield document

        kept = 0
        for document in without_papers_of(counting(), *(stream(path) for path in self.without)):
            kept += 1
            yield document
        self.papers_left_out = read - kept

    def read(self) -> Corpus:
        """All documents in memory."""
        from relhash.corpus import Corpus

        return Corpus.of(self.stream())

    def remark(self, *, quiet: bool = False) -> None:
        """Say what was skipped, if anything."""
        if self.without:
            number = self.papers_left_out
            other = ", ".join(str(path) for path in self.without)
            note(f"{self.path}: {number:,} document{'s' * (number != 1)} left out, their papers are in {other}", quiet=quiet)
        if not self.skipped:
            return
        note(f"{len(self.skipped):,} broken document{'s' * (len(self.skipped) != 1)} skipped in {self.path}:", quiet=quiet)
        for problem in self.skipped[:_ERRORS_SHOWN]:
            note(f"  {problem}", quiet=quiet)
        if len(self.skipped) > _ERRORS_SHOWN:
            note(f"  … and {len(self.skipped) - _ERRORS_SHOWN:,} more", quiet=quiet)


def begun(inputs: Sequence[CorpusInput]) -> tuple[Iterator[Document], int | None]:
    """All their documents one at a time, and how many there are; None if they are too many to know.

    The first ten thousand are read at once, so that errors in most inputs come before any work.
    """
    documents = chain.from_iterable(one.stream() for one in inputs)
    first = list(islice(documents, _AHEAD))
    return chain(first, documents), len(first) if len(first) < _AHEAD else None


def counted(documents: Iterable[Document], step: Callable[..., None] | None) -> Iterator[Document]:
    """The documents, with a step of progress after each."""
    for document in documents:
        yield document
        if step is not None:
            step(1)
