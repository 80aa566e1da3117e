"""Graphs from PENMAN notation, and what is said of malformed ones."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from relhash.errors import CorpusError
from relhash.language.amr.documents import read_amr
from relhash.language.amr.graphs import parse_graph, read_graphs


@pytest.mark.parametrize(
    ("graph", "problem", "line"),
    [
        ("# ::id x\n(a / b\n  :ARG0 (c / d)", "Unexpected end", 3),
        ("# ::id x\n(a / b :ARG0 (a / c))", "'a' is defined twice", 1),
        ("(a :ARG0 (b / c))", "'a' has no concept", 1),
        ("(a / b :ARG0 )", ":ARG0 without a target", 1),
        ("(a / b)\n(c / d)", "2 found", 1),
        ("a sentence", "0 found", 1),
        ("(a / b " + ":x (y / z " * 5000, "", 1),
    ],
)
def test_malformed_graphs_are_named_with_their_line_and_skipped_in_lenient_mode(
    tmp_path: Path, graph: str, problem: str, line: int
) -> None:
    path = tmp_path / "graphs.txt"
    path.write_text(f"# a heading\n\n{graph}\n\n# ::id good\n# ::snt a cell\n(c / cell)\n", encoding="utf-8")
    with pytest.raises(CorpusError) as caught:
        list(read_graphs(path))
    assert problem in str(caught.value)
    assert caught.value.where == 2 + line
    assert caught.value.path == path
    problems: list[CorpusError] = []
    assert [document.id for document in read_amr(path, on_error=problems.append)] == ["good"]
    assert len(problems) == 1


def test_a_file_without_graphs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("# nothing here\n")
    with pytest.raises(CorpusError, match="no graph"):
        list(read_amr(path))


def test_a_superscript_is_no_number(tmp_path: Path) -> None:
    """``"²".isdigit()`` holds, and ``int("²")`` fails."""
    path = tmp_path / "graphs.txt"
    path.write_text('# ::id x\n# ::snt Ras\n(p / protein :name (n / name :op² "Ras"))\n', encoding="utf-8")
    assert len(list(read_graphs(path))) == 1


def test_many_graphs_are_read_as_fast_as_few():
    """Each graph left a handler with the logger of penman, and every later one went through all of them."""
    handlers = logging.getLogger("penman").handlers
    parse_graph("(b / bind-01)")
    before = len(handlers)
    parse_graph("(b / bind-01)")
    assert len(handlers) == before
