"""relhash benchmark: what it prints and refuses (what it computes is tested in tests/bench)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import relhash
from relhash.bench.benchmarks import OWN
from relhash.bench.protocols import PROTOCOLS
from relhash.cli.main import main
from relhash.corpus import Corpus
from relhash.resources import resource_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exited:
        main(list(map(str, arguments)))
    captured = capsys.readouterr()
    return int(exited.value.code or 0), captured.out, captured.err


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    (root / "ppi").mkdir()
    for name, file in (("abstracts", "AIMed"), ("fulltext", "BioInfer")):
        documents = list(relhash.read(resource_path("demo") / f"{name}.jsonl.gz"))[:15]
        relhash.write(Corpus.of(documents, file), root / "ppi" / f"{file}.xml", "unified-xml")
    return root


def test_prints_json_and_writes_files(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["benchmark", "ppi-cross", "--systems", "ngram-lr", "--seeds", "1", "--data", data, "-o", tmp_path / "out"]
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["protocol"] == "ppi-cross"
    assert {row["direction"] for row in report["rows"]} == {"A→B", "B→A"}
    assert {row["variant"] for row in report["rows"]} == {"all", "no-shared"}
    assert json.loads((tmp_path / "out" / "ppi-cross.json").read_text())["rows"] == report["rows"]
    code, out, _ = run(capsys, *arguments, "--quiet")  # from the finished cells
    assert code == 0
    assert "ngram-lr" in out
    assert "leakage" in out
    monkeypatch.setattr("relhash.bench.report.MANY", 0)  # more systems than fit: one line each
    code, out, _ = run(capsys, *arguments, "--quiet")
    assert code == 0
    assert "F1 (precision, recall)" in " ".join(out.split())  # a narrow terminal breaks the line
    assert "no-shared" not in out


def test_tables_are_made_again_from_kept_cells(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    run(capsys, "benchmark", "ppi-cross", "--systems", "ngram-lr", "--seeds", "1", "--data", data, "-o", out, "--quiet")
    before = json.loads((out / "ppi-cross.json").read_text())
    (out / "ppi-cross.json").unlink()
    code, printed, err = run(capsys, "benchmark", "--recompute", out, "--json")
    assert (code, err) == (0, "")
    assert json.loads(printed)["rows"] == before["rows"]
    assert json.loads((out / "ppi-cross.json").read_text())["differences"] == before["differences"]
    for arguments in (["ppi-cv", "--recompute", out], ["--recompute", tmp_path]):
        code, _, err = run(capsys, "benchmark", *arguments)
        assert code == 2
        assert err.startswith("error: ")


def test_without_a_name_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed, _ = run(capsys, "benchmark")
    assert code == 0
    asked = json.loads(run(capsys, "benchmark", "--json")[1])
    assert list(asked) == list(dict.fromkeys([*PROTOCOLS, *OWN]))
    assert all(name in printed and asks for name, asks in asked.items())


def test_bad_input(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["ppi"], ["ppi-cross", "--systems", "KLSH", "--data", data], ["ppi-cross", "--data", tmp_path]):
        code, _, err = run(capsys, "benchmark", *arguments)
        assert code == 2
        assert err.startswith("error: ")


def test_pubmed45_says_what_to_obtain(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.json").write_text("[]")
    for given in ([], ["--path", tmp_path / "p.json"]):
        code, _, err = run(capsys, "benchmark", "pubmed45", "--data", data, *given)
        assert code == 2
        assert "Garg et al. (2016)" in err
        assert "--path FILE --amr FOLDER" in err
    code, _, err = run(capsys, "benchmark", "ppi-cross", "--data", data, "--amr", tmp_path)
    assert (code, "--amr" in err) == (2, True)
