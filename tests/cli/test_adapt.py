"""relhash adapt: a model file in, a model file out, and what is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from relhash.model import FittedModel
from tests.cli.running import run


def test_adapt_moves_the_threshold_and_says_so(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "adapt", model, folder / "fulltext.jsonl", "-o", tmp_path / "moved.relhash")
    assert code == 0
    assert "moved to that text" in out
    assert "threshold moved from score" in err
    before, after = FittedModel.load(model), FittedModel.load(tmp_path / "moved.relhash")
    assert after.decision.threshold.basis == "target"
    assert after.card["adapted_later"]["moved"] == ["threshold", "calibration"]
    assert after.card["training"] == before.card["training"]


def test_adapt_takes_an_expected_share(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = folder / "fulltext.jsonl"
    code, out, _ = run(capsys, "adapt", model, text, "-o", tmp_path / "m.relhash", "--expect", "0.1", "--json")
    assert code == 0
    card = json.loads(out)["card"]
    assert card["threshold"]["strategy"] == "share:0.1"
    assert card["accepted"] == pytest.approx(0.1, abs=0.03)
    code, _, err = run(capsys, "adapt", model, text, "-o", tmp_path / "n.relhash", "--expect", "2")
    assert code == 2
    assert "expect=2" in err
    assert not (tmp_path / "n.relhash").exists()


def test_predict_names_the_remedy_for_text_unlike_the_model(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("predict", model, folder / "fulltext.jsonl", "-o", tmp_path / "out.tsv")
    monkeypatch.setattr(FittedModel, "unlike", lambda *_: "it is in verse")
    code, _, err = run(capsys, *arguments)
    assert code == 0
    assert "unlike what the model was adapted to: it is in verse" in err
    assert f"relhash adapt {model}" in err
    _, _, err = run(capsys, *arguments, "--threshold", "0.5")
    assert "unlike" not in err
    monkeypatch.setattr(FittedModel, "unlike", lambda *_: "")
    _, _, err = run(capsys, *arguments)
    assert "unlike" not in err
