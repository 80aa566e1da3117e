"""Spreadsheets: three ways to give the entities, labels as people write them, what Excel does to files."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.corpus import Argument, CandidatePair, Mention, Passage, Relation
from relhash.corpus.document import UNLABELLED, unlabelled_pairs
from relhash.errors import CorpusError
from tests.corpus.reader_contract import ReaderContract
from tests.corpus.tables.written_tables import read_table


class TestTableReader(ReaderContract):
    format = "table"
    filename = "labels.csv"
    guesses_encoding = True
    sample = (
        "text,label,e1_type\n"
        "[E1]TNF[/E1] binds [E2]p53[/E2] é,1,protein\n"
        '"He said ""<e1>A</e1>, <e2>B</e2>""",no,gene\n'
        '"[E1]A[/E1]\nand [E2]B[/E2]",,\n'
    )
    broken = {  # noqa: RUF012
        "no text column": ("a,b\n1,2\n", 1),
        "header only": ("text,label\n", None),
        "mark not closed": ("text,label\n\n[E1]A[/E1] [E2]B,1\n", 3),
        "mark not opened": ("text,label\n[E1]A[/E1] B[/E2],1\n", 2),
        "one entity": ("text,label\n[E1]A[/E1] B,1\n", 2),
        "nothing marked": ("text,label\nA B,1\n", 2),
        "empty entity": ("text,label\n[E1][/E1] [E2]B[/E2],1\n", 2),
        "label": ("text,label\n[E1]A[/E1] [E2]B[/E2],2\n", 2),
        "not quoted": ("text,label\n[E1]A[/E1], [E2]B[/E2],1,0\n", 2),
        "quote": ('text,label\n"[E1]A[/E1]" x [E2]B[/E2],1\n', 2),
        "misspelt label": ("text,lable\n[E1]A[/E1] [E2]B[/E2],1\n", 1),
        "two texts": ("text,sentence\nx,y\n", 1),
        "two labels": ("text,label\n[E1]A[/E1] [E2]B[/E2],1\n[E1]A[/E1] [E2]B[/E2],0\n", 3),
        "after a quoted line end": ('text,label\n"[E1]A[/E1]\n[E2]B[/E2]",1\n[E1]A[/E1],1\n', 4),
        "not there": ("text,entity1,entity2\nA B,A,C\n", 2),
        "offset outside": ("text,e1_start,e1_end,e2_start,e2_end\nA B,0,1,2,9\n", 2),
        "offset not a number": ("text,e1_start,e1_end,e2_start,e2_end\nA B,0,1,2,x\n", 2),
        "offset of something else": ("text,e1,e2,e1_start,e1_end,e2_start,e2_end\nA B,A,A,0,1,2,3\n", 2),
        "no id": ("id,text\n,[E1]A[/E1] [E2]B[/E2]\n", 2),
        "no text": ("text,label\n ,1\n", 2),
        "mention elsewhere": ("text,e1_mention\n[E1]A[/E1] [E2]B[/E2],m\n[E2]A[/E2] [E1]B[/E1],m\n", 3),
    }
    one_of_two_is_broken = "text,label\n[E1]A[/E1] [E2]B[/E2],1\n[E1]A[/E1],1\n"


def test_labels(tmp_path: Path) -> None:
    labels = ["1", "0", "YES", "n", "false", "ja", "", "?", "NA", "none", "-1"]
    rows = [f"[E1]A[/E1] x{number} [E2]B[/E2],{label}" for number, label in enumerate(labels)]
    found = []
    for document in read_table(tmp_path, "text,label\n" + "\n".join(rows) + "\n"):
        types = [relation.type for relation in document.relations]
        found.append("open" if UNLABELLED in document.metadata else (types or ["-"])[0])
    assert found == ["interaction", "-", "interaction", "-", "-", "interaction", "open", "open", "open", "-", "-"]


def test_a_table_without_label_column_is_unlabelled(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "text\n[E1]A[/E1] [E2]B[/E2]\n")
    assert document.metadata == {UNLABELLED: "P1"}
    assert document.candidates == (CandidatePair("P1", "T1", "T2"),)


def test_rows_of_one_text_are_one_document(tmp_path: Path) -> None:
    rows = (
        "text,label\n[E1]A[/E1] [E2]B[/E2] C,1\n[E1]X[/E1] [E2]Y[/E2],0\n[E1]A[/E1] B [E2]C[/E2],0\nA [E1]B[/E1] [E2]C[/E2],\n"
    )
    first, second = read_table(tmp_path, rows)
    assert first.text == "A B C"
    assert [mention.text for mention in first.mentions] == ["A", "B", "C"]
    assert first.candidates == (
        CandidatePair("P1", "T1", "T2"),
        CandidatePair("P2", "T1", "T3"),
        CandidatePair("P3", "T2", "T3"),
    )
    assert [relation.targets for relation in first.relations] == [("T1", "T2")]
    assert first.metadata == {UNLABELLED: "P3"}
    assert unlabelled_pairs(first) == {frozenset({"T2", "T3"})}
    assert second.text == "X Y"


def test_rows_of_one_id_are_one_document_with_a_passage_a_text(tmp_path: Path) -> None:
    rows = "pmid,text,label\n7,[E1]A[/E1] [E2]B[/E2],1\n8,[E1]A[/E1] [E2]B[/E2],0\n7,[E1]C[/E1] [E2]D[/E2],0\n"
    first, second = read_table(tmp_path, rows)
    assert (first.id, first.text) == ("7", "A B\nC D")
    assert first.passages == (Passage("text", 0, 3), Passage("text", 4, 7))
    assert [first.text[mention.start : mention.end] for mention in first.mentions] == ["A", "B", "C", "D"]
    assert (second.id, second.passages) == ("8", ())


def test_types_ids_and_roles(tmp_path: Path) -> None:
    header = "text,e1_type,e2_type,e1_id,e1_role,e2_role,label\n"
    (document,) = read_table(tmp_path, header + "[E1]A[/E1] [E2]B[/E2],kinase,protein,UniProt:P1;X:2,catalyst,theme,modifies\n")
    assert document.mentions[0] == Mention("T1", "kinase", ((0, 1),), "A", ("UniProt:P1", "X:2"))
    assert document.relations[0] == Relation("R1", "modifies", (Argument("catalyst", "T1"), Argument("theme", "T2")))


def test_types_are_taken_from_headings(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "Satz;Gen 1;Krankheit 2;Interaktion?\nBRCA1 in cancer.;BRCA1;cancer;ja\n")
    assert [(mention.text, mention.type) for mention in document.mentions] == [("BRCA1", "gene"), ("cancer", "disease")]
    (document,) = read_table(tmp_path, "sentence,chemical,disease,label\nX in y.,X,y,1\n")
    assert [mention.type for mention in document.mentions] == ["chemical", "disease"]


def test_yes_with_a_column_that_names_the_relation(tmp_path: Path) -> None:
    rows = "text,relation,is_relation,label\n[E1]A[/E1] [E2]B[/E2],binds,0,1\n[E1]C[/E1] [E2]D[/E2],binds,1,0\n"
    first, second = read_table(tmp_path, rows)
    assert [relation.type for relation in first.relations] == ["binds"]
    assert second.relations == ()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("text,gene,disease,drug,label\nA B,A,B,,1\n", r"columns found: 'text', 'gene'.*which two of 'gene', 'disease'"),
        ("text,label,comment\nA B,1,x\n", r":2: the two entities are not given \(columns found: 'text', 'label', 'comment'\)"),
        ("Abschnitt,foo\nA B,1\n", r":1: no column holds a text \(columns found: 'Abschnitt', 'foo'\); name the columns"),
        ("text,e1,e2,label\nA B,A,B,1\nC D,C,D,binds\nE F,E,F,1\n", r":3: the label 'binds' beside '1'.*in all rows"),
        ("text,e1,e2,label\nSEPT2 binds B,2-Sep,B,1\n", r"'2-Sep'.*SEPT2 into a date"),
        ("text,e1,e2,label\n,A,B,1\n", r":2: the row has no text.*merged"),
    ],
)
def test_what_is_unclear_is_named(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        read_table(tmp_path, table)
