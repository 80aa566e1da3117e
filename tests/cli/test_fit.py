"""relhash fit, predict and evaluate, as a user types them, on parts of the embedded corpora."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import relhash
from relhash.cli import console
from relhash.cli.main import main
from relhash.corpus import Corpus
from relhash.models import RelationExtractor
from relhash.resources import resource_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exited:
        main(list(map(str, arguments)))
    captured = capsys.readouterr()
    return int(exited.value.code or 0), captured.out, captured.err


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cli")
    for name, n in (("abstracts", 30), ("fulltext", 15)):
        documents = list(relhash.read(resource_path("demo") / f"{name}.jsonl.gz"))[:n]
        relhash.write(Corpus.of(documents, name), root / f"{name}.jsonl")
    return root


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    """A quick model, made through the command."""
    path = folder / "model.relhash"
    with pytest.raises(SystemExit) as exited:
        main(
            ["fit", str(folder / "abstracts.jsonl"), "--adapt", str(folder / "fulltext.jsonl"), "-o", str(path), "--quiet",
             "--preset", "KLSH-NU-RF", "--classifier", "linear C=0.1", "--views", "path+edges,window(2,2)"]
        )  # fmt: skip
    assert (exited.value.code or 0) == 0
    return path


def test_fit_says_what_it_made(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "fit", folder / "abstracts.jsonl", "-o", tmp_path / "m.relhash", "--preset", "KLSH-NU-RF", "--labels", "80",
        "--classifier", "linear C=0.1", "--threshold", "precision:0.8", "--types", "protein", "--seed", "3", "--json",
    )  # fmt: skip
    assert code == 0
    report = json.loads(out)
    assert report["card"]["training"]["labelled"] == 80
    assert report["card"]["threshold"]["strategy"] == "precision:0.8"
    assert report["card"]["seed"] == 3
    assert report["bytes"] == (tmp_path / "m.relhash").stat().st_size < 5_000_000


def test_the_supervised_learner_shows_how_far_it_is(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter(range(10_000))
    monkeypatch.setattr(console.time, "monotonic", lambda: next(seconds))  # a line a second, a second a look
    code, _, err = run(
        capsys, "fit", folder / "abstracts.jsonl", "-o", tmp_path / "m.relhash", "--preset", "KLSH-RF", "--views", "between",
        "--labels", "40", "--classifier", "linear C=0.1",
    )  # fmt: skip
    assert code == 0
    lines = [line for line in err.splitlines() if line.startswith("choosing references: ")]
    assert len(lines) > 10
    assert all(re.fullmatch(r"choosing references: (\d+)/\d+, \d+ s, objective \d\.\d{3}", line) for line in lines)


def test_views_are_split_outside_parentheses(model: Path) -> None:
    assert RelationExtractor.load(model).settings.views == ("path+edges", "window(2,2)")


def test_predict_prints_a_table(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "predict", model, folder / "fulltext.jsonl")
    assert code == 0
    rows = list(csv.DictReader(out.splitlines(), delimiter="\t"))
    expected = RelationExtractor.load(model).predict(folder / "fulltext.jsonl")
    assert [row["entity1"] for row in rows] == [prediction.as_row()["entity1"] for prediction in expected]
    assert all(row["evidence"] for row in rows)


def test_predict_looks_at_as_many_pairs_as_it_is_told(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def rows(*options: str) -> tuple[list[dict[str, str]], list[str]]:
        code, out, err = run(capsys, "predict", model, folder / "fulltext.jsonl", "--all", "--quiet", *options)
        assert code == 0
        return list(csv.DictReader(out.splitlines(), delimiter="\t")), err.splitlines()

    everything, said = rows()
    assert said == []
    some, said = rows("--max-pairs", "1")
    assert all(line.startswith("warning: document ") for line in said)
    assert 0 < len({row["sentence"] for row in some}) == len(some) < len(everything)
    assert all(row in everything for row in some)
    crowded = [sentence for sentence, n in Counter(row["sentence"] for row in everything).items() if n > 1]
    assert len(said) == len(crowded)


@pytest.mark.parametrize("name", ["out.tsv", "out.csv", "out.jsonl", "out.tsv.gz"])
def test_predict_writes_rows_by_suffix(
    name: str, folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "predict", model, folder / "fulltext.jsonl", "-o", tmp_path / name, "--all")
    assert (code, out) == (0, "")
    content = (tmp_path / name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    lines = text.splitlines()
    n = len(RelationExtractor.load(model).candidates(folder / "fulltext.jsonl"))
    assert len(lines) == n + (0 if name.endswith(".jsonl") else 1)
    assert f"{n:,} candidates" in err
    if name.endswith(".jsonl"):
        assert set(json.loads(lines[0])) >= {"document", "entity1", "probability", "evidence"}


@pytest.mark.parametrize("name", ["out.bioc.json", "brat"])
def test_predict_writes_annotated_documents(
    name: str, folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--to", "brat"] if name == "brat" else ["--to", "bioc-json"]
    code, _, _ = run(capsys, "predict", model, folder / "fulltext.jsonl", "-o", tmp_path / name, *arguments)
    assert code == 0
    found = RelationExtractor.load(model).predict(folder / "fulltext.jsonl")
    written = relhash.read(tmp_path / name)
    assert sum(len(document.relations) for document in written) == len(found)


def test_predict_as_json_and_with_another_threshold(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "predict", model, folder / "fulltext.jsonl", "--json", "--all")
    rows = json.loads(out)
    _, out, _ = run(capsys, "predict", model, folder / "fulltext.jsonl", "--json", "--threshold", "0.4")
    assert {row["probability"] for row in json.loads(out)} == {r["probability"] for r in rows if r["probability"] >= 0.4}


def test_evaluate_has_the_promised_keys(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "evaluate", model, folder / "fulltext.jsonl", "--json", "--errors", "--plot", tmp_path / "pr.png"
    )
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert {"precision", "recall", "f1", "f1_oracle", "auc", "average_precision", "n", "positive"} <= set(report)
    assert report["f1_interval"][0] <= report["f1"] <= report["f1_interval"][1]
    assert report["leakage"]["shared_sentences"] == 0
    wrong = [row for row in report["errors"] if row["kind"] == "wrongly found"]
    assert all(not row["gold"] for row in wrong)
    assert (tmp_path / "pr.png").read_bytes()[:4] == b"\x89PNG"


def test_evaluate_on_the_training_text_says_so(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "evaluate", model, folder / "abstracts.jsonl", "--errors", "--quiet")
    assert code == 0
    assert "too good" in out
    assert "oracle" in out


class TestBadInput:
    """One line on standard error, exit code 2, no file left behind."""

    def test_fit(self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        train = folder / "abstracts.jsonl"
        for arguments in (["--preset", "KLSH"], ["--views", "nothing"], ["--threshold", "best"], ["--classifier", "oracle"]):
            code, out, err = run(capsys, "fit", train, "-o", tmp_path / "m.relhash", "--quiet", *arguments)
            assert (code, out) == (2, ""), arguments
            assert err.startswith("error: ")
            assert err.count("\n") == 1
        assert not list(tmp_path.iterdir())

    def test_no_such_files(self, folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for arguments in (
            ["fit", tmp_path / "absent.xml", "-o", tmp_path / "m.relhash"],
            ["predict", tmp_path / "absent.relhash", folder / "fulltext.jsonl"],
            ["predict", model, tmp_path / "absent.xml"],
            ["evaluate", folder / "fulltext.jsonl", folder / "fulltext.jsonl"],
        ):
            code, _, err = run(capsys, *arguments)
            assert code == 2, arguments
            assert "error: " in err

    def test_text_without_entities(self, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "raw.txt").write_text("Ras binds Raf.\n")
        code, _, err = run(capsys, "predict", model, tmp_path / "raw.txt", "-o", tmp_path / "out.tsv")
        assert code == 2
        assert "no entities" in err
        assert not (tmp_path / "out.tsv").exists()
