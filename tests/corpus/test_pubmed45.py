"""PubMed45 on a file of its form that we wrote."""

from __future__ import annotations

import json
from pathlib import Path

import relhash
from relhash.corpus import Argument, CandidatePair, Relation
from relhash.corpus.pubmed45 import Interaction, Participant, interactions
from tests.corpus.reader_contract import ReaderContract

RAS = "Ras activates Raf, é and Ras binds Raf-1."
ENTRIES = [
    ("a_pmid_1003_7796.11", ["phosphorylation", "Ras", "Raf"], 1, RAS),
    ("a_pmid_1003_7796.11", ["activation", "Raf", "Ras"], 2, RAS),
    ("a_pmid_1003_7796.11", ["complex", None, "Ras", "raf 1"], 0, RAS),
    ("eval/a_pmid_1047_7754.3.amr", ["activation", "MEK", "ERK"], 1, "MEK activates it."),
    ("a_pmid_1003_7796.12", ["complex", "Sos", "Ras", "Ras"], 1, "Sos makes Ras meet Ras."),
]


def _json(entries: list[tuple[str, list[str | None], int, str]] = ENTRIES) -> str:
    keys = ("path", "interaction_tuple", "label", "sentence")
    return json.dumps([dict(zip(keys, entry, strict=True)) for entry in entries], ensure_ascii=False, indent=1)


class TestPubmed45Reader(ReaderContract):
    format = "pubmed45"
    filename = "pubmed45.json"
    sample = _json()
    broken = {  # noqa: RUF012
        "not a list": ('{"interaction_tuple": []}', None),
        "not JSON": ('[\n{"interaction_tuple": }]', 2),
        "label": (_json([("a.1", ["x", "y", "z"], 3, "s")]), "entry 1"),
        "tuple": (_json([("a.1", ["x", "y"], 1, "s")]), "entry 1"),
        "path": (_json([("nothing", ["x", "y", "z"], 1, "s")]), "entry 1"),
        "sentence": (_json([("a.1", ["x", "y", "z"], 1, "s"), ("a.1", ["x", "y", "z"], 1, "")]), "entry 2"),
    }
    one_of_two_is_broken = _json([("a.1", ["x", "y", "z"], 1, "s"), ("b.1", ["x"], 1, "s")])


def _read(folder: Path) -> relhash.Corpus:
    (folder / "p.json").write_text(_json(), encoding="utf-8")
    return relhash.read(folder / "p.json")


def test_a_paper_is_a_document_and_valid_interactions_are_relations(tmp_path: Path) -> None:
    first, second = _read(tmp_path)
    assert (first.id, second.id) == ("a_pmid_1003_7796", "a_pmid_1047_7754")
    assert [sentence.id for sentence in first.sentences] == ["a_pmid_1003_7796.11", "a_pmid_1003_7796.12"]
    texts = {mention.id: mention.text for mention in first.mentions}
    assert texts == {"T1": "Ras", "T2": "Raf", "T3": "Raf-1", "T4": "Sos", "T5": "Ras", "T6": "Ras"}
    assert first.relations == (
        Relation("I1", "phosphorylation", (Argument("catalyst", "T1"), Argument("affected", "T2"))),
        Relation("I4", "complex", (Argument("catalyst", "T4"), Argument("entity", "T5"), Argument("entity2", "T6"))),
    )
    assert first.candidates is not None
    assert first.candidates[:2] == (CandidatePair("P1", "T1", "T2"), CandidatePair("P2", "T1", "T3"))


def test_all_judged_interactions_with_their_labels(tmp_path: Path) -> None:
    corpus = _read(tmp_path)
    judged = [interaction for document in corpus for interaction in interactions(document)]
    assert [interaction.label for interaction in judged] == [1, 2, 0, 1, 1]
    assert judged[1] == Interaction(
        "I2",
        "a_pmid_1003_7796.11",
        "activation",
        (Participant("catalyst", "Raf", "T2"), Participant("affected", "Ras", "T1")),
        2,
    )
    # a name that the sentence does not spell has no mention
    assert judged[4].participants == (Participant("catalyst", "MEK", "T1"), Participant("affected", "ERK", None))


def test_labels_survive_json_lines(tmp_path: Path) -> None:
    corpus = _read(tmp_path)
    relhash.write(corpus, tmp_path / "a.jsonl")
    again = relhash.read(tmp_path / "a.jsonl")
    assert [interactions(document) for document in again] == [interactions(document) for document in corpus]
