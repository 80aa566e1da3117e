"""The corpus of a command: counted, on graphs if there are any, and a remark on what was skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.cli.options import CorpusInput, counted
from relhash.corpus import Document
from relhash.errors import CorpusError

GRAPH = '# ::snt Ras binds Raf.\n(b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras")))\n'


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text('{"id":"a","text":"Ras binds Raf."}\n' + '{"id":"b"}\n' * 7 + '{"id":"c","text":"C."}\n')
    return path


def test_documents_are_counted_as_they_pass(broken: Path) -> None:
    steps: list[int] = []
    given = CorpusInput(broken, lenient=True)
    assert [document.id for document in given.stream(steps.append)] == ["a", "c"]
    assert (given.count, steps, len(given.skipped)) == (2, [1, 1], 7)


def test_without_lenient_the_first_error_is_raised(broken: Path) -> None:
    with pytest.raises(CorpusError, match=r"in\.jsonl:2"):
        CorpusInput(broken).read()


def test_the_remark_names_the_first_and_counts_the_rest(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = CorpusInput(broken, lenient=True)
    assert len(given.read()) == 2
    given.remark(quiet=True)
    assert capsys.readouterr() == ("", "")
    given.remark()
    out, err = capsys.readouterr()
    assert out == ""
    assert f"7 broken documents skipped in {broken}:" in err
    assert err.count(f"{broken}:") == 1 + 5
    assert "… and 2 more" in err


def test_nothing_skipped_is_nothing_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Ras.")
    given = CorpusInput(tmp_path / "a.txt", lenient=True)
    given.read()
    given.remark()
    assert capsys.readouterr() == ("", "")


def test_graphs_take_the_place_of_parses(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ras binds Raf.")
    (tmp_path / "graphs.amr").write_text(GRAPH)
    (document,) = CorpusInput(tmp_path / "a.txt", amr=tmp_path / "graphs.amr").read()
    assert [sentence.parser for sentence in document.sentences] == ["AMR"]


def test_counting_needs_no_progress() -> None:
    assert list(counted([Document("a", "A.")], None)) == [Document("a", "A.")]
