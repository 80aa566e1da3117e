"""BioC, as XML and as JSON: passages, sentences, annotations with several locations, relations with roles.

The library ``bioc`` knows the two encodings; this module hands it one document at a time and turns its objects into ours. XML
goes through :mod:`relhash.corpus.xml_safety` first: the library parses with entities on and keeps the whole file in memory.

- Offsets of BioC are offsets of the document. Text between passages that the file does not hold becomes a newline and blanks.
- A passage with a ``type`` becomes a :class:`Passage`; one without is only text.
- ``type`` is the type of a mention or relation. ``identifier`` and database names (``NCBI GENE``) are its ids.
- Relations between concepts instead of annotations (no nodes: BC5CDR, BioRED, PubTator 3) are left out.
- Besides JSON collections: lists of them (PMC), single documents, and what PubTator 3 answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import etree

from relhash.corpus.bioc_records import convert_document
from relhash.corpus.document import Document
from relhash.corpus.offset_repair import Repairs, with_mentions_in_place
from relhash.corpus.skipping import OnError, without_broken
from relhash.corpus.source import read_text
from relhash.corpus.xml_safety import stream_elements
from relhash.errors import CorpusError

if TYPE_CHECKING:
    from bioc import BioCDocument


def read_bioc_xml(path: Path, *, on_error: OnError = None, repairs: Repairs | None = None) -> Iterator[Document]:
    """Documents of a BioC XML collection, one at a time.

    Parameters
    ----------
    path
        The file, gzipped or not.
    on_error
        Given the error of each broken document, which is then skipped; otherwise the first error is raised.
    repairs
        Where offsets that miss their mention by a little are put right and counted; without it they are errors.
    """
    from bioc import biocxml

    def decode(element: etree._Element) -> BioCDocument:
        # written again and alone, a document cannot bring anything that was not looked at
        xml = etree.tostring(element, encoding="unicode", with_tail=False)
        return biocxml.loads(f"<collection>{xml}</collection>").documents[0]

    def name(element: etree._Element) -> str | None:
        return element.findtext("id")

    yield from _documents(stream_elements(path, "document", root="collection"), decode, name, path, on_error, repairs)


def read_bioc_json(path: Path, *, on_error: OnError = None, repairs: Repairs | None = None) -> Iterator[Document]:
    """Documents of a BioC JSON file. The file is read as a whole, its documents are then made one at a time."""
    from bioc import biocjson

    def decode(record: dict[str, Any]) -> BioCDocument:
        return biocjson.fromJSON(_with_empty_lists(record), "BioCDocument")

    def name(record: Any) -> str | None:
        return str(record["id"]) if isinstance(record, dict) and record.get("id") else None

    text = read_text(path)
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise CorpusError(
            f"not JSON: {error.msg} at column {error.colno}", path=path, where=error.lineno, remedy="is the file cut off?"
        ) from error
    except (RecursionError, ValueError) as error:
        raise CorpusError("JSON nested too deeply or with a number too long", path=path) from error
    yield from _documents(_json_documents(content, path), decode, name, path, on_error, repairs)


def _documents(
    items: Iterable[Any],
    decode: Callable[[Any], BioCDocument],
    name: Callable[[Any], str | None],
    path: Path,
    on_error: OnError,
    repairs: Repairs | None,
) -> Iterator[Document]:
    def convert(numbered: tuple[int, Any]) -> Document:
        number, item = numbered
        where = f"document {number}"
        try:
            where = name(item) or where
            document = with_mentions_in_place(
                convert_document(decode(item), path, where),
                repairs,
                lambda mention: (path, f"{where}, {mention.id}"),
                counted="offsets count characters from the start of the document",
            ).check(str(path))
            document.text.encode()
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, SyntaxError) as error:  # XML has SyntaxErrors
            raise _not_bioc(error, path, where) from error
        return document

    return without_broken(enumerate(items, 1), convert, on_error)


def _not_bioc(error: Exception, path: Path, where: str) -> CorpusError:
    if isinstance(error, KeyError):
        return CorpusError(f"BioC prescribes {error.args[0]!r}, which is missing", path=path, where=where)
    if isinstance(error, UnicodeEncodeError):
        return CorpusError("half of a surrogate pair (\\ud800 … \\udfff) is not a character", path=path, where=where)
    return CorpusError(f"not of the form that BioC prescribes ({error})", path=path, where=where)


def _json_documents(content: Any, path: Path) -> list[Any]:
    """The documents of a collection, of a list of collections, of PubTator 3's answer, or a single document."""
    documents: list[Any] = []
    for part in content if isinstance(content, list) else [content]:
        if not isinstance(part, dict):
            part = {}
        lists = [part[key] for key in ("documents", "PubTator3") if isinstance(part.get(key), list)]
        if "passages" in part:
            documents.append(part)
        elif lists:
            documents += lists[0]
        else:
            raise CorpusError(
                "JSON, but no BioC collection (an object with a list of documents)", path=path, remedy="name the right format"
            )
    return documents


def _with_empty_lists(record: dict[str, Any]) -> dict[str, Any]:
    """Add what many programs leave out when it is empty, and the library insists on."""
    for part in (record, *record.get("passages", ()), *(s for p in record.get("passages", ()) for s in p.get("sentences", ()))):
        for key in ("annotations", "relations", "sentences"):
            part.setdefault(key, [])
        part.setdefault("infons", {})
        for child in (*part["annotations"], *part["relations"]):
            child.setdefault("infons", {})
    return record
