"""A small corpus in unified PPI XML."""

from __future__ import annotations

from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.unified_xml import read_unified_xml

PAIRS = """\
<corpus source="test">
  <document id="d0" origId="123">
    <sentence id="d0.s0" text="TNF binds p53.">
      <entity charOffset="0-2" id="e0" text="TNF" type="protein" />
      <entity charOffset="10-12" id="e1" text="p53" type="protein" />
      <pair e1="e0" e2="e1" id="p0" interaction="True" />
      <sentenceanalyses>
        <parses>
          <parse parser="Charniak-Lease" tokenizer="Charniak-Lease"><dependency t1="c1" t2="c1" type="dep" /></parse>
          <parse parser="split_parse" tokenizer="split">
            <dependency id="1" t1="t2" t2="t1" type="nsubj" />
            <dependency t1="t2" t2="t3" type="dobj" />
          </parse>
        </parses>
        <tokenizations>
          <tokenization tokenizer="Charniak-Lease"><token charOffset="0-13" id="c1" text="TNF binds p53." /></tokenization>
          <tokenization tokenizer="split">
            <token POS="NN" charOffset="0-2" id="t1" text="TNF" />
            <token POS="VBZ" charOffset="4-8" id="t2" text="binds" />
            <token POS="NN" charOffset="10-12" id="t3" text="p53" />
            <token POS="." charOffset="13-13" id="t4" text="." />
          </tokenization>
        </tokenizations>
      </sentenceanalyses>
    </sentence>
    <sentence id="d0.s1" text="A and B, C.">
      <entity charOffset="0-0,6-6" id="e2" text="A B" type="chemical" />
      <entity charOffset="9-9" id="e3" text="C" type="pm0113245||pm0120764" />
      <pair e1="e2" e2="e3" id="p1" interaction="False" />
      <pair e1="e3" e2="e3" id="p2" interaction="False" />
    </sentence>
  </document>
</corpus>
"""


def write(tmp_path: Path, content: str | bytes, name: str = "corpus.xml") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read_one(path: Path, **options: str) -> Document:
    (document,) = read_unified_xml(path, **options)
    return document
