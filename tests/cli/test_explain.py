"""relhash explain: one page, or one line that says why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run


def test_explain_writes_a_page(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "why.html"
    given = [folder / "fulltext.jsonl", "-o", page, "--top", "5", "--labelled", folder / "abstracts.jsonl"]
    code, _, err = run(capsys, "explain", model, *given)
    assert code == 0
    assert "; 5 candidates explained in" in err
    text = page.read_text(encoding="utf-8")
    assert text.count('<article class="relation"') == 5
    assert "From the labelled corpus." in text


@pytest.mark.parametrize(("name", "said"), [("why.pdf", "name it .html"), ("gone/why.html", "mkdir -p")])
def test_what_cannot_be_written_is_said_first(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    code, _, err = run(capsys, "explain", model, folder / "fulltext.jsonl", "-o", tmp_path / name)
    assert code == 2
    assert said in err


def test_explain_tells_a_program_what_it_did(capsys, folder, model, tmp_path):
    page = tmp_path / "why.html"
    code, printed, said = run(capsys, "explain", model, folder / "fulltext.jsonl", "-o", page, "--top", "2", "--json")
    assert (code, said) == (0, "")
    told = json.loads(printed)
    assert (told["explained"], told["output"]) == (2, str(page))
    assert 0 < told["accepted"] < told["candidates"]


@pytest.mark.parametrize("command", ["review", "explain"])
def test_types_and_threshold_hold_wherever_text_is_read(capsys, tmp_path, command):
    (tmp_path / "a.txt").write_text("RAF1 binds to MEK1. Aspirin inhibits COX1.")
    out = tmp_path / "out.html"
    code, printed, _ = run(capsys, command, "related", tmp_path / "a.txt", "-o", out, "--types", "chemical-protein", "--json")
    assert code == 0
    assert json.loads(printed)["candidates"] == 1
