"""Benchmarks with a question of their own: what they print and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import relhash
from relhash.corpus import Corpus, Document, Mention, Relation
from relhash.corpus.document import Argument
from tests.candidates.drawn_sentences import draw
from tests.cli.test_benchmark import run


def test_assertion_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "benchmark", "assertion", "--data", tmp_path)
    assert code == 2
    assert "bionlp" in err


@pytest.fixture(scope="module")
def raw_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """RAF1 binds MEK1 in the two corpora of pairs, as an event in that of events."""
    root = tmp_path_factory.mktemp("raw")
    (root / "ppi").mkdir()
    text = "RAF1 binds to MEK1 in resting cells ."
    for name in ("HPRD50", "AIMed"):
        document = draw(text, names=["RAF1", "MEK1"], related=[(1, 2)])
        relhash.write(Corpus.of([document], name), root / "ppi" / f"{name}.xml", "unified-xml")
    mentions = [Mention(f"T{n}", "Protein", ((at, at + 4),), text[at : at + 4]) for n, at in ((1, 0), (2, 14))]
    trigger = Mention("T3", "Binding", ((5, 10),), "binds", is_trigger=True)
    event = Relation("E1", "Binding", (Argument("Theme", "T1"), Argument("Theme2", "T2")), "T3")
    (root / "bionlp" / "2013").mkdir(parents=True)
    events = Document("PMID-1", text, mentions=(*mentions, trigger), relations=(event,))
    relhash.write([events], root / "bionlp" / "2013" / "devel", "bionlp")
    relhash.write([events], root / "bionlp-more" / "2011-id" / "devel", "bionlp")
    return root


def test_raw_text_prints_json_and_a_table_and_writes_files(
    raw_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["benchmark", "raw-text", "--data", raw_data, "-o", tmp_path / "out"]
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert (report["protocol"], report["model"]) == ("raw-text", "ppi")
    assert [(row["corpus"], row["recall"]) for row in report["rows"]] == [
        ("HPRD50", 1),
        ("AIMed", 1),
        ("BioNLP 2013 devel", 1),
        ("BioNLP 2011 ID devel", 1),
    ]
    assert json.loads((tmp_path / "out" / "raw-text.json").read_text())["rows"] == report["rows"]
    code, out, _ = run(capsys, *arguments, "--quiet")
    assert code == 0
    assert "accepted, but: entity spurious" in out


def test_raw_text_says_what_is_missing(raw_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "benchmark", "raw-text", "--data", tmp_path)
    assert (code, "HPRD50.xml" in err) == (2, True)
    code, _, err = run(capsys, "benchmark", "raw-text", "--data", raw_data, "--model", "nobody")
    assert (code, "nobody" in err) == (2, True)
