"""relhash convert: what it writes, what it says, what it refuses."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from pathlib import Path

import pytest

import relhash
from relhash.cli.convert import convert
from relhash.cli.main import main
from relhash.corpus import Argument, Document, Mention, Relation, Sentence
from relhash.corpus.formats import all_formats

DOCUMENT = Document(
    "d1",
    "TNF binds p53.",
    sentences=(Sentence("s1", 0, 14),),
    mentions=(
        Mention("T1", "protein", ((0, 3),), "TNF", ("NCBIGene:7124",)),
        Mention("T2", "protein", ((10, 13),), "p53"),
        Mention("T3", "Binding", ((4, 9),), "binds", is_trigger=True),
    ),
    relations=(Relation("E1", "Binding", (Argument("Theme", "T1"), Argument("Theme2", "T2")), "T3"),),
    metadata={"year": "2019"},
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    relhash.write([DOCUMENT], tmp_path / "in.jsonl")
    return tmp_path / "in.jsonl"


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exited:
        main(["convert", *map(str, arguments)])
    captured = capsys.readouterr()
    return int(exited.value.code or 0), captured.out, captured.err


def test_converts_by_suffix_and_says_what_was_left_out(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, corpus, tmp_path / "out")
    assert (code, out) == (0, "")
    assert "1 document written to" in err
    assert "brat has no place for them: sentences (of 1 documents)" in err
    assert "metadata" in err
    (document,) = relhash.read(tmp_path / "out")
    assert document.relations == DOCUMENT.relations


def test_json_report(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, corpus, tmp_path / "out.jsonl.gz", "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report == {
        "input": str(corpus),
        "output": str(tmp_path / "out.jsonl.gz"),
        "format": "jsonl",
        "documents": 1,
        "skipped": [],
        "left_out": {},
    }
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == corpus.read_bytes()


def test_formats_may_be_named(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = corpus.rename(tmp_path / "corpus.dat")
    code, _, err = run(capsys, odd, tmp_path / "out", "--from", "jsonl", "--to", "bionlp", "--quiet")
    assert (code, err) == (0, "")
    assert (tmp_path / "out" / "d1.a2").exists()


def test_content_that_does_not_fit_is_refused_and_nothing_is_written(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, corpus, tmp_path / "out.tsv")
    assert code == 2
    assert "a table cannot hold interactions" in err
    assert "jsonl" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl"]


def test_lenient_counts_and_names_what_was_skipped(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus.write_text(corpus.read_text() + '{"id":"broken"}\n' * 7)
    code, _, err = run(capsys, corpus, tmp_path / "out.jsonl")
    assert code == 2
    assert f"{corpus}:2: 'text' is missing" in err
    assert not (tmp_path / "out.jsonl").exists()
    code, _, err = run(capsys, corpus, tmp_path / "out.jsonl", "--lenient")
    assert code == 0
    assert "7 broken documents skipped" in err
    assert f"{corpus}:2" in err
    assert "2 more" in err
    code, out, _ = run(capsys, corpus, tmp_path / "out.jsonl", "--lenient", "--json")
    assert len(json.loads(out)["skipped"]) == 7


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("TNF é.\nB.\n".encode())))
    code, out, _ = run(capsys, "-", "-", "--from", "lines")
    assert code == 0
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["TNF é.", "B."]


def test_help_names_every_format() -> None:
    for known in all_formats():
        assert re.search(rf"\b{known.name}\b", convert.__doc__ or "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("in.jsonl", "out.docx"), "does not say which format"),
        (("in.jsonl", "out.txt", "--to", "text"), "can be read but not written"),
        (("in.jsonl", "out.jsonl", "--to", "nonsense"), "unknown format 'nonsense'"),
        (("nowhere.jsonl", "out.jsonl"), "no such file"),
        (("in.jsonl", "-", "--json"), "both want standard output"),
    ],
)
def test_bad_input(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(corpus.parent)
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_events_become_pairs_of_one_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Ras binds Raf.")
    (tmp_path / "a.a1").write_text("T1\tProtein 0 3\tRas\nT2\tProtein 10 13\tRaf\n")
    (tmp_path / "a.a2").write_text("T3\tBinding 4 9\tbinds\nE1\tBinding:T3 Theme:T1 Theme2:T2\n")
    assert run(capsys, tmp_path / "a.txt", tmp_path / "pairs.jsonl", "--pairs", "protein")[0] == 0
    (document,) = relhash.read(tmp_path / "pairs.jsonl")
    assert [(relation.type, relation.targets) for relation in document.relations] == [("interaction", ("T1", "T2"))]
    assert len(document.mentions) == 2
    assert run(capsys, tmp_path / "a.txt", tmp_path / "pairs.jsonl", "--pairs", " ")[0] == 2
