"""BioC, XML and JSON: both ways, and what it says about broken files."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from bioc import biocjson, biocxml
from hypothesis import given, settings

import relhash
from relhash.corpus.bioc import read_bioc_json, read_bioc_xml, write_bioc_json, write_bioc_xml
from relhash.corpus.document import (
    Attribute,
    Document,
    Mention,
    Passage,
    Relation,
    Sentence,
    Token,
)
from relhash.errors import CorpusError, RelHashWarning
from tests.corpus.bioc_samples import DOCUMENT, XML, as_json, write
from tests.corpus.corpora_strategies import corpora
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
        'offset="49" length="9"/><text>xyz',
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
    "dangling node": ('refid="1"', 'refid="7"', r"\[10072428, R0\]: argument target refers to '7', which does not exist"),
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
    bad = good.replace('length="3"/><text>p53', 'length="99"/><text>p21').replace("10072428", "broken")
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


def _passages(*passages: tuple[object, str]) -> dict[str, Any]:
    return {"id": "d", "infons": {}, "passages": [{"offset": offset, "text": text} for offset, text in passages]}


def test_gaps_between_passages_keep_the_offsets_right(tmp_path: Path) -> None:
    (made,) = read_bioc_json(write(tmp_path, _passages((0, "Title."), (9, "Ras.")), "a.json"))
    assert made.text == "Title.\n  Ras."
    assert made.text[9:13] == "Ras."


@pytest.mark.parametrize("offset", [3, 10_000_000, "7"])
def test_offsets_that_cannot_be_are_refused(tmp_path: Path, offset: object) -> None:
    with pytest.raises((CorpusError, ValueError), match=r"begins at|not a whole number"):
        list(read_bioc_json(write(tmp_path, _passages((0, "Title."), (offset, "Ras.")), "a.json")))


HELD = {"tokens": False, "parses": False, "concept_relations": True}


FORMATS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "xml": (write_bioc_xml, read_bioc_xml),
    "json": (write_bioc_json, read_bioc_json),
}


def _content(document: Document) -> Document:
    """The same document with what has no order in a canonical one."""

    def by_id(records: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(records, key=lambda record: record.id))

    return dataclasses.replace(
        document,
        mentions=by_id(document.mentions),
        attributes=by_id(document.attributes),
        metadata=dict(document.metadata),
    )


@pytest.mark.parametrize("encoding", FORMATS)
@settings(deadline=None, max_examples=60)
@given(documents=corpora(**HELD))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, encoding: str, documents: list[Document]
) -> None:
    write, read = FORMATS[encoding]
    path = tmp_path_factory.getbasetemp() / f"round_trip.{encoding}"
    write(documents, path)
    first = list(read(path))
    assert [_content(document) for document in first] == [_content(document) for document in documents]
    write(first, path)
    assert list(read(path)) == first


@pytest.mark.parametrize("encoding", FORMATS)
def test_white_space_of_every_kind_survives(tmp_path: Path, encoding: str) -> None:
    text = " a\tb\r\nc\n\u00a0\u2028 d \r\n"
    document = Document("d", text, (Sentence("s", 1, 6),), (Mention("T", "t", ((1, 6),), "a\tb\r\n"),))
    write, read = FORMATS[encoding]
    write([document], tmp_path / "out")
    assert list(read(tmp_path / "out")) == [document]


def test_written_files_are_what_the_library_reads(tmp_path: Path) -> None:
    write_bioc_json([DOCUMENT], tmp_path / "a.json")
    write_bioc_xml([DOCUMENT], tmp_path / "a.xml")
    with open(tmp_path / "a.json") as handle:
        from_json = biocjson.load(handle)
    with open(tmp_path / "a.xml", "rb") as handle:
        from_xml = biocxml.load(handle)
    for collection in (from_json, from_xml):
        (document,) = collection.documents
        assert [passage.infons for passage in document.passages if passage.infons] == [{"type": "title"}, {"type": "abstract"}]
        assert [annotation.id for passage in document.passages for annotation in passage.annotations] == ["0", "1", "2"]


def test_tokens_and_parses_are_left_out(tmp_path: Path) -> None:
    sentences = (
        dataclasses.replace(DOCUMENT.sentences[0], tokens=(Token(18, 23, "Alpha"),), parser="p"),
        DOCUMENT.sentences[1],
    )
    write_bioc_json([dataclasses.replace(DOCUMENT, sentences=sentences)], tmp_path / "a.json")
    (document,) = read_bioc_json(tmp_path / "a.json")
    assert document.sentences == DOCUMENT.sentences


REFUSED = {
    "control character": ({"text": "a\x00b"}, write_bioc_xml, r"\[d\]: a text that XML cannot hold"),
    "passages that overlap": (
        {"passages": (Passage("a", 0, 2), Passage("b", 1, 3))},
        write_bioc_json,
        r"\[d\]: BioC has no place for passages that overlap",
    ),
    "sentence across passages": (
        {"passages": (Passage("a", 0, 1), Passage("b", 1, 3))},
        write_bioc_json,
        r"\[s\]: BioC has no place for a sentence",
    ),
    "relation without participants": ({"relations": (Relation("R", "x", ()),)}, write_bioc_json, r"\[R\]: BioC has no place"),
    "attribute type": ({"attributes": (Attribute("A", "x=y", "T"),)}, write_bioc_json, r"\[A\]: BioC has no place"),
}


@pytest.mark.parametrize(("changes", "write", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_bioc_cannot_hold_is_refused_with_a_remedy(
    tmp_path: Path, changes: dict[str, Any], write: Callable[..., Any], message: str
) -> None:
    document = dataclasses.replace(
        Document("d", "abc", (Sentence("s", 0, 3),), (Mention("T", "t", ((0, 1),), "a"),)), **changes
    )
    with pytest.raises(CorpusError, match=message) as caught:
        write([document], tmp_path / "out")
    assert "write jsonl" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


RELATED = {
    "BioRED": {"type": "Association", "novel": "Novel", "entity1": "7124", "entity2": "NCBI GENE:1495"},
    "BC5CDR": {"relation": "CID", "Chemical": "7124", "Disease": "1495"},
    "PubTator 3": {"type": "binds", "role1": {"identifier": "7124"}, "role2": {"identifier": "1495"}, "score": "0.9"},
}


@pytest.mark.parametrize("kind", RELATED)
def test_relations_between_ids_join_the_mentions_of_a_sentence(tmp_path: Path, kind: str) -> None:
    content = as_json()
    (document,) = content["documents"]
    document["passages"][0]["annotations"].append(
        {"id": "9", "infons": {"type": "Gene", "NCBI GENE": "1495"}, "text": "p53", "locations": [{"offset": 12, "length": 3}]}
    )
    document["relations"] = [{"id": "R7", "infons": RELATED[kind]}]  # no nodes, as BioRED's JSON
    (read,) = corpus = relhash.read(write(tmp_path, content, "a.json"))
    assert [relation.targets for relation in read.relations] == [("0", "9")]  # "Alpha catenin" stands in another sentence
    (stated,) = read.concept_relations
    assert [identifier.rpartition(":")[2] for identifier in stated.targets] == ["7124", "1495"]
    for name in ("b.json", "b.bioc.xml"):
        relhash.write(corpus, tmp_path / name)
        assert [_content(document) for document in relhash.read(tmp_path / name)] == [_content(read)]
    relhash.write(corpus, tmp_path / "brat")  # a format that knows mentions only
    assert len(relhash.read(tmp_path / "brat").documents[0].relations) == 1


def test_a_relation_that_names_no_two_ids_is_counted(tmp_path: Path) -> None:
    with pytest.warns(RelHashWarning, match=r"relations without nodes that do not name two ids \(left out\): 1 .*R1"):
        assert relhash.read(write(tmp_path, XML)).documents == (DOCUMENT,)
