"""NERO: strings are found in their sentences, statements become relations or negative pairs, losses are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.corpus import Document
from relhash.corpus.nero import COLUMNS, is_denied, says_what_it_is
from relhash.corpus.remarks import counts_left_out
from relhash.errors import CorpusError
from tests.corpus.reader_contract import ReaderContract

HEADER = "\t".join(("amId", *COLUMNS, "procset"))


def table(*rows: tuple[str, ...]) -> str:
    """Rows of (entity1, actionType, entity2, sentence[, pmid[, negative]]) as the table has them."""
    lines = [HEADER]
    for number, (first, action, second, sentence, *rest) in enumerate(rows, 1):
        pmid, negative = [*rest, *("9000001", "0")[len(rest) :]]
        lines.append("\t".join((str(number), "7", first, "GP", action, second, "GP", negative, pmid, sentence, "bind")))
    return "\n".join(lines) + "\n"


SAMPLE = table(
    ("Ras", "binds to", "Raf", "Ras é binds to Raf but not to MEK.", "9000001"),
    ("Ras", "does not bind", "MEK", "Ras é binds to Raf but not to MEK.", "9000001"),
    ("p53", "induce", "MDM2", "The p53 protein induces MDM2.", "9000001"),
    ("ERK", "bind", "RSK", "ERK was bound by RSK.", "NULL"),
)


class TestNeroReader(ReaderContract):
    format = "nero"
    filename = "annotation_results.txt"
    sample = SAMPLE
    broken = {  # noqa: RUF012
        "no such column": (SAMPLE.replace("actionType", "verb", 1), 1),
        "too few cells": (HEADER + "\n1\t7\tRas\n", 2),
        "no sentence": (table(("Ras", "binds", "Raf", " ")), 2),
        "no rows": (HEADER + "\n", None),
    }
    one_of_two_is_broken = table(("Ras", "binds", "Raf", "Ras binds Raf.")) + "2\t7\tRas\n"


def read(tmp_path: Path, *rows: tuple[str, ...]) -> tuple[Document, ...]:
    (tmp_path / "nero.txt").write_text(table(*rows), encoding="utf-8")
    return relhash.read(tmp_path / "nero.txt").documents


def pairs(document: Document) -> dict[tuple[str, str], str]:
    """Texts of the candidate pairs, with the relation that joins them."""
    named = {mention.id: mention.text for mention in document.mentions}
    joined = {frozenset(relation.targets): relation.type for relation in document.relations}
    return {
        (named[pair.first], named[pair.second]): joined.get(frozenset((pair.first, pair.second)), "")
        for pair in document.candidates or ()
    }


def test_a_paper_is_a_document_and_denied_pairs_are_negative(tmp_path: Path) -> None:
    (tmp_path / "nero.txt").write_text(SAMPLE, encoding="utf-8")
    paper, alone = relhash.read(tmp_path / "nero.txt")
    assert (paper.id, paper.metadata["pmid"], len(paper.sentences)) == ("9000001", "9000001", 2)
    assert pairs(paper) == {("Ras", "Raf"): "binds to", ("Ras", "MEK"): "", ("Raf", "MEK"): "", ("p53", "MDM2"): "induce"}
    assert {mention.type for mention in paper.mentions} == {"protein"}
    assert counts_left_out(paper) == {"relations that are denied (their pairs are negative)": 1}
    assert "pmid" not in alone.metadata
    assert pairs(alone) == {("ERK", "RSK"): "bind"}


def test_the_column_negative_denies_too(tmp_path: Path) -> None:
    (document,) = read(tmp_path, ("Ras", "binds", "Raf", "Ras binds Raf.", "9000001", "1"))
    assert pairs(document) == {("Ras", "Raf"): ""}


def test_one_annotator_denies_what_another_states(tmp_path: Path) -> None:
    text = "Ras hardly binds Raf."
    (document,) = read(tmp_path, ("Ras", "binds", "Raf", text), ("Raf", "does not bind", "Ras", text))
    assert pairs(document) == {("Ras", "Raf"): ""}


def test_what_something_is_is_no_interaction(tmp_path: Path) -> None:
    (document,) = read(tmp_path, ("Ras", "is a type of", "GTPase", "Ras is a GTPase."))
    assert pairs(document) == {("Ras", "GTPase"): ""}


def test_the_closest_occurrences_are_the_candidate(tmp_path: Path) -> None:
    (document,) = read(tmp_path, ("p53", "binds", "MDM2", "We studied p53 in cells, and p53 binds MDM2."))
    assert [mention.start for mention in document.mentions] == [11, 29, 39]
    (relation,) = document.relations
    assert relation.targets == ("T2", "T3")


def test_what_is_not_found_is_counted(tmp_path: Path) -> None:
    text = "Ras binds Raf."
    (document,) = read(
        tmp_path, ("Ras", "binds", "MEK", text), ("statement 1", "causes", "Raf", text), ("asd", "asd", "asd", text)
    )
    assert counts_left_out(document) == {
        "strings not found in their sentence": 1,
        "relations with a string not found": 1,
        "statements about other statements": 1,
        "test rows": 1,
    }


def test_sentences_without_statements_have_no_candidates(tmp_path: Path) -> None:
    text = "Ras and Raf were seen."
    (document,) = read(tmp_path, ("Ras", "", "", text), ("Raf", "", "", text))
    assert len(document.mentions) == 2
    assert document.candidates == ()


def test_rare_bad_bytes_survive_and_are_counted(tmp_path: Path) -> None:
    rows = table(*[("Ras", "binds", "Raf", f"Ras binds Raf in case {number}.") for number in range(300)])
    (tmp_path / "nero.txt").write_bytes(rows.encode().replace(b"case 7.", b"case \xff7."))
    (document,) = relhash.read(tmp_path / "nero.txt")
    assert counts_left_out(document) == {"lines with broken characters (kept, characters replaced)": 1}
    assert len(document.relations) == 300


def test_stray_carriage_returns_are_blanks(tmp_path: Path) -> None:
    (document,) = read(tmp_path, ("Ras\r", "binds\r", "Raf", "Ras binds\r Raf."))
    assert pairs(document) == {("Ras", "Raf"): "binds"}


@pytest.mark.parametrize("verb", ["does not bind", "has no effect on", "doesn't alter", "is independent of", "lacks"])
def test_denied_verbs(verb: str) -> None:
    assert is_denied(verb)


@pytest.mark.parametrize("verb", ["binds", "notes", "is linked to", "is involved in", "induce", "is an inhibitor of"])
def test_verbs_that_state_something(verb: str) -> None:
    assert not is_denied(verb)
    assert not says_what_it_is(verb)


def test_another_table_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "nero.txt").write_text("a\tb\n1\t2\n")
    with pytest.raises(CorpusError, match=r"nero\.txt:1: not the table of NERO"):
        relhash.read(tmp_path / "nero.txt", "nero")
