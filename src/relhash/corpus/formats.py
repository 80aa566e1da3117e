"""The file formats RelHash knows: one registry, from which reading, writing, detection and the documentation take their names.

Modules are imported when their format is first used.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relhash.corpus.document import Corpus, Document
from relhash.corpus.recognition import is_bioc_json, is_conllu, is_jsonl, is_penman, is_pubmed45, is_pubtator
from relhash.corpus.skipping import OnError, without_broken
from relhash.corpus.source import STANDARD_STREAM, content_name
from relhash.errors import CorpusError, ParameterError

__all__ = ["FORMATS", "Format", "format_by_name", "format_for_output", "read", "stream", "write"]


@dataclass(frozen=True, slots=True)
class Format:
    """How a format is called, recognised, read and written.

    ``leaves_out`` names what a writer drops without complaint (parts that can be made again or belong to other tools);
    content that it should hold but cannot is refused by the writer itself.
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    reader: str
    """``module.function`` in this package, or its whole name where reading needs a later room (AMR is read in ``language``)."""
    writer: str | None = None
    aliases: tuple[str, ...] = ()
    writes_folder: bool = False
    leaves_out: tuple[str, ...] = ()
    recognises: Callable[[str], bool] | None = None
    """Whether the first characters of a file prove that it is of this format (see :mod:`relhash.corpus.recognition`)."""
    xml_roots: tuple[str, ...] = ()
    """Names of the outermost element of an XML format."""

    @staticmethod
    def load(function: str) -> Callable[..., Any]:
        """The reader or writer, imported now."""
        module, _, name = function.rpartition(".")
        whole = module if module.startswith("relhash.") else f"relhash.corpus.{module}"
        return getattr(importlib.import_module(whole), name)

    def fits_name(self, path: Path) -> bool:
        """Whether the file's suffix (before a ``.gz``) is one of this format."""
        return content_name(path).lower().endswith(self.suffixes)


FORMATS: tuple[Format, ...] = (
    Format(
        "unified-xml",
        "unified PPI XML: <corpus> of documents, sentences, entities, pairs or interactions, parses; DDI corpus",
        (".xml",),
        "unified_xml.read_unified_xml",
        "unified_xml_output.write_unified_xml",
        aliases=("xml", "ppi", "ddi"),
        xml_roots=("corpus", "document"),  # the DDI corpus has a file a document
    ),
    Format(
        "bioc-xml",
        "BioC XML collections",
        (".xml", ".bioc"),
        "bioc.read_bioc_xml",
        "bioc_output.write_bioc_xml",
        aliases=("bioc",),
        leaves_out=("parses",),
        xml_roots=("collection",),
    ),
    Format(
        "bioc-json",
        "BioC JSON collections",
        (".json",),
        "bioc.read_bioc_json",
        "bioc_output.write_bioc_json",
        leaves_out=("parses",),
        recognises=is_bioc_json,
    ),
    Format(
        "pubmed-xml",
        "PubMed baseline XML: title and abstract of each article",
        (".xml",),
        "pubmed_xml.read_pubmed_xml",
        xml_roots=("PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle"),
    ),
    Format(
        "bionlp",
        "BioNLP shared task standoff: .txt with .a1 (entities) and .a2 (events)",
        (".txt", ".a1", ".a2"),
        "standoff.read_bionlp",
        "standoff_output.write_bionlp",
        writes_folder=True,
        leaves_out=("sentences", "parses", "candidate pairs", "passages", "metadata"),
    ),
    Format(
        "brat",
        "brat standoff: .txt with .ann",
        (".txt", ".ann"),
        "standoff.read_brat",
        "standoff_output.write_brat",
        aliases=("standoff", "ann"),
        writes_folder=True,
        leaves_out=("sentences", "parses", "candidate pairs", "passages", "metadata"),
    ),
    Format(
        "pubtator",
        "PubTator: id|t|title, id|a|abstract, tab-separated annotations",
        (".pubtator", ".txt"),
        "pubtator.read_pubtator",
        "pubtator.write_pubtator",
        leaves_out=("sentences", "parses", "candidate pairs", "passages", "metadata"),
        recognises=is_pubtator,
    ),
    Format(
        "conllu",
        "CoNLL-U: tokens, tags and dependency trees",
        (".conllu", ".conllu.stanford", ".conll"),
        "conllu.read_conllu",
        recognises=is_conllu,
    ),
    Format(
        "jsonl",
        "JSON Lines in RelHash's own schema (holds everything)",
        (".jsonl", ".ndjson", ".json"),
        "jsonl.read_jsonl",
        "jsonl.write_jsonl",
        aliases=("ndjson",),
        recognises=is_jsonl,
    ),
    Format(
        "pubmed45",
        "PubMed45 interactions: a JSON list with interaction_tuple and label",
        (".json",),
        "pubmed45.read_pubmed45",
        recognises=is_pubmed45,
    ),
    Format(
        "amr",
        "AMR graphs in PENMAN notation, each under its sentence (# ::snt): a document a graph, its named entities as mentions",
        (".amr", ".penman", ".txt"),
        "relhash.language.amr.documents.read_amr",
        aliases=("penman",),
        recognises=is_penman,
    ),
    Format(
        "table",
        "spreadsheet, CSV or TSV: a row has a text, two entities and a label; written: a row a relation",
        (".tsv", ".csv", ".tab"),
        "table.read_table",
        "table_output.write_table",
        aliases=("tsv", "csv"),
        leaves_out=("parses", "unrelated mentions", "attributes", "equivalences", "passages", "metadata"),
    ),
    Format("text", "plain text, a document a file", (".txt", ".text"), "text.read_text_file", aliases=("txt", "plain")),
    Format("lines", "plain text, a document a line", (), "text.read_text_lines"),
)


def format_by_name(name: str) -> Format:
    """The format called ``name`` (or by one of its other names).

    >>> format_by_name("TSV").name
    'table'
    """
    wanted = name.lower().replace("_", "-")
    for known in FORMATS:
        if wanted == known.name or wanted in known.aliases:
            return known
    raise CorpusError(f"unknown format {name!r}", remedy=f"known formats: {', '.join(known.name for known in FORMATS)}")


def format_for_output(path: Path) -> Format:
    """The format to write, by the suffix of ``path``; a folder (existing, or a name without suffix) becomes brat standoff.

    >>> format_for_output(Path("out.jsonl.gz")).name
    'jsonl'
    """
    if path.is_dir() or not Path(content_name(path)).suffix:
        if path == STANDARD_STREAM:
            return format_by_name("jsonl")
        return format_by_name("brat")
    writable = [known for known in FORMATS if known.writer and not known.writes_folder and known.fits_name(path)]
    if not writable:
        suffixes = sorted({known.suffixes[0] for known in FORMATS if known.writer and not known.writes_folder})
        raise CorpusError(
            "its suffix does not say which format to write",
            path=path,
            remedy=f"use one of {' '.join(suffixes)}, a folder name for brat standoff, or name the format (--to)",
        )
    return writable[0]


def read(path: str | Path, format: str | None = None, lenient: bool = False, **options: Any) -> Corpus:
    """Read a corpus into memory.

    Parameters
    ----------
    path
        A file (also gzipped), a folder of files of one format, or ``"-"`` for text on standard input.
    format
        One of the names in :data:`FORMATS`; by default it is found by suffix and content.
    lenient
        Leave out broken documents instead of stopping at the first; they are listed in ``Corpus.skipped``.
    options
        What the format's reader takes, such as ``scheme="ud"`` for CoNLL-U.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "abstract.txt"
    >>> _ = file.write_text("TNF binds p53.")
    >>> read(file).documents[0].text
    'TNF binds p53.'
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
    from relhash.corpus.detection import detect, files_of

    path = Path(path)
    if path != STANDARD_STREAM and not path.exists():
        raise CorpusError("there is no such file or folder", path=path, remedy="check the path")
    chosen = detect(path) if format is None else format_by_name(format)
    reader = chosen.load(chosen.reader)
    unknown = options.keys() - inspect.signature(reader).parameters.keys()
    if unknown:
        raise ParameterError(f"the format {chosen.name!r} has no option {sorted(unknown)[0]!r}")
    return _documents(files_of(path, chosen, is_named=format is not None), reader, on_error, options)


def _documents(
    files: Iterable[Path], reader: Callable[..., Iterable[Document]], on_error: OnError, options: dict[str, Any]
) -> Iterator[Document]:
    first: CorpusError | None = None
    found = False

    def report(error: CorpusError) -> None:
        nonlocal first
        first = first or error
        if on_error is not None:
            on_error(error)

    skip = None if on_error is None else report

    def read_file(file: Path) -> Iterator[Document]:
        yield from reader(file, on_error=skip, **options)

    for file in files:
        # a file that is broken as a whole costs itself, not the other files
        for document in without_broken(read_file(file), lambda document: document, skip):
            found = True
            yield document
    if first is not None and not found:
        raise first


def write(documents: Corpus | Iterable[Document], path: str | Path, format: str | None = None) -> None:
    """Write documents to a file (gzipped if its name ends in ``.gz``) or, for standoff formats, into a folder.

    The format is taken from the suffix unless named. Each writer drops what :attr:`Format.leaves_out` says (brat has no
    sentence splits) and refuses content that would otherwise be lost, before anything is written.
    """
    path = Path(path)
    chosen = format_by_name(format) if format else format_for_output(path)
    if chosen.writer is None:
        writable = ", ".join(known.name for known in FORMATS if known.writer)
        raise CorpusError(
            f"the format {chosen.name!r} can be read but not written", path=path, remedy=f"write one of: {writable}"
        )
    chosen.load(chosen.writer)(documents, path)
