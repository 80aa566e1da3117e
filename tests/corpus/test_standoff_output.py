"""Writing standoff: what is written is read again, what has no place is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

import relhash
from relhash.corpus import Argument, Attribute, Document, Mention, Relation
from relhash.errors import CorpusError
from tests.corpus.corpora_strategies import corpora
from tests.corpus.standoff_samples import ANN, TEXT, write


def _held(document: Document) -> Document:
    """What standoff can hold of a document: names without blanks, ids of triggers only on mentions."""
    relations = tuple(replace(relation, type=relation.type.replace(" ", "_")) for relation in document.relations)
    return replace(document, relations=relations)


@settings(max_examples=60, deadline=None)
@given(documents=corpora(min_sentences=1, sentences=False, candidates=False, passages=False, metadata=False))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    documents = [_held(document) for document in documents]
    for name in ("brat", "bionlp"):
        folder = tmp_path_factory.mktemp("standoff") / "out"
        relhash.write(documents, folder, name)
        assert relhash.read(folder).documents == tuple(
            # a1 and a2 keep modifications under other ids
            replace(d, attributes=tuple(replace(a, id=a.id.replace("A", "M")) for a in d.attributes)) if name == "bionlp" else d
            for d in documents
        )


def test_ids_of_other_formats_are_numbered_anew(tmp_path: Path) -> None:
    mentions = (Mention("AIMed.e0", "protein", ((0, 1),), "a"), Mention("AIMed.e1", "protein", ((2, 3),), "b"))
    relation = Relation("AIMed.p0", "interaction", (Argument("e1", "AIMed.e0"), Argument("e2", "AIMed.e1")))
    relhash.write([Document("d/0", "a b", mentions=mentions, relations=(relation,))], tmp_path / "out")
    assert (
        tmp_path / "out" / "d%2F0.ann"
    ).read_text() == "T1\tprotein 0 1\ta\nT2\tprotein 2 3\tb\nR1\tinteraction e1:T1 e2:T2\n"
    assert relhash.read(tmp_path / "out").documents[0].id == "d/0"


def test_bionlp_puts_what_is_to_be_found_into_a2(tmp_path: Path) -> None:
    (document,) = relhash.read(write(tmp_path, TEXT, ANN))
    relhash.write([document], tmp_path / "out", "bionlp")
    given_entities = (tmp_path / "out" / "doc.a1").read_text().splitlines()
    assert [line.split("\t")[0] for line in given_entities] == ["T1", "T2", "T4"]
    assert "E1\tBinding:T3 Theme:T1 Theme2:T2\n" in (tmp_path / "out" / "doc.a2").read_text()


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (Document("d", ""), "without text"),
        (Document("d", "a", mentions=(Mention("T1", "cell line", ((0, 1),), "a"),)), "type or role 'cell line'"),
        (Document("d", "a", mentions=(Mention("T1", "x", ((0, 1),), "a", ("a\nb",)),)), "database id"),
        (
            Document("d", "a", (), (Mention("T1", "x", ((0, 1),), "a"),), (Relation("R1", "x", (Argument("a", "T1"),)),)),
            "without a trigger",
        ),
    ],
)  # fmt: skip
def test_what_standoff_cannot_hold_is_refused_and_leaves_nothing(tmp_path: Path, document: Document, what: str) -> None:
    with pytest.raises(CorpusError, match=what):
        relhash.write([document], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    relhash.write([Document("d", "a")], tmp_path / "out")  # empty: fine
    with pytest.raises(CorpusError, match="not empty"):
        relhash.write([Document("d", "a")], tmp_path / "out")


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="two documents have this id"):
        relhash.write([Document("d", "a"), Document("d", "b")], tmp_path / "out")


def test_attributes_that_share_an_id_are_numbered_anew(tmp_path: Path) -> None:
    attributes = (Attribute("A1", "Negation", "T1"), Attribute("A1", "Speculation", "T1"))
    relhash.write([Document("d", "a", mentions=(Mention("T1", "x", ((0, 1),), "a"),), attributes=attributes)], tmp_path / "out")
    (document,) = relhash.read(tmp_path / "out")
    assert document.attributes == (Attribute("A1", "Negation", "T1"), Attribute("A2", "Speculation", "T1"))
