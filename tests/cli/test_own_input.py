"""A command never writes over a file that it reads: `fit labels.xlsx -o labels.xlsx` once replaced the labels by the model."""

from __future__ import annotations

import pytest

from tests.cli.running import run

COMMANDS = {
    "fit": ["fit", "mine.tsv", "-o", "mine.tsv"],
    "fit, the text": ["fit", "other.tsv", "--adapt", "mine.tsv", "-o", "mine.tsv"],
    "fit, by another path": ["fit", "mine.tsv", "-o", "./mine.tsv"],
    "fit, by a link": ["fit", "linked.tsv", "-o", "mine.tsv"],
    "convert": ["convert", "mine.tsv", "mine.tsv"],
    "adapt, the text": ["adapt", "no.relhash", "mine.tsv", "-o", "mine.tsv"],
    "predict": ["predict", "ppi", "other.tsv", "mine.tsv", "-o", "mine.tsv"],
    "predict, the names": ["predict", "ppi", "other.tsv", "--lexicon", "mine.tsv", "-o", "mine.tsv"],
    "predict, the model": ["predict", "mine.tsv", "other.tsv", "-o", "mine.tsv"],
    "pairs": ["pairs", "mine.tsv", "-o", "mine.tsv"],
    "review, the answers": ["review", "ppi", "other.tsv", "--answers", "mine.tsv", "-o", "mine.tsv"],
    "evaluate, the plot": ["evaluate", "ppi", "mine.tsv", "--plot", "mine.tsv"],
    "inspect, the picture": ["inspect", "mine.tsv", "--picture", "mine.tsv"],
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_what_is_read_is_never_written_over(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.tsv").write_text("typed by hand")
    (tmp_path / "other.tsv").write_text("other")
    (tmp_path / "linked.tsv").symlink_to("mine.tsv")
    code, printed, said = run(capsys, *arguments)
    assert (code, printed) == (2, ""), said
    assert said.strip() == "error: mine.tsv: this file is read by the same command and would be lost; choose another name"
    assert (tmp_path / "mine.tsv").read_text() == "typed by hand"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["linked.tsv", "mine.tsv", "other.tsv"]


def test_a_model_may_be_moved_in_its_place(capsys, tmp_path, model, folder):
    moved = tmp_path / "mine.relhash"
    moved.write_bytes(model.read_bytes())
    code, _, said = run(capsys, "adapt", moved, folder / "fulltext.jsonl", "-o", moved, "--expect", "0.5", "--quiet")
    assert code == 0, said
    assert moved.read_bytes() != model.read_bytes()


def test_an_output_may_be_written_again(capsys, tmp_path, folder):
    for _ in range(2):
        code, _, said = run(capsys, "convert", folder / "raw.txt", tmp_path / "raw.jsonl")
        assert code == 0, said
