"""The file formats RelHash knows: one registry, from which reading, writing, detection and the documentation take their names.

A format of your own is a :class:`~relhash.corpus.formats.Format`. A script registers it (``FORMATS.register("loud", LOUD)``),
an installed package offers it by an entry point::

    [project.entry-points."relhash.readers"]
    loud = "my_package.loud:LOUD"

From then on ``relhash.read``, ``--format loud`` and detection know it. The modules of our own formats are imported when their
format is first used.

Below: what the beginning of a file proves about its format. Prose may begin with anything: PubMed puts translated titles into
brackets (``[Effect of …]``), an abstract may open with ``(TNF / p53)`` or ``<i>``. So no function goes by the first character;
each takes the head of a file (``\\n`` as line end, no blanks before it) and asks for what only its format has.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from relhash.corpus.document import Document
from relhash.corpus.source import content_name
from relhash.errors import CorpusError, ParameterError, RelHashWarning
from relhash.files import is_file
from relhash.registry import Registry


@dataclass(frozen=True, slots=True)
class Format:
    """How a format is called, recognised, read and written.

    ``reader(path, *, on_error=None, …)`` gives documents; further keyword arguments are its options, ``on_error`` is for
    :func:`relhash.corpus.remarks.without_broken`. ``writer(documents, path)`` writes them. Both may be given by their place,
    ``"module:function"``, to be imported when the format is first used.

    >>> def read_shouting(path, *, on_error=None):
    ...     yield Document(path.stem, path.read_text().lower())
    >>> shouting = Format("shouting", "text in capitals", (".loud",), read_shouting)
    >>> shouting.fits_name(Path("abstracts.loud.gz"))
    True
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    """Of its files, before a ``.gz``."""
    reader: Callable[..., Iterable[Document]] | str
    writer: Callable[[Iterable[Document], Path], None] | str | None = None
    aliases: tuple[str, ...] = ()
    writes_folder: bool = False
    leaves_out: tuple[str, ...] = ()
    """What the writer drops without complaint, in the words of :func:`~relhash.corpus.document.contents`; content that it
    should hold but cannot is refused by the writer itself."""
    holds_attributes: bool = True
    """Whether it has a place for attributes, such as the probability of a predicted relation; else its writer refuses them."""
    recognises: Callable[[str], bool] | None = None
    """Whether the first characters of a file prove that it is of this format, for formats that share a suffix."""
    xml_roots: tuple[str, ...] = ()

    @staticmethod
    def load(function: Callable[..., Any] | str) -> Callable[..., Any]:
        """The reader or writer, imported now."""
        if callable(function):
            return function
        module, _, name = function.partition(":")
        loaded: Callable[..., Any] = getattr(import_module(module), name)
        return loaded

    def fits_name(self, path: Path) -> bool:
        """Whether the file's suffix (before a ``.gz``) is one of this format."""
        return bool(self.fitting_suffix(path))

    def fitting_suffix(self, path: Path) -> str:
        """The longest of its suffixes that the file has (before a ``.gz``); empty if it has none."""
        name = content_name(path).lower()
        return max((suffix for suffix in self.suffixes if name.endswith(suffix)), key=len, default="")


_LONGEST_JSON_WORD = len("false")
_BIOC_KEY = re.compile(r'"(?:infons|documents|passages|bioctype|PubTator3)"\s*:')
_JSONL_KEY = re.compile(r'"(?:schema|id|text|pmid|title|abstract)"\s*:')
_BIGBIO_KEY = re.compile(r'"(document_id|passages)"\s*:')
_PUBMED45_KEY = '"interaction_tuple"'
_OBJECT_IN_LIST = re.compile(r"\[\s*\{")
_PUBTATOR = re.compile(r"[^|\s]+\|[ta]\|")
_MEDLINE = re.compile(r"PMID- ?\d+[^\S\n]*\n[A-Z][A-Z0-9]{1,3} *- ")
_CONLLU = re.compile(r"(?:#[^\n]*\n)*1(?:-\d+)?\t(?:[^\t\n]*\t){5}(?:\d+|_)\t(?:[^\t\n]*\t){2}[^\t\n]*(?:\n|\Z)")
_XML_PROLOG = re.compile(r"\s*+(<\?(?>.*?\?>)|<!--(?>.*?-->)|<!DOCTYPE[^\[>]*+(?:>|\[.*?\]\s*+>))", re.DOTALL)
_XML_ROOT = re.compile(r"""\s*<([A-Za-z_][\w.:-]*)(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?:/>\s*\Z|>\s*(?:<|\Z))""")


def is_bioc_json(head: str) -> bool:
    """An object, or a list of them, with one of the keys that BioC prescribes."""
    has_shape = head.startswith("{") or (_OBJECT_IN_LIST.match(head) and _PUBMED45_KEY not in head)
    return bool(has_shape and _BIOC_KEY.search(head)) and _begins_json(head)


def is_bigbio(head: str) -> bool:
    """A first line that is an object with the keys of the schema."""
    line = head.partition("\n")[0]
    # a long record may be cut off before its last key
    return line.startswith("{") and {"document_id", "passages"} <= set(_BIGBIO_KEY.findall(line)) and '"infons"' not in line


def is_pubannotation(head: str) -> bool:
    """An object, or a list of them, with denotations, or with a text and where it comes from."""
    begins = head.replace(" ", "").replace("\n", "").startswith(('{"', '[{"'))
    return begins and ('"denotations"' in head or ('"sourcedb"' in head and '"text"' in head))


def is_pubmed45(head: str) -> bool:
    """A list of objects with ``interaction_tuple``."""
    return bool(_OBJECT_IN_LIST.match(head)) and _PUBMED45_KEY in head and _begins_json(head)


def is_jsonl(head: str) -> bool:
    """A first line that is an object with an id or a text, and is not BioC's."""
    line = head.partition("\n")[0]
    return line.startswith("{") and bool(_JSONL_KEY.search(line)) and not _BIOC_KEY.search(line) and _begins_json(line)


def is_pubtator(head: str) -> bool:
    """A first line of the form ``id|t|title``."""
    return bool(_PUBTATOR.match(head))


def is_medline(head: str) -> bool:
    """A first line with the number of an article, and a second field."""
    return bool(_MEDLINE.match(head))


def is_nero(head: str) -> bool:
    """A first line that names the columns of the table."""
    names = set(head.partition("\n")[0].rstrip("\r").split("\t"))
    return {"entity1", "actionType", "entity2", "sentenceText"} <= names


def is_conllu(head: str) -> bool:
    """A first token in ten columns, the seventh a number."""
    return bool(_CONLLU.match(head))


def xml_root(head: str) -> str | None:
    """The name of the outermost element, if its start tag is complete and holds elements rather than text."""
    position = 0
    while prolog := _XML_PROLOG.match(head, position):
        position = prolog.end()
    root = _XML_ROOT.match(head, position)
    return root[1] if root else None


def _begins_json(text: str) -> bool:
    """Whether ``text`` is JSON, or JSON up to where it is cut off."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()) - _LONGEST_JSON_WORD
    except (RecursionError, ValueError):  # its reader will say that it is nested too deeply, or has a number too long
        return True
    return True


def _own(name: str, suffixes: str, reader: str, description: str, writer: str = "", **more: Any) -> Format:
    """A format of this room: suffixes with blanks between them, places without the name of the room."""
    writes = f"relhash.corpus.{writer}" if writer else None
    return Format(name, description, tuple(suffixes.split()), f"relhash.corpus.{reader}", writes, **more)


_OF_TEXT = ("sentences", "parses", "candidate pairs", "passages", "metadata")
_BETWEEN_IDS = "relations between ids"
_OWN = (
    _own(
        "unified-xml", ".xml", "unified_xml:read_unified_xml",
        "unified PPI XML: <corpus> of documents, sentences, entities, pairs or interactions, parses; DDI corpus",
        "unified_xml_output:write_unified_xml", aliases=("xml", "ppi", "ddi"), holds_attributes=False,
        leaves_out=(_BETWEEN_IDS,), xml_roots=("corpus", "document"),  # the DDI corpus has one file per document
    ),
    _own(
        "bigbio", ".jsonl .json", "bigbio:read_bigbio",
        "BigBIO's knowledge-base schema (bigbio_kb) as JSON Lines; as Parquet, format parquet",
        aliases=("bigbio-kb",), recognises=is_bigbio,
    ),
    _own(
        "pubannotation", ".json", "pubannotation:read_pubannotation",
        "PubAnnotation's JSON: denotations, relations, attributes", recognises=is_pubannotation,
    ),
    _own(
        "genia-xml", ".xml", "genia_xml:read_genia_xml",
        "GENIA's event corpus as XML: sentences with terms, events with clues",
        aliases=("genia",), xml_roots=("set", "Annotation"),
    ),
    _own(
        "bioc-xml", ".xml .bioc .bioc.xml", "bioc:read_bioc_xml", "BioC XML collections", "bioc:write_bioc_xml",
        aliases=("bioc",), leaves_out=("parses",), xml_roots=("collection",),
    ),
    _own(
        "bioc-json", ".json .bioc.json", "bioc:read_bioc_json", "BioC JSON collections", "bioc:write_bioc_json",
        leaves_out=("parses",), recognises=is_bioc_json,
    ),
    _own(
        "pubmed-xml", ".xml", "pubmed:read_pubmed_xml", "PubMed baseline XML: title and abstract of each article",
        xml_roots=("PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle"),
    ),
    _own(
        "medline", ".nbib .txt", "pubmed:read_medline",
        "articles as PubMed's page saves them: fields with tags (PMID, TI, AB)",
        aliases=("pubmed", "nbib"), recognises=is_medline,
    ),
    _own(
        "bionlp", ".txt .a1 .a2 .rel", "standoff:read_bionlp",
        "BioNLP shared task standoff: .txt with .a1 (entities), .a2 (events) and .rel (relations)", "standoff:write_bionlp",
        writes_folder=True, leaves_out=(*_OF_TEXT, _BETWEEN_IDS),
    ),
    _own(
        "brat", ".txt .ann", "standoff:read_brat", "brat standoff: .txt with .ann", "standoff:write_brat",
        aliases=("standoff", "ann"), writes_folder=True, leaves_out=(*_OF_TEXT, _BETWEEN_IDS),
    ),
    _own(
        "pubtator", ".pubtator .txt", "pubtator:read_pubtator",
        "PubTator: id|t|title, id|a|abstract, tab-separated annotations", "pubtator:write_pubtator",
        holds_attributes=False, leaves_out=_OF_TEXT, recognises=is_pubtator,
    ),
    _own(
        "conllu", ".conllu .conllu.stanford .conll", "conllu:read_conllu", "CoNLL-U: tokens, tags and dependency trees",
        recognises=is_conllu,
    ),
    _own(
        "jsonl", ".jsonl .ndjson .json", "jsonl:read_jsonl", "JSON Lines in RelHash's own schema (holds everything)",
        "jsonl:write_jsonl", aliases=("ndjson",), recognises=is_jsonl,
    ),
    _own(
        "pubmed45", ".json", "pubmed45:read_pubmed45",
        "PubMed45 interactions: a JSON list with interaction_tuple and label", recognises=is_pubmed45,
    ),
    _own(
        "nero", ".txt", "nero:read_nero",
        "the table of the NERO corpus: statements as strings, which are looked for in their sentences", recognises=is_nero,
    ),
    _own(
        "table", ".tsv .csv .tab .xlsx .xlsm", "tables.reader:read_table",
        "spreadsheet (.xlsx, CSV, TSV): a row has a text, two entities and a label, or a title and an abstract; written: one "
        "row per relation",
        "tables.output:write_table", aliases=("tsv", "csv", "xlsx", "excel"),
        leaves_out=("parses", "unrelated mentions", "attributes", "equivalences", "passages", "metadata", _BETWEEN_IDS),
    ),
    _own("text", ".txt .text", "text:read_text_file", "plain text, one document per file", aliases=("txt", "plain")),
    _own("parquet", ".parquet", "objects:read_parquet", "Parquet with a column of text, one document per row (needs pyarrow)"),
    _own("lines", "", "text:read_text_lines", "plain text, one document per line"),
)  # fmt: skip

FORMATS: Registry[Format] = Registry("format", "relhash.readers", {known.name: known for known in _OWN})
"""The formats by name."""


def all_formats() -> list[Format]:
    """Every format, also those of other installed packages; one that cannot be imported is left out with a warning."""
    found = []
    for name in FORMATS:
        try:
            known = FORMATS[name]
        except ParameterError as error:
            warnings.warn(str(error), RelHashWarning, stacklevel=2)
            continue
        if isinstance(known, Format):
            found.append(known)
        else:
            warnings.warn(f"the format {name!r} is no relhash.corpus.Format", RelHashWarning, stacklevel=2)
    return found


def format_by_name(name: str) -> Format:
    """The format called ``name`` (or by one of its other names)."""
    wanted = name.lower().replace("_", "-")
    for known in all_formats():
        if wanted == known.name or wanted in known.aliases:
            return known
    raise CorpusError(f"unknown format {name!r}", remedy=f"known formats: {', '.join(FORMATS)}")


def readable_suffixes() -> list[str]:
    """The suffixes of all formats, each once."""
    return sorted({suffix for known in all_formats() for suffix in known.suffixes})


def format_for_output(path: Path) -> Format:
    """The format to write, by the suffix of ``path``; a folder (existing, or a name without suffix) becomes brat standoff,
    a pipe or device without one JSON Lines.
    """
    if path.is_dir() or not Path(content_name(path)).suffix:
        if not is_file(path):
            return format_by_name("jsonl")
        return format_by_name("brat")
    writable = [known for known in all_formats() if known.writer and not known.writes_folder and known.fits_name(path)]
    if not writable:
        suffixes = {
            suffix for known in all_formats() if known.writer and not known.writes_folder for suffix in known.suffixes
        } - {".txt", ".xlsm"}
        raise CorpusError(
            "its suffix does not say which format to write",
            path,
            remedy=f"use one of {' '.join(sorted(suffixes))} (also with .gz), a folder name for brat standoff, or name the "
            "format (--to)",
        )
    return max(writable, key=lambda known: len(known.fitting_suffix(path)))  # of those alike the first
