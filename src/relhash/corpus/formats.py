"""The file formats RelHash knows: one registry, from which reading, writing, detection and the documentation take their names.

A format of your own is a :class:`~relhash.corpus.formats.Format`. A script registers it (``FORMATS.register("loud", LOUD)``),
an installed package offers it by an entry point::

    [project.entry-points."relhash.readers"]
    loud = "my_package.loud:LOUD"

From then on ``relhash.read``, ``--format loud`` and detection know it. The modules of our own formats are imported when their
format is first used.

What a file format is: how it is called, recognised, read and written.

What the beginning of a file proves about its format.

Prose may begin with anything: PubMed puts translated titles into brackets (``[Effect of …]``), an abstract may open with
``(TNF / p53)`` or ``<i>``. So none of these functions goes by the first character: each asks for what only its format has.

All take the head of a file as text, without a byte-order mark, with ``\\n`` as line end and no blanks before it.
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

    Parameters
    ----------
    name, description
        As the user sees them.
    suffixes
        Of its files, before a ``.gz``.
    reader
        A function ``reader(path, *, on_error=None, …)`` that gives documents; further keyword arguments are its options.
        ``on_error`` is for :func:`relhash.corpus.remarks.without_broken`. Or where such a function is, ``"module:function"``,
        to be imported when the format is first used.
    writer
        A function ``writer(documents, path)`` or its place, if the format can be written.
    aliases
        Other names.
    writes_folder
        Whether several files are written, into a folder.
    leaves_out
        What the writer drops without complaint (parts that can be made again or belong to other tools), in the words of
        :mod:`relhash.corpus.document`; content that it should hold but cannot is refused by the writer itself.
    holds_attributes
        Whether it has a place for attributes, such as the probability of a predicted relation; else its writer refuses them.
    recognises
        Whether the first characters of a file prove that it is of this format (see :mod:`relhash.corpus.formats`), for
        formats that share a suffix with others.
    xml_roots
        Names of the outermost element of an XML format.

    Examples
    --------
    >>> def read_shouting(path, *, on_error=None):
    ...     yield Document(path.stem, path.read_text().lower())
    >>> shouting = Format("shouting", "text in capitals", (".loud",), read_shouting)
    >>> shouting.fits_name(Path("abstracts.loud.gz"))
    True
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    reader: Callable[..., Iterable[Document]] | str
    writer: Callable[[Iterable[Document], Path], None] | str | None = None
    aliases: tuple[str, ...] = ()
    writes_folder: bool = False
    leaves_out: tuple[str, ...] = ()
    holds_attributes: bool = True
    recognises: Callable[[str], bool] | None = None
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
    """An object, or a list of them, with one of the keys that BioC prescribes.

    >>> is_bioc_json('[{"source": "PubTator", "documents": ['), is_bioc_json('[Effect of "documents": a trial]. We …')
    (True, False)
    """
    has_shape = head.startswith("{") or (_OBJECT_IN_LIST.match(head) and _PUBMED45_KEY not in head)
    return bool(has_shape and _BIOC_KEY.search(head)) and _begins_json(head)


def is_bigbio(head: str) -> bool:
    """A first line that is an object with the keys of the schema.

    >>> is_bigbio('{"id": "1", "document_id": "7", "passages": [], "entities": [], "events": [], "relations": []}')
    True
    """
    line = head.partition("\n")[0]
    # a long record may be cut off before its last key
    return line.startswith("{") and {"document_id", "passages"} <= set(_BIGBIO_KEY.findall(line)) and '"infons"' not in line


def is_pubannotation(head: str) -> bool:
    """An object, or a list of them, with denotations, or with a text and where it comes from.

    >>> is_pubannotation('{"text": "TNF", "denotations": []}'), is_pubannotation('[Effect of "denotations" on readers]')
    (True, False)
    """
    begins = head.replace(" ", "").replace("\n", "").startswith(('{"', '[{"'))
    return begins and ('"denotations"' in head or ('"sourcedb"' in head and '"text"' in head))


def is_pubmed45(head: str) -> bool:
    """A list of objects with ``interaction_tuple``."""
    return bool(_OBJECT_IN_LIST.match(head)) and _PUBMED45_KEY in head and _begins_json(head)


def is_jsonl(head: str) -> bool:
    """A first line that is an object with an id or a text, and is not BioC's.

    >>> is_jsonl('{"id": "d", "text": "TNF binds p53."}'), is_jsonl('{TNF} binds "text": no.')
    (True, False)
    """
    line = head.partition("\n")[0]
    return line.startswith("{") and bool(_JSONL_KEY.search(line)) and not _BIOC_KEY.search(line) and _begins_json(line)


def is_pubtator(head: str) -> bool:
    """A first line of the form ``id|t|title``."""
    return bool(_PUBTATOR.match(head))


def is_medline(head: str) -> bool:
    """A first line with the number of an article, and a second field.

    >>> is_medline("PMID- 11780382\\nOWN - NLM\\n"), is_medline("PMID- numbers are given to articles")
    (True, False)
    """
    return bool(_MEDLINE.match(head))


def is_nero(head: str) -> bool:
    """A first line that names the columns of the table.

    >>> is_nero("amId\\tentity1\\tactionType\\tentity2\\tsentenceText\\n"), is_nero("entity1 binds entity2 (sentenceText)")
    (True, False)
    """
    names = set(head.partition("\n")[0].rstrip("\r").split("\t"))
    return {"entity1", "actionType", "entity2", "sentenceText"} <= names


def is_conllu(head: str) -> bool:
    """A first token in ten columns, the seventh a number."""
    return bool(_CONLLU.match(head))


def xml_root(head: str) -> str | None:
    """The name of the outermost element, if its start tag is complete and holds elements rather than text.

    >>> xml_root('<?xml version="1.0"?><corpus source="x"><document'), xml_root("<corpus callosum> was seen")
    ('corpus', None)
    """
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


_OWN = (
    Format(
        "unified-xml",
        "unified PPI XML: <corpus> of documents, sentences, entities, pairs or interactions, parses; DDI corpus",
        (".xml",),
        "relhash.corpus.unified_xml:read_unified_xml",
        "relhash.corpus.unified_xml_output:write_unified_xml",
        aliases=("xml", "ppi", "ddi"),
        holds_attributes=False,
        leaves_out=("relations between ids",),
        xml_roots=("corpus", "document"),  # the DDI corpus has one file per document
    ),
    Format(
        "bigbio",
        "BigBIO's knowledge-base schema (bigbio_kb) as JSON Lines; as Parquet, format parquet",
        (".jsonl", ".json"),
        "relhash.corpus.bigbio:read_bigbio",
        aliases=("bigbio-kb",),
        recognises=is_bigbio,
    ),
    Format(
        "pubannotation",
        "PubAnnotation's JSON: denotations, relations, attributes",
        (".json",),
        "relhash.corpus.pubannotation:read_pubannotation",
        recognises=is_pubannotation,
    ),
    Format(
        "genia-xml",
        "GENIA's event corpus as XML: sentences with terms, events with clues",
        (".xml",),
        "relhash.corpus.genia_xml:read_genia_xml",
        aliases=("genia",),
        xml_roots=("set", "Annotation"),
    ),
    Format(
        "bioc-xml",
        "BioC XML collections",
        (".xml", ".bioc", ".bioc.xml"),
        "relhash.corpus.bioc:read_bioc_xml",
        "relhash.corpus.bioc:write_bioc_xml",
        aliases=("bioc",),
        leaves_out=("parses",),
        xml_roots=("collection",),
    ),
    Format(
        "bioc-json",
        "BioC JSON collections",
        (".json", ".bioc.json"),
        "relhash.corpus.bioc:read_bioc_json",
        "relhash.corpus.bioc:write_bioc_json",
        leaves_out=("parses",),
        recognises=is_bioc_json,
    ),
    Format(
        "pubmed-xml",
        "PubMed baseline XML: title and abstract of each article",
        (".xml",),
        "relhash.corpus.pubmed:read_pubmed_xml",
        xml_roots=("PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle"),
    ),
    Format(
        "medline",
        "articles as PubMed's page saves them: fields with tags (PMID, TI, AB)",
        (".nbib", ".txt"),
        "relhash.corpus.pubmed:read_medline",
        aliases=("pubmed", "nbib"),
        recognises=is_medline,
    ),
    Format(
        "bionlp",
        "BioNLP shared task standoff: .txt with .a1 (entities), .a2 (events) and .rel (relations)",
        (".txt", ".a1", ".a2", ".rel"),
        "relhash.corpus.standoff:read_bionlp",
        "relhash.corpus.standoff:write_bionlp",
        writes_folder=True,
        leaves_out=("sentences", "parses", "candidate pairs", "passages", "metadata", "relations between ids"),
    ),
    Format(
        "brat",
        "brat standoff: .txt with .ann",
        (".txt", ".ann"),
        "relhash.corpus.standoff:read_brat",
        "relhash.corpus.standoff:write_brat",
        aliases=("standoff", "ann"),
        writes_folder=True,
        leaves_out=("sentences", "parses", "candidate pairs", "passages", "metadata", "relations between ids"),
    ),
    Format(
        "pubtator",
        "PubTator: id|t|title, id|a|abstract, tab-separated annotations",
        (".pubtator", ".txt"),
        "relhash.corpus.pubtator:read_pubtator",
        "relhash.corpus.pubtator:write_pubtator",
        holds_attributes=False,
        leaves_out=("sentences", "parses", "candidate pairs", "passages", "metadata"),
        recognises=is_pubtator,
    ),
    Format(
        "conllu",
        "CoNLL-U: tokens, tags and dependency trees",
        (".conllu", ".conllu.stanford", ".conll"),
        "relhash.corpus.conllu:read_conllu",
        recognises=is_conllu,
    ),
    Format(
        "jsonl",
        "JSON Lines in RelHash's own schema (holds everything)",
        (".jsonl", ".ndjson", ".json"),
        "relhash.corpus.jsonl:read_jsonl",
        "relhash.corpus.jsonl:write_jsonl",
        aliases=("ndjson",),
        recognises=is_jsonl,
    ),
    Format(
        "pubmed45",
        "PubMed45 interactions: a JSON list with interaction_tuple and label",
        (".json",),
        "relhash.corpus.pubmed45:read_pubmed45",
        recognises=is_pubmed45,
    ),
    Format(
        "nero",
        "the table of the NERO corpus: statements as strings, which are looked for in their sentences",
        (".txt",),
        "relhash.corpus.nero:read_nero",
        recognises=is_nero,
    ),
    Format(
        "table",
        "spreadsheet (.xlsx, CSV, TSV): a row has a text, two entities and a label, or a title and an abstract; written: one "
        "row per relation",
        (".tsv", ".csv", ".tab", ".xlsx", ".xlsm"),
        "relhash.corpus.tables.reader:read_table",
        "relhash.corpus.tables.output:write_table",
        aliases=("tsv", "csv", "xlsx", "excel"),
        leaves_out=(
            "parses",
            "unrelated mentions",
            "attributes",
            "equivalences",
            "passages",
            "metadata",
            "relations between ids",
        ),
    ),
    Format(
        "text",
        "plain text, one document per file",
        (".txt", ".text"),
        "relhash.corpus.text:read_text_file",
        aliases=("txt", "plain"),
    ),
    Format(
        "parquet",
        "Parquet with a column of text, one document per row (needs pyarrow)",
        (".parquet",),
        "relhash.corpus.parquet:read_parquet",
    ),
    Format("lines", "plain text, one document per line", (), "relhash.corpus.text:read_text_lines"),
)

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
    """The format called ``name`` (or by one of its other names).

    >>> format_by_name("TSV").name
    'table'
    """
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

    >>> format_for_output(Path("out.jsonl.gz")).name, format_for_output(Path("out.bioc.xml")).name
    ('jsonl', 'bioc-xml')
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
            path=path,
            remedy=f"use one of {' '.join(sorted(suffixes))} (also with .gz), a folder name for brat standoff, or name the "
            "format (--to)",
        )
    return max(writable, key=lambda known: len(known.fitting_suffix(path)))  # of those alike the first
