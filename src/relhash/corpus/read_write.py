"""Reading and writing corpora in any format: the file is recognised, its reader or writer does the rest.

Whatever a user calls a corpus (documents, files, strings of text, data frames) becomes a stream of documents. At the end: the
corpora that ship.
"""

from __future__ import annotations

import inspect
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from relhash.corpus.concepts import without_concepts
from relhash.corpus.detection import detect, files_of
from relhash.corpus.document import Corpus, Document
from relhash.corpus.formats import Format, all_formats, format_by_name, format_for_output
from relhash.corpus.remarks import OnError, Remarks, without_broken
from relhash.corpus.source import content_name, head
from relhash.corpus.text import plain_document
from relhash.errors import CorpusError, OutputError, ParameterError, RelHashNote
from relhash.files import STANDARD_STREAM, check_empty, check_place, exists
from relhash.resources import resource_path


def read(path: str | Path, format: str | None = None, lenient: bool = False, **options: Any) -> Corpus:
    """Read a corpus into memory.

    Parameters
    ----------
    path
        A file (also gzipped), a folder of files of one format, or ``"-"`` for text on standard input.
    format
        One of the names in :data:`~relhash.corpus.formats.FORMATS`; by default it is found by suffix and content.
    lenient
        Leave out broken documents instead of stopping at the first; they are listed in ``Corpus.skipped``.
    options
        What the format's reader takes, such as ``scheme="ud"`` for CoNLL-U.
    """
    skipped: list[CorpusError] = []
    documents = tuple(stream(path, format, on_error=skipped.append if lenient else None, **options))
    name = content_name(Path(path))
    return Corpus(name.split(".")[0] or name, documents, tuple(skipped))


def stream(path: str | Path, format: str | None = None, *, on_error: OnError = None, **options: Any) -> Iterator[Document]:
    """Documents of a corpus one at a time, for files larger than memory. Parameters as in :func:`read`.

    ``on_error`` makes it lenient: it is called with the error of each document that had to be left out. When nothing at all
    can be read the first error is raised nevertheless.
    """
    path = Path(path)
    if path != STANDARD_STREAM and not exists(path):
        raise CorpusError("there is no such file or folder", path, remedy="check the path")
    chosen = detect(path) if format is None else format_by_name(format)
    if format is None:
        _say_how_text_is_cut(path, chosen)
    reader = chosen.load(chosen.reader)
    unknown = [option for option in sorted(options) if not _takes(reader, option)]
    if unknown:
        raise ParameterError(f"the format {chosen.name!r} has no option {unknown[0]!r}")
    return _documents(files_of(path, chosen, is_named=format is not None), reader, on_error, options)


def _say_how_text_is_cut(path: Path, chosen: Format) -> None:
    """Nothing in a text file says what its lines are, so a wrong guess must be seen."""
    if chosen.name not in ("text", "lines") or not path.is_file():
        return
    lines = sum(bool(line.strip()) for line in head(path, 1 << 16).splitlines())
    if chosen.name == "lines":
        said = "read as one document per line (--format text: the file is one document)"
    else:
        said = "read as one document (--format lines: one per line)"
    if lines > 1:
        warnings.warn(f"{path}: {said}", RelHashNote, stacklevel=3)


def _takes(reader: Callable[..., Any], option: str) -> bool:
    parameters = inspect.signature(reader).parameters
    return option in parameters or any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())


def _documents(
    files: Iterable[Path], reader: Callable[..., Iterable[Document]], on_error: OnError, options: dict[str, Any]
) -> Iterator[Document]:
    broken: list[CorpusError] = []
    found = False

    def report(error: CorpusError) -> None:
        broken[:] = broken[:1] or [error]
        if on_error is not None:
            on_error(error)

    remarks = Remarks()
    skip = None if on_error is None else report
    # the reader of another package may know neither how to leave out a document nor how to remark
    offered = {"on_error": skip, "remarks": remarks}
    options = options | {name: value for name, value in offered.items() if _takes(reader, name)}

    def read_file(file: Path) -> Iterator[Document]:
        yield from reader(file, **options)

    for file in files:
        # a file that is broken as a whole costs itself, not the other files
        for document in without_broken(read_file(file), lambda document: document, skip):
            found = True
            yield document
    remarks.report()
    if broken and not found:
        raise broken[0]


def check_output(path: Path, format: str | None = None, *, is_resumed: bool = False) -> None:
    """Refuse what :func:`write` could not write, before any work is done for it: the format, and the place.

    ``is_resumed``: a folder with something in it may be what the run before has written, so it is not refused yet.
    """
    chosen = format_by_name(format) if format else format_for_output(path)
    if chosen.writer is None:
        writable = ", ".join(known.name for known in all_formats() if known.writer)
        raise CorpusError(f"the format {chosen.name!r} can be read but not written", path, remedy=f"write one of: {writable}")
    check_place(path, is_folder=chosen.writes_folder)
    if chosen.writes_folder and path.name in ("", ".."):
        raise OutputError("a new folder is to be written, and this is none; name one in it", path=path)
    if chosen.writes_folder and not is_resumed:
        check_empty(path)


def write(documents: Corpus | Iterable[Document], path: str | Path, format: str | None = None) -> None:
    """Write documents to a file (gzipped if its name ends in ``.gz``) or, for standoff formats, into a folder.

    The format is taken from the suffix unless named. Each writer drops what :attr:`Format.leaves_out` says (brat has no
    sentence splits) and refuses content that would otherwise be lost, before anything is written.
    """
    path = Path(path)
    chosen = format_by_name(format) if format else format_for_output(path)
    check_output(path, chosen.name)
    assert chosen.writer is not None
    if "relations between ids" in chosen.leaves_out:
        documents = map(without_concepts, documents)
    chosen.load(chosen.writer)(documents, path)


CorpusLike = Any
"""A corpus, documents, a path, a text, a Doc of spaCy, or several of these; or a data frame."""

_SENTENCE_END = re.compile(r"[.!?]\s")


def documents_of(corpus: CorpusLike) -> Iterator[Document]:
    """The documents, one after the other.

    A string is a text or the name of a file (see :func:`is_text`). A text becomes a document with the id ``text``; in a list,
    ``text0``, ``text1`` and so on by its place. A ``Path`` is always a file or folder.

    >>> [document.id for document in documents_of([Document("a", ""), Document("b", "")])]
    ['a', 'b']
    >>> list(documents_of("RAF1 binds to MEK1."))
    [Document(id='text', text='RAF1 binds to MEK1.', ...)]
    >>> list(documents_of("abstracts.txt"))
    Traceback (most recent call last):
    ...
    relhash.errors.CorpusError: abstracts.txt: there is no such file or folder; check the path
    """
    if not isinstance(corpus, Corpus | Document | str | os.PathLike | list | tuple):
        from relhash.corpus.objects import frame_documents, is_doc, is_frame  # reads tables, too

        if is_frame(corpus):
            yield from frame_documents(corpus)
            return
        if is_doc(corpus):
            yield from _one(corpus, "")
            return
    if isinstance(corpus, Document | str | os.PathLike):
        yield from _one(corpus, "")
        return
    for number, item in enumerate(corpus):
        yield from item if isinstance(item, Corpus) else _one(item, str(number))


def is_text(given: str) -> bool:
    """Whether a string is a text to read, and not the name of a file.

    It is a name if there is such a file (or ``-``, standard input), if it has no blanks in it, or if it is one line that ends
    in the suffix of a format and holds no sentence. Everything else is text. Give a ``Path`` where a name looks like text.
    """
    if given == str(STANDARD_STREAM) or exists(given) or not re.search(r"\s", given):
        return False
    name = given.strip().lower().removesuffix(".gz")
    suffixes = tuple(suffix for known in all_formats() for suffix in known.suffixes)
    return not name.endswith(suffixes) or "\n" in name or bool(_SENTENCE_END.search(name))


def _one(given: Any, number: str) -> Iterator[Document]:
    if isinstance(given, Document):
        yield given
    elif isinstance(given, str) and not given.strip():
        raise ParameterError("an empty string is neither a text nor the name of a file")
    elif isinstance(given, str) and is_text(given):
        yield plain_document(f"text{number}", given)
    elif isinstance(given, str | os.PathLike):
        yield from stream(Path(given))
    else:
        from relhash.corpus.objects import doc_document, is_doc

        if not is_doc(given):
            raise ParameterError(f"a corpus is made of documents, not of {type(given).__name__}")
        yield doc_document(given, f"doc{number}")


DEMO_CORPORA = ("abstracts", "fulltext")


def demo_corpora() -> tuple[Corpus, Corpus]:
    """Synthetic protein-interaction sentences in the style of abstracts and of full texts, with gold relations and parses."""
    abstracts, fulltext = (read(resource_path("demo", f"{name}.jsonl.gz")) for name in DEMO_CORPORA)
    return abstracts, fulltext


def demo_excerpts() -> tuple[Corpus, Corpus]:
    """About 300 sentences each of BioInfer and of BioNLP 2013 devel (events as pairs of proteins), parsed as raw text is."""
    bioinfer, bionlp = (read(resource_path("demo", f"{name}.jsonl.gz")) for name in ("bioinfer", "bionlp2013"))
    return bioinfer, bionlp
