"""RelHash as a component of spaCy: in one process and two, through bytes and DocBin, beside entities of others."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, Span

import relhash
from relhash.model import spacy_component  # an installed package registers it by its entry point

PIECES = (
    "RAF1",
    "MEK1",
    " binds ",
    " ",
    "\n",
    ". ",
    "(",
    ")",
    "-",
    "/",
    "\x00",
    "\u202e",
    "é",
    "\u0301",
    "\u200b",
    "\U0001f600",
    "\xa0",
    "1",
)
TEXT = "RAF1 binds to MEK1 in resting cells. The plates were washed."


@pytest.fixture(scope="module")
def nlp() -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("relhash", config={"model": "ppi"})
    return nlp


def _found(doc: Doc) -> list[tuple[str, str, str]]:
    return [(one.first.text, one.relation, one.second.text) for one in doc._.relations]


def test_relations_with_spans_and_ids(nlp: spacy.Language) -> None:
    (relation,) = (doc := nlp(TEXT))._.relations
    assert _found(doc) == [("RAF1", "interaction", "MEK1")]
    assert (relation.first.label_, relation.first.kb_id_) == ("protein", "HGNC:9829")
    assert relation.probability > 0.8
    assert repr(relation).startswith("<RAF1 – interaction – MEK1 (0.9")


def test_streams_and_processes_give_the_same(nlp: spacy.Language) -> None:
    texts = [TEXT, "", "TNF and p53 were measured.", "GRB2 binds SOS1."] * 3
    one = [_found(doc) for doc in nlp.pipe(texts)]
    assert [("GRB2", "interaction", "SOS1")] in one
    assert [_found(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=3)] == one


@settings(max_examples=40)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_is_read(nlp: spacy.Language, text: str) -> None:
    assert all(0 <= one.probability <= 1 and one.first.text in text for one in nlp(text)._.relations)


def test_through_bytes_and_docbin(nlp: spacy.Language) -> None:
    doc = nlp(TEXT)
    kept = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (again,) = DocBin().from_bytes(kept).get_docs(nlp.vocab)
    other = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert _found(again) == _found(other) == _found(doc)
    assert again._.relations[0].row == doc._.relations[0].row


def test_entities_of_the_pipeline_are_taken_if_they_are_biomedical() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp("Foo1 binds to Bar2 in May.")
    doc.ents = [Span(doc, 0, 1, "GENE", kb_id="X:1"), Span(doc, 3, 4, "PROTEIN"), Span(doc, 5, 6, "DATE")]
    (found,) = relhash.load("ppi").predict(doc)
    assert [(mention.text, mention.ids) for mention in found.candidate.mentions] == [("Foo1", ("X:1",)), ("Bar2", ())]
    assert found.candidate.document.sentences[0].id == "doc.s0"


def test_docs_are_documents_wherever_these_are(nlp: spacy.Language) -> None:
    plain = spacy.blank("en")
    model = relhash.load("ppi")
    assert len(model.predict([plain(TEXT), plain("GRB2 binds SOS1.")])) == 2
    assert [document.id for document in model.read([plain("A"), plain("B")])] == ["doc0", "doc1"]


def test_the_entry_point_names_the_factory() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["spacy_factories"]["relhash"] == "relhash.model.spacy_component:make_component"
    assert callable(spacy_component.make_component)
