"""Articles of PubMed, as its baseline files have them (XML, read as a stream) and as its page saves them (``.nbib``).

The document's id is the PMID. Its text is the title and the parts of the abstract, a line each; passages say which is which:
``title``, ``abstract``, and ``abstract:METHODS`` for the labelled parts of a structured abstract. Markup inside the text
(``<i>``, ``<sub>``, formulas) is dropped and its text kept; runs of white space become one blank. Articles that an update
deletes, abstracts in other languages and the reference lists are not read.

A saved page (*Save → PubMed*, *Cite → .nbib*) has fields with tags; a line that begins with blanks continues the field before.
Title (``TI``, of a book ``BTI``), abstract (``AB``), journal (``TA``) and year (``DP``) are read::

    PMID- 11780382
    TI  - Binding of TNF to
          p53.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from relhash.corpus.document import Document, document_of_parts
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.source import filled_lines
from relhash.corpus.xml_safety import place_of, stream_elements
from relhash.errors import CorpusError

_FIELD = re.compile(r"([A-Z][A-Z0-9]{0,3}) *- ?(.*)", re.DOTALL)
_FIRST = "PMID"

Line = tuple[int, str]


def read_medline(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """The articles one at a time; one without title and abstract is a document without text."""
    return without_broken(_articles(path), lambda lines: _article(lines, path), on_error)


def _articles(path: Path) -> Iterator[list[Line]]:
    """The lines of each article: a PMID begins the next one."""
    lines: list[Line] = []
    for number, line in filled_lines(path):
        field = _FIELD.match(line)
        if field and field[1] == _FIRST and lines:
            yield lines
            lines = []
        lines.append((number, line))
    yield lines


def _article(lines: list[Line], path: Path) -> Document:
    fields: dict[str, list[str]] = {}
    tag = ""
    for number, line in lines:
        field = None if line[0].isspace() else _FIELD.match(line)
        if field is not None:
            tag = field[1]
            fields.setdefault(tag, []).append(field[2].strip())
        elif line[0].isspace() and tag:
            fields[tag][-1] = f"{fields[tag][-1]} {line.strip()}".strip()
        else:
            raise CorpusError("expected a field, such as 'TI  - The title'", path, number)
    identifier = _first(fields, _FIRST)
    if not identifier:
        raise CorpusError("article without a PMID", path, lines[0][0])
    parts = [("title", _first(fields, "TI") or _first(fields, "BTI")), ("abstract", _first(fields, "AB"))]
    metadata = {"journal": _first(fields, "TA"), "year": _first(fields, "DP")[:4]}
    known = {name: value for name, value in metadata.items() if value}
    return document_of_parts(identifier, parts, known).check(str(path))


def _first(fields: dict[str, list[str]], tag: str) -> str:
    return fields.get(tag, [""])[0]


_ARTICLES = ("PubmedArticle", "PubmedBookArticle")
_ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet", *_ARTICLES)


def read_pubmed_xml(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """Articles of a PubMed file, one at a time; memory does not grow with the file."""
    elements = stream_elements(path, _ARTICLES, root=_ROOTS)
    return without_broken(elements, lambda element: _pubmed_xml_article(element, path), on_error)


def _pubmed_xml_article(element: etree._Element, path: Path) -> Document:
    citation = element.find("MedlineCitation")
    if citation is None:
        citation = element.find("BookDocument")
    identifier = "" if citation is None else (citation.findtext("PMID") or "").strip()
    if citation is None or not identifier:
        raise CorpusError("article without a PMID", path, place_of(element))
    article = citation.find("Article")
    if article is None:
        article = citation
    parts = [("title", _text(article.find("ArticleTitle")))]
    for part in article.iterfind("Abstract/AbstractText"):
        label = (part.get("Label") or "").strip()
        parts.append((f"abstract:{label}" if label else "abstract", _text(part)))
    return document_of_parts(identifier, parts, _metadata(article)).check(str(path))


def _text(element: etree._Element | None) -> str:
    return "" if element is None else " ".join("".join(map(str, element.itertext())).split())


def _metadata(article: etree._Element) -> dict[str, str]:
    """Journal and year, where the article names them."""
    journal = article.findtext("Journal/ISOAbbreviation") or article.findtext("Journal/Title") or ""
    date = article.find("Journal/JournalIssue/PubDate")
    # years come as such or hidden in a phrase: <MedlineDate>1998 Dec-1999 Jan</MedlineDate>
    year = "" if date is None else date.findtext("Year") or (date.findtext("MedlineDate") or "")[:4]
    found = {"journal": journal.strip(), "year": year.strip()}
    return {key: value for key, value in found.items() if value}
