"""BioC, XML and JSON: both ways, and what it says about broken files."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from bioc import biocjson, biocxml

from relhash.corpus.bioc import read_bioc_json, read_bioc_xml
from relhash.corpus.document import (
    Document,
    Mention,
    Passage,
)
from relhash.errors import CorpusError
from tests.corpus.bioc_samples import DOCUMENT, XML, as_json, write
from tests.corpus.reader_contract import ReaderContract


def test_xml_and_json_give_the_same_document(tmp_path: Path) -> None:
    assert list(read_bioc_xml(write(tmp_path, XML))) == [DOCUMENT]
    assert list(read_bioc_json(write(tmp_path, as_json(), "a.json"))) == [DOCUMENT]


def test_shapes_of_json_in_circulation(tmp_path: Path) -> None:
    collection = as_json()
    (document,) = collection["documents"]
    bare = copy.deepcopy(document)
    del bare["annotations"]
    for passage in bare["passages"]:
        if not passage["sentences"]:
            del passage["sentences"]
        del passage["relations"]
    for content in (collection, [collection], document, {"PubTator3": [document]}, {"documents": [bare]}):
        assert list(read_bioc_json(write(tmp_path, content, "a.json"))) == [DOCUMENT]


BROKEN = {
    "no document id": ("<id>10072428</id>", "", r"\[document 1\]: document without an id"),
    "offset that is no number": (
        "<offset>18</offset><text>",
        "<offset>x</offset><text>",
        r"\[10072428\]: not of the form .*'x'",
    ),
    "no offset": ("<offset>0</offset>", "", r"\[10072428\]: not of the form that BioC prescribes"),
    "passages that overlap": ("<offset>18</offset>\n", "<offset>3</offset>\n", r"\[10072428\]: a passage begins at 3, but"),
    "sentences that overlap": ("<offset>43</offset>", "<offset>20</offset>", r"\[10072428\]: a sentence begins at 20, but"),
    "a gap of a gigabyte": (
        "<offset>43</offset>",
        "<offset>1000000000</offset>",
        r"\[10072428\]: a sentence begins at 1000000000",
    ),
    "location beyond the text": (
        'offset="43" length="3"/><text>p53',
        'offset="49" length="9"/><text>o.',
        r"\[10072428, 2\]: offsets 49-58 lie outside .*--lenient",
    ),
    "other text at the location": (
        "<text>p53</text>",
        "<text>p21</text>",
        r"\[10072428, 2\]: .*'p21' but its offsets give 'p53'.*--lenient",
    ),
    "no location": ('<location offset="43" length="3"/>', "", r"\[10072428\]: the annotation '2' has no location"),
    "no length": ('offset="43" length="3"', 'offset="43"', r"\[10072428\]: BioC prescribes 'length', which is missing"),
    "negative length": ('length="3"/><text>p53</text>', 'length="-3"/>', r"\[10072428, 2\]: offsets 43-40 lie outside"),
    "no annotation id": ('<annotation id="2">', "<annotation>", r"\[10072428\]: BioC prescribes 'id', which is missing"),
    "id used twice": ('<annotation id="2">', '<annotation id="1">', r"\[1\]: the mention id '1' is used twice"),
    "dangling node": ('refid="1"', 'refid="7"', r"\[R0\]: argument target refers to '7', which does not exist"),
    "node without role": (' role="agent"', "", r"\[10072428\]: BioC prescribes 'role', which is missing"),
    "infon without key": ('<infon key="journal">', "<infon>", r"\[10072428\]: BioC prescribes 'key', which is missing"),
    "cut off": ("  </document>\n</collection>\n", "", r"a\.xml:20: the XML ends too early"),
    "another root": ("collection", "corpus", r"a\.xml:3: the outermost element is <corpus>, expected <collection>"),
}


@pytest.mark.parametrize(("old", "new", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_xml_names_file_document_and_cause(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in XML
    path = write(tmp_path, XML.replace(old, new))
    with pytest.raises(CorpusError, match=message) as caught:
        list(read_bioc_xml(path))
    assert str(caught.value).startswith(str(path))


BROKEN_JSON: dict[str, tuple[str, str]] = {
    "empty": ("", r"a\.json: the file is empty"),
    "no JSON": ("TNF", r"a\.json:1: not JSON"),
    "cut off": ('{"documents": [\n{"id": "1",', r"a\.json:2: not JSON: .*is the file cut off"),
    "nested too deeply": ("[" * 100_000, r"a\.json: JSON nested too deeply"),
    "another kind of JSON": ('{"a": 1}', r"a\.json: JSON, but no BioC collection"),
    "nested lists": ("[" * 400 + "]" * 400, r"a\.json: JSON, but no BioC collection"),
    "a list of numbers": ("[1, 2]", r"a\.json: JSON, but no BioC collection"),
    "document that is no object": ('{"documents": [3]}', r"\[document 1\]: not of the form that BioC prescribes"),
    "no passages": ('{"documents": [{"id": "x"}]}', r"\[x\]: BioC prescribes 'passages', which is missing"),
    "offset that is text": (
        '{"documents": [{"id": "x", "passages": [{"offset": "0", "text": "a"}]}]}',
        r"\[x\]: .*offset or length '0'",
    ),
    "lone surrogate": (
        '{"documents": [{"id": "x", "passages": [{"offset": 0, "text": "\\ud800"}]}]}',
        r"\[x\]: half of a surrogate",
    ),
    "passages that are text": (
        '{"documents": [{"id": "x", "passages": "abc"}]}',
        r"\[x\]: not of the form that BioC prescribes",
    ),
    "infons that are a list": ('{"documents": [{"id": "x", "infons": [], "passages": []}]}', r"\[x\]: not of the form"),
    "bad candidates": ('{"id": "x", "infons": {"relhash:candidates": "[[1]]"}, "passages": []}', r"\[x\]: not of the form"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN_JSON.values(), ids=BROKEN_JSON.keys())
def test_broken_json_names_file_document_and_cause(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        list(read_bioc_json(write(tmp_path, content, "a.json")))


@pytest.mark.parametrize("read", [read_bioc_xml, read_bioc_json])
def test_lenient_reading_skips_the_broken_document(tmp_path: Path, read: Callable[..., Any]) -> None:
    good = XML[XML.index("  <document>") : XML.index("</collection>")]
    bad = good.replace('length="3"', 'length="99"').replace("10072428", "broken")
    content = XML.replace(good, good + bad + good.replace("10072428", "third"))
    if read is read_bioc_json:
        content = biocjson.dumps(biocxml.loads(content))
    errors: list[CorpusError] = []
    assert [document.id for document in read(write(tmp_path, content), on_error=errors.append)] == ["10072428", "third"]
    assert len(errors) == 1
    assert "offsets 43-142 lie outside the text" in str(errors[0])


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


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
