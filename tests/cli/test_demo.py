"""``relhash demo`` on the embedded corpora."""

from __future__ import annotations

import json

import pytest

import relhash
from relhash.candidates import candidates
from relhash.cli.main import main
from relhash.corpus.read_write import demo_excerpts
from relhash.model.reading.reader import EMBEDDED, ParseSettings, Reader
from relhash.show import demonstration as comparison


def run(capsys, *arguments: str) -> tuple[str, str]:
    with pytest.raises(SystemExit) as exited:
        main(["demo", *arguments])
    captured = capsys.readouterr()
    assert not exited.value.code, captured.err
    return captured.out, captured.err


@pytest.fixture
def output(tmp_path, monkeypatch):
    """Only the quickest system; the whole comparison is for the slow test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(comparison, "DEMO_MODELS", {"random": comparison.DEMO_MODELS["random"]})
    return tmp_path / "new" / "folder"


def test_text_shows_what_is_read_learned_compared_and_found(capsys, output):
    out, _ = run(capsys, "--output", str(output))
    for chapter in ("Read:", "Teach: 60 labels", "Compare:", "Find:"):
        assert chapter in out
    assert "HGNC:" in out
    assert "RUNX1" in out
    assert "</html>" in (output / "report.html").read_text(encoding="utf-8")
    assert len(list((output / "text").glob("*.txt"))) == 14
    labels = [pair.is_positive for pair in candidates(relhash.read(output / "labels.csv").documents)]
    assert 20 < sum(labels) < len(labels) - 20 < 60


def test_json_is_pure_and_seeded(capsys, output):
    first, err = run(capsys, "--json", "--seed", "3", "-o", str(output))
    assert err == ""
    found = json.loads(first)
    assert found["read"][0]["ids1"]
    assert found["taught"]["auc"][1] > 0.7
    (row,) = found["results"]
    assert row["auc"] > 0.6
    assert len(found["relations"]) == 5
    assert found["alike"]["found"][0]["similarity"] > 0.3
    again = comparison.compare(*demo_excerpts(), comparison.DEMO_MODELS, seed=3)
    assert again.results[0].auc == row["auc"]
    assert [one.probability for one in again.relations] == [one["probability"] for one in found["relations"]]


def test_the_corpora_come_parsed_by_the_pipeline_that_ships():
    """A fresh clone must not parse them first."""
    reader = Reader(ParseSettings(EMBEDDED))
    for corpus in demo_excerpts():
        for _ in reader(corpus, tag=False, on_document=lambda one: pytest.fail(f"{one.id}: run tools/make_demo_corpora.py")):
            pass


@pytest.mark.slow
def test_every_system_learns_something(capsys, tmp_path):
    rows = json.loads(run(capsys, "--json", "-o", str(tmp_path))[0])["results"]
    assert [row["name"] for row in rows] == list(comparison.DEMO_MODELS)
    for row in rows:
        assert row["auc"] > 0.6
        assert row["precision"] > 0.15, "guessing gives 0.118"
