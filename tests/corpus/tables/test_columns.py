"""Headings, separators and quotes in many spellings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import relhash
from relhash.corpus import Argument, CandidatePair, Document, Mention, Relation


def _read(folder: Path, content: str, name: str = "a.csv") -> tuple[Document, ...]:
    (folder / name).write_text(content, encoding="utf-8", newline="")
    return relhash.read(folder / name).documents


EXPECTED = Document(
    "a:2",
    "TNF binds p53.",
    mentions=(Mention("T1", "entity", ((0, 3),), "TNF"), Mention("T2", "entity", ((10, 13),), "p53")),
    relations=(Relation("R1", "interaction", (Argument("e1", "T1"), Argument("e2", "T2"))),),
    candidates=(CandidatePair("P1", "T1", "T2"),),
)


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
    assert _read(tmp_path, table) == (EXPECTED,)


def test_excel_may_name_the_separator_in_the_first_line(tmp_path: Path) -> None:
    (document,) = _read(tmp_path, "sep=;\r\ntext;label\r\n[E1]TNF[/E1] binds [E2]p53[/E2].;1\r\n")
    assert document == replace(EXPECTED, id="a:3")


def test_tab_separated_text_may_hold_quotes_that_are_not_csv(tmp_path: Path) -> None:
    (document,) = _read(tmp_path, 'text\tlabel\n"[E1]A[/E1]" is 3" from [E2]B[/E2]\t1\n', "a.tsv")
    assert document.text == '"A" is 3" from B'
