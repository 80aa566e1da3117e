"""The file formats RelHash knows: one registry, from which reading, writing, detection and the documentation take their names.

A format of your own is a :class:`~relhash.corpus.format.Format`. A script registers it (``FORMATS.register("loud", LOUD)``), an
installed package offers it by an entry point::

    [project.entry-points."relhash.readers"]
    loud = "my_package.loud:LOUD"

From then on ``relhash.read``, ``--format loud`` and detection know it. The modules of our own formats are imported when their
format is first used.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from relhash.corpus.format import Format
from relhash.corpus.recognition import is_bioc_json, is_conllu, is_jsonl, is_medline, is_nero, is_pubmed45, is_pubtator
from relhash.corpus.source import content_name
from relhash.errors import CorpusError, ParameterError, RelHashWarning
from relhash.files import is_file
from relhash.registry import Registry

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
        "relhash.corpus.pubmed_xml:read_pubmed_xml",
        xml_roots=("PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle"),
    ),
    Format(
        "medline",
        "articles as PubMed's page saves them: fields with tags (PMID, TI, AB)",
        (".nbib", ".txt"),
        "relhash.corpus.medline:read_medline",
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
