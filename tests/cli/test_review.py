"""relhash review and back: questions out, answers in, a model that has learned from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from relhash.model import FittedModel
from relhash.model.tables import read_rows
from tests.cli.running import run


def answer_by_gold(path: Path, text: Path, model: Path) -> None:
    gold = {candidate.key: candidate.is_positive for candidate in FittedModel.load(model).candidates(text)}
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    names = header.split("\t")
    keys = [line.split("\t")[names.index("key")] for line in lines]
    filled = [("yes" if gold[key] else "no") + line for key, line in zip(keys, lines, strict=True)]
    path.write_text("\n".join([header, *filled]) + "\n", encoding="utf-8")


def test_from_questions_to_a_taught_model(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, sheet, taught = folder / "fulltext.jsonl", tmp_path / "review.tsv", tmp_path / "taught.relhash"
    code, _, asked = run(capsys, "review", model, text, "-o", sheet, "--n", "40")
    assert code == 0
    assert "40 questions of" in asked
    assert f"relhash fit --answers {sheet} --prior {model} --adapt {text} -o taught.relhash" in asked
    answer_by_gold(sheet, text, model)
    code, out, err = run(capsys, "fit", "--answers", sheet, "--prior", model, "--adapt", text, "-o", taught)
    assert code == 0
    assert "taught on" in out
    assert "too few answers to say how many accepted rows are right" in err
    after = FittedModel.load(taught)
    rows = [row for _, row in read_rows(sheet)]
    assert sum(after.card["taught"]["answers"].values()) == len(rows) > 40  # rows nearly the same follow a question
    assert f"{len(rows) - 40} rows nearly the same as one of them" in asked
    assert after.evaluate(text).auc > FittedModel.load(model).evaluate(text).auc
    # a sheet and answers together: the sheet is learned first
    both = ("fit", folder / "abstracts.jsonl", "--answers", sheet, "--adapt", text, "-o", tmp_path / "both.relhash")
    code, out, _ = run(capsys, *both, "--prior", "none", "--labels", "60")
    assert code == 0
    assert "60 labelled pairs" in " ".join(out.split())
    assert sum(FittedModel.load(tmp_path / "both.relhash").card["taught"]["answers"].values()) > 0
    # the next round asks for nothing twice
    code, _, _ = run(capsys, "review", model, text, "-o", tmp_path / "more.tsv", "--answers", sheet, "--n", "30", "--quiet")
    assert code == 0
    first, second = ({row["key"] for _, row in read_rows(path)} for path in (sheet, tmp_path / "more.tsv"))
    assert len(second) >= 30
    assert first.isdisjoint(second)


def test_questions_drawn_at_random_tell_how_many_rows_are_right(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, sheet = folder / "fulltext.jsonl", tmp_path / "review.tsv"
    code, _, _ = run(capsys, "review", model, text, "-o", sheet, "--n", "100", "--order", "random", "--quiet")
    assert code == 0
    answer_by_gold(sheet, text, model)
    code, _, err = run(capsys, "fit", "--answers", sheet, "--prior", model, "--adapt", text, "-o", tmp_path / "m.relhash")
    assert code == 0
    assert "of the accepted rows of this text are right" in err


def test_a_warranty_asks_until_it_can_tell(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, sheet = folder / "fulltext.jsonl", tmp_path / "review.tsv"
    ask = ["review", model, text, "--warrant", "0.5", "--n", "60"]
    code, _, err = run(capsys, *ask, "-o", sheet)
    assert (code, "no answer to a question drawn at random yet" in err) == (0, True)
    assert all(row["draw"] for _, row in read_rows(sheet))  # every question is drawn
    sheet.write_text(sheet.read_text("utf-8").replace("\n", "\nyes").removesuffix("yes"), "utf-8")  # everything is right
    code, _, err = run(capsys, *ask, "--answers", sheet, "-o", tmp_path / "more.tsv")
    assert (code, "warranted: " in err) == (0, True)
    assert not (tmp_path / "more.tsv").exists()
    sheet.write_text(sheet.read_text("utf-8").replace("\nyes", "\nno"), "utf-8")
    code, _, err = run(capsys, *ask, "--answers", sheet, "-o", tmp_path / "more.tsv")
    assert (code, "50% cannot be reached" in err) == (0, True)


def test_review_as_a_page_and_as_json(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "review.html"
    code, out, _ = run(capsys, "review", model, folder / "fulltext.jsonl", "-o", page, "--n", "7", "--order", "pair", "--json")
    assert code == 0
    assert json.loads(out)["questions"] == 7
    assert page.read_text(encoding="utf-8").count("<article") == 7


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--prior", "MODEL"], "--adapt TEXT"),
     (["--prior", "none", "--adapt", "TEXT"], "--prior MODEL"),
     (["--prior", "MODEL", "--adapt", "OTHER"], "which the text does not have"),
     (["--prior", "MODEL", "--adapt", "TEXT", "--threshold", "share:0.2"], "only a probability")],
)  # fmt: skip
def test_what_is_wrong_is_said(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    sheet = tmp_path / "answers.csv"
    key = FittedModel.load(model).candidates(folder / "fulltext.jsonl")[0].key
    sheet.write_text(f"answer,key\nyes,{key}\n")
    places = {"MODEL": model, "TEXT": folder / "fulltext.jsonl", "OTHER": folder / "abstracts.jsonl"}
    given = [places.get(argument, argument) for argument in arguments]
    code, _, err = run(capsys, "fit", "--answers", sheet, *given, "-o", tmp_path / "m.relhash")
    assert code == 2
    assert said in err
    assert not (tmp_path / "m.relhash").exists()


def test_names_that_differ_are_told(folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "answers.csv"
    key = FittedModel.load(model).candidates(folder / "fulltext.jsonl")[0].key
    sheet.write_text(f"answer,key,entity1,entity2\nyes,{key},Nobody,Noone\n")
    given = ["--prior", model, "--adapt", folder / "fulltext.jsonl", "-o", tmp_path / "m.relhash"]
    code, _, err = run(capsys, "fit", "--answers", sheet, *given)
    assert code == 2
    assert f"{sheet}:2: an answer about Nobody and Noone" in err
