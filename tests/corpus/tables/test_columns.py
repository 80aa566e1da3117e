"""Headings, separators and quotes in many spellings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from relhash.corpus import unlabelled_pairs
from relhash.errors import RelHashNote, RelHashWarning
from tests.corpus.tables.written_tables import TNF_BINDS_P53, read_table


@pytest.mark.parametrize(
    "table",
    [
        "text,label\n[E1]TNF[/E1] binds [E2]p53[/E2].,1\n",
        "Sentence,Gold\n<e1>TNF</e1> binds <e2>p53</e2>.,TRUE\n",
        "text,entity1,entity2,label\nTNF binds p53.,TNF,p53,yes\n",
        "TEXT,Entity 1,Entity-2,Label\nTNF binds p53.,TNF,p53,1.0\n",
        "text,e1_start,e1_end,e2_start,e2_end,label\nTNF binds p53.,0,3,10,13,1\n",
        "text,e1_start,e1_end,e2_start,e2_end,label\nTNF binds p53.,0.0,3.0,10.0,13.0,interaction\n",
        "text;label\n[E1]TNF[/E1] binds [E2]p53[/E2].;1\n",
        "text\tlabel\n[E1]TNF[/E1] binds [E2]p53[/E2].\t1\n",
        "\ufefftext;label\r\n[E1]TNF[/E1] binds [E2]p53[/E2].;1\r\n;\r\n",
        "label,text,comment\n1,[e1]TNF[/e1] binds [e2]p53[/e2].,I think so\n",
    ],
)
def test_one_pair_in_many_spellings(tmp_path: Path, table: str) -> None:
    assert read_table(tmp_path, table) == (TNF_BINDS_P53,)


def test_excel_may_name_the_separator_in_the_first_line(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "sep=;\r\ntext;label\r\n[E1]TNF[/E1] binds [E2]p53[/E2].;1\r\n")
    assert document == replace(TNF_BINDS_P53, id="a:3")


def test_tab_separated_text_may_hold_quotes_that_are_not_csv(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, 'text\tlabel\n"[E1]A[/E1]" is 3" from [E2]B[/E2]\t1\n', "a.tsv")
    assert document.text == '"A" is 3" from B'


def test_a_column_of_yes_and_no_is_the_label_whatever_it_is_called(tmp_path: Path) -> None:
    table = "text,drug,target,inhibits?,comment\nAspirin hits COX1.,Aspirin,COX1,yes,\nAspirin meets TNF.,Aspirin,TNF,no,x\n"
    with pytest.warns(RelHashNote, match=r"'inhibits\?' holds yes and no, and is read as the label of the relation 'inhibits'"):
        first, second = read_table(tmp_path, table)
    assert [relation.type for relation in first.relations] == ["inhibits"]
    assert (second.relations, unlabelled_pairs(second)) == ((), frozenset())


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("comment", r"no labels found in the columns \('text' is text; 'drug' is entity 1; .*'comment' is not used\)"),
        ("label", "no labels found in the column 'label': all 1 rows count as unlabelled"),
    ],
)
def test_missing_labels_are_said_with_the_columns(tmp_path: Path, heading: str, said: str) -> None:
    cell = "perhaps" if heading == "comment" else ""
    with pytest.warns(RelHashNote, match=said):
        (document,) = read_table(tmp_path, f"text,drug,gene,{heading}\nAspirin hits COX1.,Aspirin,COX1,{cell}\n")
    assert len(unlabelled_pairs(document)) == 1


def test_tables_of_statements_are_understood_by_their_headings(tmp_path: Path) -> None:
    extri = "id\tTF\tTG\tevaluation\tsentence\n7:1\tAP1\tERCC1\tn\tAP-1 and ERCC-1 rose.\n"
    (document,) = read_table(tmp_path, extri, "a.tsv")
    assert ([mention.text for mention in document.mentions], document.relations) == (["AP-1", "ERCC-1"], ())
    judged = "".join(f"{letter}\tTNF\tIL6\t{letter}\tTNF, when {letter} TNF met IL6.\n" for letter in "arvn")
    with pytest.warns(RelHashWarning, match="names that stand in their text several times, read where both are nearest: 4"):
        documents = read_table(tmp_path, f"id\tTF\tTG\tevaluation\tsentence\n{judged}", "c.tsv")
    found = [[relation.type for relation in document.relations] for document in documents]
    assert found == [["activation"], ["repression"], ["regulation"], []]
    assert {document.mentions[0].start for document in documents} == {12}
    bel = "gene\tevidence\tsubject\tpredicate\tobject\nTNF\tIL6 induces TNF.\tp(HGNC:IL6)\tincreases\tact(p(HGNC:TNF))\n"
    (document,) = read_table(tmp_path, bel, "b.tsv")
    assert [mention.text for mention in document.mentions] == ["IL6", "TNF"]
    assert [relation.type for relation in document.relations] == ["increases"]


def test_columns_of_names_with_other_headings_are_pointed_out(tmp_path: Path) -> None:
    with pytest.warns(RelHashNote, match=r"read as text; 'foo', 'bar' seem to hold names: call them entity1, entity2"):
        (document,) = read_table(tmp_path, "sentence\tfoo\tbar\tyear\nTNF binds p53.\tTNF\tp53\t1999\n", "a.tsv")
    assert not document.mentions
