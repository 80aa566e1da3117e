"""``relhash demo`` on the embedded corpora."""

from __future__ import annotations

import json

import pytest

from relhash.cli.main import main


def run(capsys, *arguments: str) -> str:
    with pytest.raises(SystemExit) as exited:
        main(["demo", *arguments])
    captured = capsys.readouterr()
    assert not exited.value.code
    assert captured.err == ""
    return captured.out


def test_text_shows_counts_and_paths(capsys):
    out = run(capsys)
    assert "abstracts" in out
    assert "1,607" in out
    assert "←nsubj" in out


def test_quiet_shows_only_the_table(capsys):
    out = run(capsys, "--quiet")
    assert "fulltext" in out
    assert "←" not in out


def test_json_is_pure(capsys):
    found = json.loads(run(capsys, "--json"))
    assert [corpus["name"] for corpus in found["corpora"]] == ["abstracts", "fulltext"]
    assert found["corpora"][0]["positive"] > 300
    assert found["corpora"][1]["examples"]["related"][0]["path"][0]["kind"] == "participant"
