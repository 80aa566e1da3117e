"""A file cut into rows of cells."""

from __future__ import annotations

from pathlib import Path

from tests.corpus.tables.written_tables import read_table


def test_a_title_may_stand_above_the_header(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "My labels;;\n;;\nText;Entity 1;Entity 2;Label\nA B;A;B;1\n")
    assert (document.id, document.text) == ("a:4", "A B")


def test_long_cells(tmp_path: Path) -> None:
    long = "word " * 40_000
    (document,) = read_table(tmp_path, f"text,label\n[E1]A[/E1] {long} [E2]B[/E2],1\n")
    assert len(document.text) > 131_072


def test_apostrophes_against_formulas_are_taken_back(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "text,e1,e2\n'-actin binds 'tis,'-actin,'tis\n")
    assert (document.text, [mention.text for mention in document.mentions]) == ("-actin binds 'tis", ["-actin", "'tis"])
