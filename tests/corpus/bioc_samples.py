"""A small BioC collection, as XML, and the document that it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bioc import biocjson, biocxml

from relhash.corpus.document import Argument, Document, Mention, Passage, Relation, Sentence

XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>PubTator</source><date/><key>BioC.key</key>
  <document><id>10072428</id><infon key="journal">J Test</infon>
    <passage><infon key="type">title</infon><offset>0</offset><text>TNF-α binds p53.</text>
      <annotation id="0"><infon key="type">Gene</infon><infon key="identifier">7124</infon>
        <location offset="0" length="5"/><text>TNF-α</text></annotation>
    </passage>
    <passage><infon key="type">abstract</infon><offset>18</offset>
      <sentence><offset>18</offset><text>Alpha and beta catenin.</text>
        <annotation id="1"><infon key="type">Gene</infon><infon key="NCBI GENE">1495</infon>
          <location offset="18" length="5"/><location offset="33" length="7"/><text>Alpha catenin</text></annotation>
      </sentence>
      <sentence><offset>43</offset><text>p53 too.</text>
        <annotation id="2"><infon key="type">Gene</infon><location offset="43" length="3"/><text>p53</text></annotation>
      </sentence>
    </passage>
    <relation id="R0"><infon key="type">Bind</infon><node refid="0" role="agent"/><node refid="1" role="target"/></relation>
    <relation id="R1"><infon key="type">Bind</infon><infon key="entity1">7124</infon></relation>
  </document>
</collection>
"""


DOCUMENT = Document(
    "10072428",
    "TNF-α binds p53.\n Alpha and beta catenin.  p53 too.",
    (Sentence("10072428.s0", 18, 41), Sentence("10072428.s1", 43, 51)),
    (
        Mention("0", "Gene", ((0, 5),), "TNF-α", ("7124",)),
        Mention("1", "Gene", ((18, 23), (33, 40)), "Alpha catenin", ("NCBI GENE:1495",)),
        Mention("2", "Gene", ((43, 46),), "p53"),
    ),
    (Relation("R0", "Bind", (Argument("agent", "0"), Argument("target", "1"))),),
    passages=(Passage("title", 0, 16), Passage("abstract", 18, 51)),
    metadata={"journal": "J Test"},
)


def write(tmp_path: Path, content: str | Any, name: str = "a.xml") -> Path:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def as_json() -> dict[str, Any]:
    return json.loads(biocjson.dumps(biocxml.loads(XML)))
