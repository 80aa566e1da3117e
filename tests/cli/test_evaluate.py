"""relhash evaluate: figures, mistakes, leakage."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import relhash
from relhash.cli.evaluate import _show_confusion
from relhash.corpus import Corpus
from tests.cli.interaction_corpora import NAMES, standoff
from tests.cli.running import run


def test_evaluate_has_the_promised_keys(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "evaluate", model, folder / "fulltext.jsonl", "--json", "--errors", "--plot", tmp_path / "pr.png"
    )
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert {"precision", "recall", "f1", "f1_oracle", "auc", "average_precision", "n", "positive"} <= set(report)
    assert report["f1_interval"][0] <= report["f1"] <= report["f1_interval"][1]
    assert report["leakage"]["shared_sentences"] == 0
    assert sum(row["candidates"] for row in report["by_assertion"].values()) == report["n"]
    wrong = [row for row in report["errors"] if row["kind"] == "wrongly found"]
    assert all(not row["gold"] for row in wrong)
    assert (tmp_path / "pr.png").read_bytes()[:4] == b"\x89PNG"


def test_evaluate_on_the_training_text_says_so(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "evaluate", model, folder / "abstracts.jsonl", "--errors", "--quiet")
    assert code == 0
    assert "too good" in out
    assert "oracle" in out
    assert "negated and questioned pairs count as found here" in out


def test_what_is_no_model_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "evaluate", folder / "fulltext.jsonl", folder / "fulltext.jsonl")
    assert code == 2
    assert "error: " in err


def test_what_is_skipped_is_said(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text((folder / "fulltext.jsonl").read_text() + '{"id":"broken"}\n')
    code, _, err = run(capsys, "evaluate", model, gold, "--lenient", "--json")
    assert code == 0
    assert f"1 broken document skipped in {gold}:" in err


def test_mistakes_are_shown_with_their_sentence(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "evaluate", model, folder / "fulltext.jsonl", "--errors", "--quiet")
    assert code == 0
    mistakes = [line for line in out.splitlines() if line.startswith(("missed", "wrongly found"))]
    sentences = [line for line in out.splitlines() if "[E1]" in line and "[/E2]" in line]
    assert 0 < len(mistakes) == len(sentences)


def test_gold_without_relations_is_refused(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = [replace(one, relations=()) for one in relhash.read(folder / "fulltext.jsonl")]
    relhash.write(Corpus.of(documents, "bare"), tmp_path / "bare.jsonl")
    code, out, err = run(capsys, "evaluate", model, tmp_path / "bare.jsonl", "--quiet")
    assert (code, out) == (2, "")
    assert "bare.jsonl" in err
    assert "not one relation" in err
    assert err.count("\n") == 1


def test_types_and_their_confusion_are_shown(
    interaction_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    standoff(tmp_path / "gold", list(permutations(NAMES, 2)))
    code, out, _ = run(capsys, "evaluate", interaction_model, tmp_path / "gold", "--quiet")
    assert code == 0
    for word in ("micro", "macro", "found as", "no relation"):
        assert word in out


def test_many_types_have_letters_over_their_columns(capsys: pytest.CaptureFixture[str]) -> None:
    types = ["Binding", "Gene_expression", "Localization", "Phosphorylation", "Regulation", "no relation"]
    _show_confusion({gold: {found: 10 * row + column for column, found in enumerate(types)} for row, gold in enumerate(types)})
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[0][-6:] == list("ABCDEF")
    assert lines[3] == ["B", "Gene_expression", *map(str, range(10, 16))]
    _show_confusion({"Binding": {"Binding": 1, "no relation": 2}})
    assert "Binding   no relation" in capsys.readouterr().out


def test_interactions_count_with_and_without_the_word_that_says_them(
    interaction_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The annotation names another word of the sentence: with the word nothing is right, without it something is."""
    for answers in standoff(tmp_path / "gold", list(permutations(NAMES, 2))).glob("*.a2"):
        text = answers.with_suffix(".txt").read_text()
        start = text.index("cells")
        moved = [
            f"T3\t{line.split()[1]} {start} {start + 5}\tcells" if line.startswith("T3") else line
            for line in answers.read_text().splitlines()
        ]
        answers.write_text("\n".join(moved) + "\n" if moved else "")
    # one sentence as it was: without any relation among the candidates there is nothing to measure
    standoff(tmp_path / "own", [(NAMES[0], NAMES[1])])
    for path in (tmp_path / "own").iterdir():
        path.rename(tmp_path / "gold" / path.name)
    code, out, _ = run(capsys, "evaluate", interaction_model, tmp_path / "gold", "--json", "--quiet")
    report = json.loads(out)
    assert code == 0
    assert report["stated_any_word"]["stated"] == report["stated"]["stated"]
    assert report["stated_any_word"]["right"] > report["stated"]["right"]
    code, out, _ = run(capsys, "evaluate", interaction_model, tmp_path / "gold", "--quiet")
    label = "the same, whatever word says it"
    assert set(label.split()) <= set(out.split())  # a narrow terminal folds it
