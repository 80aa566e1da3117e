"""Unified XML: its dialects, its round trip, and what it says about broken files."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.corpus.document import (
    Argument,
    CandidatePair,
    Dependency,
    Mention,
    Relation,
    Token,
)
from relhash.corpus.unified_xml import read_unified_xml
from relhash.errors import CorpusError
from tests.corpus.reader_contract import ReaderContract
from tests.corpus.unified_samples import PAIRS, read_one, write

TEXT = "TNF binds p53.\nA and B, C."


def test_pair_dialect_gives_document_offsets_and_keeps_the_list_of_candidates(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, PAIRS))
    assert document.id == "d0"
    assert document.text == TEXT
    assert document.metadata == {"origId": "123"}
    assert [(s.id, s.start, s.end, s.parser) for s in document.sentences] == [
        ("d0.s0", 0, 14, "file:split_parse"),
        ("d0.s1", 15, 26, ""),
    ]
    assert document.sentences[0].tokens[1] == Token(4, 9, "binds", "VBZ")
    assert document.sentences[0].dependencies == (Dependency(1, 0, "nsubj"), Dependency(1, 2, "dobj"))
    assert document.mentions == (
        Mention("e0", "protein", ((0, 3),), "TNF"),
        Mention("e1", "protein", ((10, 13),), "p53"),
        Mention("e2", "chemical", ((15, 16), (21, 22)), "A B"),
        Mention("e3", "protein", ((24, 25),), "C", ("pm0113245", "pm0120764")),
    )
    assert document.candidates == (
        CandidatePair("p0", "e0", "e1"),
        CandidatePair("p1", "e2", "e3"),
        CandidatePair("p2", "e3", "e3"),
    )
    assert document.relations == (Relation("p0", "interaction", (Argument("e1", "e0"), Argument("e2", "e1"))),)


def test_interaction_dialect_with_exclusive_ends_is_recognised_by_its_texts(tmp_path: Path) -> None:
    content = """<corpus><document id="d0"><sentence id="s0" text="TNF binds p53 and p21." charOffset="0-22">
      <entity charOffset="0-3" id="e0" text="TNF" type="Protein" given="True"/>
      <entity charOffset="4-9" id="e1" text="binds" type="Binding" event="True"/>
      <entity charOffset="10-13" id="e2" text="p53" type="Protein"/>
      <interaction id="i0" e1="e1" e2="e2" type="Theme" directed="True"/>
      <interaction id="i1" e1="e0" e2="e2" directed="False"/>
      <analyses><tokenization tokenizer="T"><token id="t0" charOffset="0-3" text="TNF" POS="NN"/></tokenization>
      <parse parser="P" tokenizer="T"/></analyses>
    </sentence></document></corpus>"""
    document = read_one(write(tmp_path, content))
    assert [mention.spans for mention in document.mentions] == [((0, 3),), ((4, 9),), ((10, 13),)]
    assert [mention.is_trigger for mention in document.mentions] == [False, True, False]
    assert document.candidates is None
    assert [(r.type, r.roles) for r in document.relations] == [
        ("Theme", {"Arg1": "e1", "Arg2": "e2"}),
        ("interaction", {"e1": "e0", "e2": "e2"}),
    ]
    assert document.sentences[0].tokens == (Token(0, 3, "TNF", "NN"),)
    assert document.sentences[0].is_parsed


def test_tokens_tell_the_dialect_when_there_are_no_entities(tmp_path: Path) -> None:
    content = """<corpus><document id="d0"><sentence id="s0" text="p53 ."><analyses><tokenization>
      <token id="t0" charOffset="0-3" text="p53"/><token id="t1" charOffset="4-5" text="."/></tokenization></analyses>
    </sentence></document></corpus>"""
    assert read_one(write(tmp_path, content)).sentences[0].tokens == (Token(0, 3, "p53"), Token(4, 5, "."))


def test_a_wrong_entity_does_not_change_the_dialect_of_the_file(tmp_path: Path) -> None:
    # in the first document the exclusive reading fits by accident ("aa" for "aaa" at 0-2)
    entity = '<entity id="x.e" charOffset="0-2" text="aa" type="t"/>'
    broken = f'<document id="x"><sentence id="x.s" text="aaa">{entity}</sentence></document>'
    errors: list[CorpusError] = []
    path = write(tmp_path, PAIRS.replace('<corpus source="test">', f"<corpus>{broken}"))
    assert [document.id for document in read_unified_xml(path, on_error=errors.append)] == ["d0"]
    assert "'aa' but its offsets give 'aaa'" in str(errors[0])


def test_ddi_dialect_keeps_types_and_semicolon_offsets(tmp_path: Path) -> None:
    content = """<corpus><document id="DDI-DrugBank.d1"><sentence id="s0" text="Aspirin and warfarin or X tablets.">
      <entity id="e0" charOffset="0-6" type="drug" text="Aspirin"/>
      <entity id="e1" charOffset="12-19" type="drug" text="warfarin"/>
      <entity id="e2" charOffset="0-6;26-32" type="drug" text="Aspirin tablets"/>
      <pair id="p0" e1="e0" e2="e1" ddi="true" type="effect"/><pair id="p1" e1="e0" e2="e2" ddi="false"/>
    </sentence></document></corpus>"""
    document = read_one(write(tmp_path, content))
    assert [(relation.id, relation.type) for relation in document.relations] == [("p0", "effect")]
    assert len(document.candidates or ()) == 2
    assert document.mentions[2].spans == ((0, 7), (26, 33))


def test_a_file_may_be_one_document_as_in_the_ddi_corpus(tmp_path: Path) -> None:
    alone = PAIRS[PAIRS.index("  <document") : PAIRS.index("</corpus>")]
    assert read_one(write(tmp_path, alone.lstrip())) == read_one(write(tmp_path, PAIRS, "corpus_of_one.xml"))


def test_documents_without_pairs_in_a_file_that_lists_pairs_have_an_empty_list(tmp_path: Path) -> None:
    entity = '<entity id="{}.e" charOffset="0-0" text="A" type="t"/>'
    bare = f'<document id="{{}}"><sentence id="{{}}.s" text="A B">{entity}</sentence></document>'
    content = PAIRS.replace('<corpus source="test">', "<corpus>" + bare.replace("{}", "a")).replace(
        "</corpus>", bare.replace("{}", "b") + "</corpus>"
    )
    assert [d.candidates == () for d in read_unified_xml(write(tmp_path, content))] == [True, False, True]


def test_text_of_the_document_and_places_of_sentences_are_respected(tmp_path: Path) -> None:
    sentences = '<sentence id="s0" text="A b."{} /><sentence id="s1" text="C."{} />'
    with_text = f'<corpus><document id="d" text="  A b.  C. ">{sentences.format("", "")}</document></corpus>'
    document = read_one(write(tmp_path, with_text))
    assert (document.text, [(s.start, s.end) for s in document.sentences]) == ("  A b.  C. ", [(2, 6), (8, 10)])
    places = sentences.format(' charOffset="2-5"', ' charOffset="8-9"')
    document = read_one(write(tmp_path, f'<corpus><document id="d">{places}</document></corpus>'))
    assert (document.text, [(s.start, s.end) for s in document.sentences]) == ("  A b.  C.", [(2, 6), (8, 10)])


@pytest.mark.parametrize(
    "transform", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data.replace(b"\n", b"\r\n"), gzip.compress]
)
def test_byte_order_mark_line_ends_and_gzip_make_no_difference(tmp_path: Path, transform: Callable[[bytes], bytes]) -> None:
    assert read_one(write(tmp_path, transform(PAIRS.encode()))) == read_one(write(tmp_path, PAIRS, "plain.xml"))


BROKEN = {
    "entity beyond the sentence": (
        'charOffset="10-12" id="e1"',
        'charOffset="70-99" id="e1"',
        r"\[e1\]: offsets 70-100 lie outside the text of 14 .*70-99.*--lenient",
    ),
    "offset without an end": (
        'charOffset="10-12" id="e1"',
        'charOffset="10" id="e1"',
        r"\[e1\]: charOffset='10' of <entity> is not of the form",
    ),
    "no offset": (
        'charOffset="10-12" id="e1"',
        'id="e1"',
        r"\[e1\]: charOffset=None of <entity>",
    ),
    "backward offset": (
        'charOffset="0-2" id="e0" text="TNF"',
        'charOffset="3-1" id="e0"',
        r"\[e0\]: offsets 3-2 lie outside",
    ),
    "other text at the offsets": (
        'text="TNF" type',
        'text="IL2" type',
        r"\[e0\]: the mention should be 'IL2' but its offsets give 'TNF'",
    ),
    "overlapping parts": (
        '"0-0,6-6" id="e2" text="A B"',
        '"0-3,2-6" id="e2"',
        r"\[e2\]: spans of a mention must be in order",
    ),
    "dangling pair": (
        'e1="e0" e2="e1" id="p0"',
        'e1="e0" e2="e9" id="p0"',
        r"\[p0\]: .* 'e9', which does not exist",
    ),
    "half a pair": (
        'e1="e0" e2="e1" id="p0"',
        'e1="e0" id="p0"',
        r"\[p0\]: <pair> without e1 and e2",
    ),
    "undecided pair": (
        'id="p0" interaction="True"',
        'id="p0" interaction="perhaps"',
        r"\[p0\]: the pair says neither true nor false .*'perhaps'",
    ),
    "id used twice": (
        'id="e1" text',
        'id="e0" text',
        r"\[e0\]: the mention id 'e0' is used twice",
    ),
    "entity without id": (
        'id="e1" text="p53"',
        'text="p53"',
        r"corpus\.xml:5: entity without an id",
    ),
    "sentence without id": (
        '<sentence id="d0.s1"',
        "<sentence",
        r"corpus\.xml:26: sentence without an id",
    ),
    "sentence without text": (
        'id="d0.s1" text="A and B, C."',
        'id="d0.s1"',
        r"\[d0\.s1\]: sentence without a text",
    ),
    "document without id": (
        '<document id="d0"',
        "<document",
        r"corpus\.xml:2: document without an id",
    ),
    "dangling dependency": (
        't1="t2" t2="t3"',
        't1="t2" t2="t9"',
        r"\[d0\.s0\]: the dependency 'dobj' refers to the token 't9'",
    ),
    "token without offset": (
        'charOffset="4-8" id="t2"',
        'id="t2"',
        r"\[t2\]: charOffset=None of a token",
    ),
    "token beyond the sentence": (
        'charOffset="4-8" id="t2"',
        'charOffset="4-80" id="t2"',
        r"\[d0\.s0\]: token 'binds' lies outside its sentence",
    ),
    "tokenization missing": (
        '<parse parser="split_parse" tokenizer="split">',
        '<parse parser="split_parse" tokenizer="other">',
        r"\[d0\.s0\]: the parse 'split_parse' needs the tokenization 'other'",
    ),
    "entity outside of a sentence": (
        "  </document>",
        '<entity id="e9" charOffset="0-1"/></document>',
        r"\[e9\]: <entity> outside of a sentence; move it",
    ),
    "sentences that overlap": (
        'id="d0.s1"',
        'charOffset="3-9" id="d0.s1"',
        None,
    ),
    "cut off": (
        "  </document>\n</corpus>\n",
        "",
        r"corpus\.xml:32: the XML ends too early",
    ),
    "another root": (
        "corpus",
        "collection",
        r"corpus\.xml:1: the outermost element is <collection>, expected <corpus> or <document>",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_files_name_the_file_the_place_and_the_cause(tmp_path: Path, old: str, new: str, message: str | None) -> None:
    assert old in PAIRS
    path = write(tmp_path, PAIRS.replace(old, new))
    if message is None:  # only one of two sentences has a place: then none is used
        assert read_one(path).text == TEXT
        return
    with pytest.raises(CorpusError, match=message) as caught:
        list(read_unified_xml(path))
    assert str(caught.value).startswith(str(path))


def test_places_of_sentences_that_cannot_be_are_refused(tmp_path: Path) -> None:
    for places in (("5-8", "0-3"), ("0-3", "99999999999-99999999999")):
        content = "".join(f'<sentence id="s{i}" text="abcd" charOffset="{place}"/>' for i, place in enumerate(places))
        with pytest.raises(CorpusError, match=r"\[s1\]: the sentence begins at \d+, but the one before it ends at \d"):
            list(read_unified_xml(write(tmp_path, f'<corpus><document id="d">{content}</document></corpus>')))
    content = '<corpus><document id="d" text="abc"><sentence id="s0" text="x"/></document></corpus>'
    with pytest.raises(CorpusError, match=r"\[s0\]: the sentence is not at this place"):
        list(read_unified_xml(write(tmp_path, content)))


def test_lenient_reading_skips_the_broken_document_and_the_end_of_a_cut_off_file(tmp_path: Path) -> None:
    good = PAIRS.split("\n", 1)[1].rsplit("</corpus>", 1)[0]
    bad = good.replace('charOffset="10-12" id="e1"', 'charOffset="70-99" id="e1"')
    content = (
        "<corpus>"
        + good.replace('"d0"', '"a"')
        + bad.replace('"d0"', '"b"')
        + good.replace('"d0"', '"c"')
        + "<document id='d'><sent"
    )
    errors: list[CorpusError] = []
    assert [d.id for d in read_unified_xml(write(tmp_path, content), on_error=errors.append)] == ["a", "c"]
    assert [error.where for error in errors] == ["e1", content.count("\n") + 1]


@given(whole=st.integers(0, len(PAIRS)), garbage=st.binary(max_size=4))
@settings(deadline=None, max_examples=200)
def test_damage_anywhere_is_a_corpus_error_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, whole: int, garbage: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.xml"
    path.write_bytes(PAIRS.encode()[:whole] + garbage + PAIRS.encode()[whole + 1 :])
    try:
        documents = list(read_unified_xml(path))
    except CorpusError as error:
        assert str(path) in str(error)  # noqa: PT017
    else:
        assert len(documents) <= 1


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
        "offset": (sample.replace("8-10", "8-99").replace('text="p53" ', 'text="IL2" '), "e1"),
        "pair": (sample.replace('e2="e1"', 'e2="e7"'), "p0"),
        "line": (sample.replace("</sentence>", "</sentences>"), 10),
    }
    one_of_two_is_broken = sample.replace(
        "</corpus>",
        '<document id="d1"><sentence id="s" text="a"><entity id="e" charOffset="x"/></sentence></document></corpus>',
    )
