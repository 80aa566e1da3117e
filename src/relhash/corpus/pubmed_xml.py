"""PubMed's baseline and update files (``pubmed24n0001.xml.gz``): title and abstract of each article, read as a stream.

The document's id is the PMID. Its text is the title and the parts of the abstract, a line each; passages say which is which:
``title``, ``abstract``, and ``abstract:METHODS`` for the labelled parts of a structured abstract. Markup inside the text
(``<i>``, ``<sub>``, formulas) is dropped and its text kept; runs of white space become one blank. Articles that an update
deletes, abstracts in other languages and the reference lists are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from relhash.corpus.document import Document
from relhash.corpus.parts import document_of_parts
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.xml_safety import place_of, stream_elements
from relhash.errors import CorpusError

_ARTICLES = ("PubmedArticle", "PubmedBookArticle")
_ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet", *_ARTICLES)


def read_pubmed_xml(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """Articles of a PubMed file, one at a time; memory does not grow with the file.

    Parameters
    ----------
    path
        ``.xml`` or ``.xml.gz`` as PubMed distributes them, or as its E-utilities answer.
    on_error
        Given the error of each broken article, which is then skipped; otherwise the first error is raised.
    """
    elements = stream_elements(path, _ARTICLES, root=_ROOTS)
    return without_broken(elements, lambda element: _article(element, path), on_error)


def _article(element: etree._Element, path: Path) -> Document:
    citation = element.find("MedlineCitation")
    if citation is None:
        citation = element.find("BookDocument")
    identifier = "" if citation is None else (citation.findtext("PMID") or "").strip()
    if citation is None or not identifier:
        raise CorpusError("article without a PMID", path=path, where=place_of(element))
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
