"""Statements of BEL scripts as rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.loading import load

SCRIPT = """SET DOCUMENT Licenses = "CC BY 4.0"
SET Citation = {"PubMed", "123"}
SET Evidence = "RAF1 acti-
vates MEK1 and p-
21."
act(p(HGNC:RAF1)) -> act(p(HGNC:MAP2K1))
p(HGNC:RAF1) -| p(HGNC:"MAP2K1", pmod(Ph)) # a comment
a(CHEBI:nicotine) -> deg(p(HGNC:TP53))
complex(p(HGNC:RAF1), p(HGNC:YWHAZ)) => bp(GO:"cell death")
p(HGNC:RAF1) cnc p(HGNC:TP53)
p(HGNC:RAF1) isA p(FPLX:RAF)
p(HGNC:RAF1 -> broken
"""


def _rows(tmp_path: Path, text: str) -> list[tuple[str, str, int, str]]:
    path = tmp_path / "one.bel"
    path.write_text(text)
    tool = load("bel_scripts")
    return [(row.subject.name, row.type, row.sign, row.object.name) for row in tool.rows_of_script(path)]


def test_each_statement_is_a_row_in_the_words_of_the_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _rows(tmp_path, SCRIPT) == [
        ("RAF1", "Activation", 1, "MAP2K1"),
        ("RAF1", "Dephosphorylation", -1, "MAP2K1"),
        ("nicotine", "DecreaseAmount", -1, "TP53"),
        ("RAF1", "Complex", 0, "YWHAZ"),
        ("RAF1", "Regulation", 1, "cell death"),
        ("YWHAZ", "Regulation", 1, "cell death"),
        ("RAF1", "NoChange", 0, "TP53"),
    ]
    assert capsys.readouterr().err == "one.bel:12: not read: p(HGNC:RAF1 -> broken\n"


def test_words_that_a_line_broke_are_whole_again(tmp_path: Path) -> None:
    path = tmp_path / "one.bel"
    path.write_text(SCRIPT)
    row = next(load("bel_scripts").rows_of_script(path))
    assert (row.text, row.pmid, row.place) == ("RAF1 activates MEK1 and p-21.", "123", "one.bel:6")


def test_a_script_without_the_licence_is_left_out(tmp_path: Path) -> None:
    assert _rows(tmp_path, SCRIPT.replace("CC BY 4.0", "private")) == []
