"""Beginnings of files: each is proof of one format, or of none; what prose begins with is in test_detection.py."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.corpus.formats import is_bioc_json, is_conllu, is_jsonl, is_pubmed45, is_pubtator, xml_root

RECOGNISERS = {f.__name__: f for f in (is_bioc_json, is_conllu, is_jsonl, is_pubmed45, is_pubtator)}
HEADS = {
    '{"source": "x", "documents": []}': "is_bioc_json",
    '[\n  {"bioctype": "BioCCollection", "source"': "is_bioc_json",
    '{"PubTator3": [{"id"': "is_bioc_json",
    '{"id": "1", "infons": {}, "passages": [': "is_bioc_json",
    '[{"path": "a", "sentence": "b", "interaction_tuple": ["x"': "is_pubmed45",
    '{"schema":"relhash/1","id":"d","text":"x"}\n{"id":"e"': "is_jsonl",
    '{"text": "cut off in the mid': "is_jsonl",
    "1000|t|Aspirin and bleeding.": "is_pubtator",
    "1\tTNF\ttnf\tNOUN\tNN\t_\t0\troot\t_\t_": "is_conllu",
    "# newdoc id = 1\n1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n": "is_conllu",
    "": None,
    "[1, 2, 3]": None,
    '{"a": 1}': None,
    '{"id": 1, nonsense}\n{"text": 2}': None,
    "1\ta\tb\tc": None,
}


@pytest.mark.parametrize(("head", "expected"), HEADS.items(), ids=lambda value: str(value)[:30])
def test_a_beginning_is_proof_of_one_format_or_none(head: str, expected: str | None) -> None:
    assert [name for name, recognises in RECOGNISERS.items() if recognises(head)] == ([expected] if expected else [])


@given(data=st.data())
def test_a_file_may_be_cut_anywhere_once_its_shape_is_seen(data: st.DataObject) -> None:
    leaves = st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
    values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3), max_leaves=8)
    collection = {"source": "x", "documents": data.draw(values), "date": data.draw(values)}
    text = json.dumps(collection, ensure_ascii=data.draw(st.booleans()))
    shortest = text.index('"documents":') + len('"documents":')
    assert is_bioc_json(text[: data.draw(st.integers(shortest, len(text)))])


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<corpus/>", "corpus"),
        ("<?xml version='1.0'?>\n<!-- a\nremark --><!DOCTYPE collection SYSTEM 'BioC.dtd'><collection>", "collection"),
        ("<!DOCTYPE x [<!ELEMENT x ANY>]><collection>", "collection"),
        ("<document id='d' text=\"a > b\">\n  <sentence", "document"),
        ("<b>bold</b> prose", None),
        ("<corpus callosum> was seen", None),
        ("<corpus", None),
        ("prose", None),
    ],
)  # fmt: skip
def test_the_root_of_xml(head: str, expected: str | None) -> None:
    assert xml_root(head) == expected
