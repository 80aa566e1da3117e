"""PubMed's files: what is taken from an article, and how much memory a large file takes."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from relhash.corpus.document import Passage
from relhash.corpus.pubmed import read_pubmed_xml
from relhash.errors import CorpusError
from tests.corpus.reader_contract import ReaderContract

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2024//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_240101.dtd">
<PubmedArticleSet>
"""
STRUCTURED = """<PubmedArticle>
  <MedlineCitation Status="MEDLINE" Owner="NLM">
    <PMID Version="1">11780382</PMID>
    <Article PubModel="Print">
      <Journal><JournalIssue CitedMedium="Print"><PubDate><Year>2001</Year></PubDate></JournalIssue>
        <Title>Journal of Tests</Title><ISOAbbreviation>J Test</ISOAbbreviation></Journal>
      <ArticleTitle>Binding of <i>TNF</i>-&#945; to
         p53<sup>+</sup>.</ArticleTitle>
      <Abstract>
        <AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">TNF &lt; 5 H<sub>2</sub>O.</AbstractText>
        <AbstractText Label="RESULTS">It <b>binds <i>p53</i></b> well.</AbstractText>
        <CopyrightInformation>Not this.</CopyrightInformation>
      </Abstract>
    </Article>
    <OtherAbstract Type="Publisher" Language="spa"><AbstractText>Tampoco esto.</AbstractText></OtherAbstract>
  </MedlineCitation>
  <PubmedData><ReferenceList><Reference><Citation>Nor this.</Citation>
    <ArticleIdList><ArticleId IdType="pubmed">1</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>
</PubmedArticle>
"""
PLAIN = """<PubmedArticle><MedlineCitation><PMID>2</PMID><Article>
  <Journal><JournalIssue><PubDate><MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate></JournalIssue></Journal>
  <ArticleTitle>[A title.]</ArticleTitle><Abstract><AbstractText>One part.</AbstractText></Abstract>
</Article></MedlineCitation></PubmedArticle>
"""
TITLE_ONLY = """<PubmedArticle><MedlineCitation><PMID>3</PMID><Article><ArticleTitle>T.</ArticleTitle></Article>
</MedlineCitation></PubmedArticle>"""
BOOK = """<PubmedBookArticle><BookDocument><PMID>4</PMID><ArticleTitle>A chapter.</ArticleTitle>
  <Abstract><AbstractText>Its abstract.</AbstractText></Abstract></BookDocument></PubmedBookArticle>"""
DELETED = "<DeleteCitation><PMID>5</PMID></DeleteCitation>"
NAMELESS = "<PubmedArticle><MedlineCitation><Article/></MedlineCitation></PubmedArticle>\n"
TAIL = "</PubmedArticleSet>\n"


def _write(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "pubmed24n0001.xml.gz"
    path.write_bytes(gzip.compress(content.encode()))
    return path


def test_title_and_abstract_become_passages_without_markup(tmp_path: Path) -> None:
    (document,) = read_pubmed_xml(_write(tmp_path, HEAD + STRUCTURED + TAIL))
    assert document.id == "11780382"
    assert document.text == "Binding of TNF-α to p53+.\nTNF < 5 H2O.\nIt binds p53 well."
    assert document.passages == (
        Passage("title", 0, 25),
        Passage("abstract:BACKGROUND", 26, 38),
        Passage("abstract:RESULTS", 39, 57),
    )
    assert document.metadata == {"journal": "J Test", "year": "2001"}


def test_kinds_of_articles(tmp_path: Path) -> None:
    documents = list(read_pubmed_xml(_write(tmp_path, HEAD + PLAIN + TITLE_ONLY + BOOK + DELETED + TAIL)))
    assert [(d.id, d.text, [p.type for p in d.passages], dict(d.metadata)) for d in documents] == [
        ("2", "[A title.]\nOne part.", ["title", "abstract"], {"year": "1998"}),
        ("3", "T.", ["title"], {}),
        ("4", "A chapter.\nIts abstract.", ["title", "abstract"], {}),
    ]


def test_article_without_id_is_named_by_its_line_and_skipped_when_lenient(tmp_path: Path) -> None:
    path = _write(tmp_path, HEAD + NAMELESS + PLAIN + TAIL)
    with pytest.raises(CorpusError, match=r"pubmed24n0001\.xml\.gz:5: article without a PMID"):
        list(read_pubmed_xml(path))
    errors: list[CorpusError] = []
    assert [document.id for document in read_pubmed_xml(path, on_error=errors.append)] == ["2"]
    assert len(errors) == 1


def test_cut_off_file_gives_what_is_whole_and_an_error(tmp_path: Path) -> None:
    path = _write(tmp_path, HEAD + PLAIN + STRUCTURED[:300])
    with pytest.raises(CorpusError, match=r"the XML ends too early"):
        list(read_pubmed_xml(path))
    errors: list[CorpusError] = []
    assert [document.id for document in read_pubmed_xml(path, on_error=errors.append)] == ["2"]
    assert "ends too early" in str(errors[0])


def test_another_kind_of_xml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"the outermost element is <corpus>, expected <PubmedArticleSet> or <Pubmed"):
        list(read_pubmed_xml(_write(tmp_path, "<corpus/>")))


MEASURE = """
import sys
from pathlib import Path
from relhash.corpus.pubmed import read_pubmed_xml

def peak():  # not ru_maxrss, which a child has from the process that started it
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])

count = 0
for document in read_pubmed_xml(Path(sys.argv[1])):
    count += 1
    if count == 100:
        early = peak()
print(count, peak() - early)
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    article = PLAIN.replace("One part.", "TNF binds p53 in all cells. " * 100)  # about 3 kB
    path = tmp_path / "large.xml.gz"
    with gzip.open(path, "wt", compresslevel=1) as handle:
        handle.write(HEAD)
        for _ in range(10_000):
            handle.write(article)
        handle.write(TAIL)
    finished = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    count, growth = map(int, finished.stdout.split())
    assert count == 10_000
    assert growth < 8_000  # kB, of a file of 30 MB


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class TestPubMedXml(ReaderContract):
    format = "pubmed-xml"
    filename = "pubmed24n0001.xml"
    sample = (
        _HEAD
        + """<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/pubmed.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation><PMID Version="1">7</PMID><Article><ArticleTitle>é binds <i>p53</i>.</ArticleTitle>
<Abstract><AbstractText Label="AIM">None.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>
"""
    )
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {
        "id": (sample.replace(">7<", "><"), 4),
        "line": (sample.replace("</i>", ""), 4),
    }
    one_of_two_is_broken = sample.replace("</PubmedArticleSet>", "<PubmedArticle/></PubmedArticleSet>")
