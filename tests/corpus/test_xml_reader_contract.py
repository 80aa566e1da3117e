"""The promises of every reader, kept by those of XML and BioC."""

from __future__ import annotations

import json
from typing import ClassVar

from relhash.corpus.document import Document, Mention, Passage
from tests.corpus.reader_contract import ReaderContract

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class TestUnifiedXml(ReaderContract):
    format = "unified-xml"
    filename = "corpus.xml"
    sample = (
        _HEAD
        + """<corpus>
  <document id="d0">
    <sentence id="d0.s0" text="é binds p53.">
      <entity id="e0" charOffset="0-0" text="é" type="protein"/>
      <entity id="e1" charOffset="8-10" text="p53" type="protein"/>
      <pair id="p0" e1="e0" e2="e1" interaction="True"/>
      <analyses><tokenization tokenizer="t"><token id="t0" charOffset="0-0" text="é" POS="NN"/></tokenization>
        <parse parser="p" tokenizer="t"/></analyses>
    </sentence>
  </document>
</corpus>
"""
    )
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {
        "offset": (sample.replace("8-10", "8-99"), "e1"),
        "pair": (sample.replace('e2="e1"', 'e2="e7"'), "p0"),
        "line": (sample.replace("</sentence>", "</sentences>"), 10),
    }
    one_of_two_is_broken = sample.replace(
        "</corpus>",
        '<document id="d1"><sentence id="s" text="a"><entity id="e" charOffset="x"/></sentence></document></corpus>',
    )


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


_DOCUMENT = {
    "id": "7",
    "infons": {},
    "passages": [
        {
            "offset": 0,
            "infons": {"type": "title"},
            "text": "é binds p53.",
            "annotations": [
                {"id": "T1", "infons": {"type": "Gene"}, "text": "p53", "locations": [{"offset": 8, "length": 3}]},
            ],
        }
    ],
}
_BROKEN = json.loads(json.dumps(_DOCUMENT).replace('"offset": 8', '"offset": 80'))


class TestBioCJson(ReaderContract):
    format = "bioc-json"
    filename = "collection.json"
    sample = json.dumps({"source": "", "documents": [_DOCUMENT]}, ensure_ascii=False, indent=1)
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {
        "offset": (json.dumps({"documents": [_BROKEN]}), "7, T1"),
        "line": ('{"documents":\n[}', 2),
    }
    one_of_two_is_broken = json.dumps({"documents": [_BROKEN, _DOCUMENT]})

    def test_sample_is_read(self, expected: tuple[Document, ...]) -> None:
        mention = Mention("T1", "Gene", ((8, 11),), "p53")
        assert expected == (Document("7", "é binds p53.", mentions=(mention,), passages=(Passage("title", 0, 12),)),)


class TestBioCXml(ReaderContract):
    format = "bioc-xml"
    filename = "collection.xml"
    sample = (
        _HEAD
        + """<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source/><date/><key/>
<document><id>7</id><passage><infon key="type">title</infon><offset>0</offset><text>é binds p53.</text>
<annotation id="T1"><infon key="type">Gene</infon><location offset="8" length="3"/><text>p53</text></annotation>
</passage></document>
</collection>
"""
    )
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {
        "offset": (sample.replace('offset="8"', 'offset="80"'), "7, T1"),
        "length": (sample.replace('length="3"', ""), "7"),
        "line": (sample.replace("</passage>", ""), 6),
    }
    one_of_two_is_broken = sample.replace("</collection>", "<document><id>8</id><passage/></document></collection>")
