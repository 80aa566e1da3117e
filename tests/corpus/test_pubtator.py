"""PubTator: mentions with database ids, relations between ids, and the way back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

import relhash
from relhash.candidates.pairs import PairPolicy
from relhash.corpus import Argument, Attribute, Document, Mention, Passage, Relation
from relhash.errors import CorpusError, RelHashWarning
from relhash.language import split_sentences
from tests.corpus.corpora_strategies import corpora
from tests.corpus.reader_contract import ReaderContract

SAMPLE = """\
1000|t|Aspirin and bleeding é.
1000|a|Aspirin induces bleeding.
1000\t0\t7\tAspirin\tChemical\tD001241
1000\t12\t20\tbleeding\tDisease\tD006470
1000\t24\t31\tAspirin\tChemical\tD001241
1000\t40\t48\tbleeding\tDisease\t-1
1000\tCID\tD001241\tD006470\tNovel

1001|t|Only a title
1001|a|
"""


class TestPubtatorReader(ReaderContract):
    format = "pubtator"
    filename = "corpus.pubtator"
    sample = SAMPLE
    broken = {  # noqa: RUF012
        "no title": ("1|a|x\n", 1),
        "other document": ("1|t|x\n2\t0\t1\tx\tGene\n", 2),
        "offsets": ("1|t|x\n1\t0\t9\ty\tGene\n", 2),
        "text": ("1|t|xyz\n1\t0\t1\tb\tGene\n", 2),
        "columns": ("1|t|x\n1\t0\n", 2),
        "two abstracts": ("1|t|x\n1|a|x\n1|a|x\n", 3),
    }
    one_of_two_is_broken = "1|t|x\n1\t0\t9\ty\tGene\n2|t|fine\n"


def test_a_relation_of_ids_joins_the_mentions_of_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SAMPLE)  # PubTator often comes as .txt
    first, second = relhash.read(tmp_path / "a.txt")
    assert first.text == "Aspirin and bleeding é.\nAspirin induces bleeding."
    assert first.passages == (Passage("title", 0, 23), Passage("abstract", 24, 49))
    assert first.mentions[0] == Mention("T1", "Chemical", ((0, 7),), "Aspirin", ("D001241",))
    assert first.mentions[3].ids == ()
    assert first.concept_relations == (Relation("R1", "CID", (Argument("e1", "D001241"), Argument("e2", "D006470"))),)
    # the second sentence names no bleeding that has the id
    assert first.relations == (Relation("R1.1", "CID", (Argument("e1", "T1"), Argument("e2", "T2"))),)
    assert first.attributes == (Attribute("A1", "Novelty", "R1", "Novel"),)
    assert (second.id, second.text) == ("1001", "Only a title")


def test_a_relation_of_an_id_with_itself_takes_two_mentions(tmp_path: Path) -> None:
    (tmp_path / "a.pubtator").write_text(
        "1|t|p53 p53\n1\t0\t3\tp53\tGene\t7157\n1\t4\t7\tp53\tGene\t7157\n1\tbind\t7157\t7157\n"
    )
    (document,) = relhash.read(tmp_path / "a.pubtator")
    assert document.relations[0].targets == ("T1", "T2")


COMPOSITE = """\
7|t|Ovarian and breast cancer need BRCA1. Smoking does not.
7\t0\t25\tOvarian and breast cancer\tDisease\tD010051|D001943
7\t31\t36\tBRCA1\tGene\t672,675
7\t38\t45\tSmoking\tChemical\tD012907
7\tAssociation\tD010051|D001943\t672,675\tNovel
7\tAssociation\tD001943\t672
7\tCause\tD012907\tD001943
7\tCause\tD012907\tD999999
"""


def test_ids_of_relations_are_split_as_those_of_mentions(tmp_path: Path) -> None:
    (tmp_path / "a.pubtator").write_text(COMPOSITE)
    with pytest.warns(RelHashWarning) as said:
        (document,) = corpus = relhash.read(tmp_path / "a.pubtator")
    assert [relation.targets for relation in document.relations] == [("T1", "T2")] * 2
    assert len(document.concept_relations) == 4  # what is stated stays, whatever the sentences name
    assert [str(one.message).partition(" (")[0] for one in said] == [
        "relations between ids that no sentence names together",
        "relations about an id that no mention has",
    ]
    relhash.write(corpus, tmp_path / "b.pubtator")
    assert "Association\tD010051|D001943\t672,675\tNovel" in (tmp_path / "b.pubtator").read_text()
    with pytest.warns(RelHashWarning):
        assert relhash.read(tmp_path / "b.pubtator").documents == corpus.documents


def test_pairs_of_related_ids_are_positive_candidates(tmp_path: Path) -> None:
    (tmp_path / "a.pubtator").write_text(SAMPLE.replace("\t-1\n", "\tMESH:D006470\n"))
    candidates = PairPolicy().candidates(map(split_sentences, relhash.read(tmp_path / "a.pubtator")))
    assert [(*(mention.id for mention in one.mentions), one.relations) for one in candidates] == [
        ("T1", "T2", ("CID",)),
        ("T3", "T4", ("CID",)),
    ]


def test_round_trip_of_the_sample(tmp_path: Path) -> None:
    (tmp_path / "a.pubtator").write_text(SAMPLE)
    corpus = relhash.read(tmp_path / "a.pubtator")
    relhash.write(corpus, tmp_path / "b.pubtator.gz")
    assert relhash.read(tmp_path / "b.pubtator.gz").documents == corpus.documents


@settings(max_examples=60, deadline=None)
@given(
    documents=corpora(
        sentences=False, discontinuous=False, relations=False, interactions=False, candidates=False, attributes=False,
        equivalences=False, passages=False, metadata=False, separators=(" ",),
    )
)  # fmt: skip
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("pubtator") / "a.pubtator"
    relhash.write(documents, path)
    titled = [replace(document, passages=(Passage("title", 0, len(document.text)),)) for document in documents]
    assert relhash.read(path).documents == tuple(titled)


MENTION = Mention("T1", "Gene", ((0, 1),), "a")


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (Document("d", "a b", mentions=(replace(MENTION, spans=((0, 1), (2, 3))),)), "discontinuous"),
        (Document("d", "a", mentions=(replace(MENTION, is_trigger=True),)), "triggers"),
        (Document("d", "a", mentions=(replace(MENTION, ids=("a;b",)),)), "database ids"),
        (Document("d|x", "a"), "document id"),
        (Document("d", "a", mentions=(MENTION,), attributes=(Attribute("A1", "Negation", "T1"),)), "attributes"),
        (Document("d", "a", mentions=(MENTION, replace(MENTION, id="T2")), equivalences=(("T1", "T2"),)), "equivalence"),
        (
            Document("d", "a", (), (MENTION,), (Relation("R1", "x", (Argument("e1", "T1"), Argument("e2", "T1"))),)),
            "without database ids",
        ),
    ],
)
def test_what_pubtator_cannot_hold_is_refused(tmp_path: Path, document: Document, what: str) -> None:
    with pytest.raises(CorpusError, match=what):
        relhash.write([document], tmp_path / "a.pubtator")
    assert list(tmp_path.iterdir()) == []
