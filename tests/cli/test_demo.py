"""``relhash demo`` on the embedded corpora."""

from __future__ import annotations

import json

import pytest

from relhash.cli.main import main
from relhash.show import demonstration as comparison
from relhash.show.demonstration import survey


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


def test_text_shows_counts_paths_results_and_relations(capsys, output):
    out, _ = run(capsys, "--output", str(output))
    assert "1,596" in out
    assert "←nsubj" in out
    assert "Learned from abstracts, tested on fulltext" in out
    assert "gold agrees" in out
    assert "RAF1 binds to MEK1 in resting cells.  related" in out
    assert "RAF1 ←nsubj binds prep_to→ MEK1" in out
    assert "</html>" in (output / "report.html").read_text(encoding="utf-8")


def test_quiet_shows_only_the_result(capsys, output):
    out, err = run(capsys, "--quiet", "-o", str(output))
    assert err == ""
    assert "1,596" not in out
    assert "random" in out


def test_json_is_pure_and_seeded(capsys, output):
    first, err = run(capsys, "--json", "--seed", "3", "-o", str(output))
    assert err == ""
    found = json.loads(first)
    assert [corpus["name"] for corpus in found["corpora"]] == ["abstracts", "fulltext"]
    assert found["corpora"][1]["examples"]["related"][0]["path"][0]["kind"] == "participant"
    (row,) = found["results"]
    assert row["auc"] > 0.6
    assert len(found["relations"]) == 5
    assert [(row["entity1"], row["entity2"]) for row in found["raw_text"]] == [
        ("RAF1", "MEK1"), ("BRCA1", "TP53"), ("STAT3", "JAK2"),
    ]  # fmt: skip
    again = json.loads(run(capsys, "--json", "--seed", "3", "-o", str(output))[0])
    assert again["results"][0] | {"seconds": 0} == row | {"seconds": 0}
    assert again["relations"] == found["relations"]


def test_the_corpora_come_parsed_by_the_pipeline_that_ships():
    """A fresh clone must not parse them first."""
    survey(on_document=lambda document: pytest.fail(f"{document.id} was parsed: run tools/make_demo_corpora.py"))


@pytest.mark.slow
def test_every_system_learns_something(capsys, tmp_path):
    rows = json.loads(run(capsys, "--json", "-o", str(tmp_path))[0])["results"]
    assert [row["name"] for row in rows] == list(comparison.DEMO_MODELS)
    for row in rows:
        assert row["auc"] > 0.7
        assert row["precision"] > 0.45, "guessing gives 0.293"
