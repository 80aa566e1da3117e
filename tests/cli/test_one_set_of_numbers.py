"""One model and one text have one count of accepted rows and one lowest probability, whichever command says so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from relhash.curate.api import progress_of
from relhash.curate.curation import Curation
from relhash.curate.store import AnswerStore, identity_of_text
from relhash.model import FittedModel
from relhash.model.answers.teaching import Teaching
from relhash.model.card import card_summary
from tests.cli.running import run

SHEET = "text,protein1,protein2,interacts\n" + "".join(
    f"{first} {verb} {second}.,{first},{second},{label}\n"
    for verb, label in (("binds to", "yes"), ("was measured like", "no"))
    for first, second in (("RAF1", "MEK1"), ("STAT3", "JAK2"), ("EGFR", "GRB2"), ("p53", "MDM2"))
)
RAW = (
    "Tumor necrosis factor (TNF) binds to TNFR1 in cells.\nRAF1 and MEK1 were measured.\nSTAT3 does not bind to JAK2.\n"
    "EGFR interacts with GRB2 and SOS1.\n"
)


def said_by_all(capsys: pytest.CaptureFixture[str], model: Path, text: Path, place: Path) -> dict[str, Any]:
    _, _, predicted = run(capsys, "predict", model, text, "-o", place / "rows.tsv")
    _, explained, _ = run(capsys, "explain", model, text, "-o", place / "why.html", "--json")
    fitted = FittedModel.load(model)
    teaching = Teaching.of(fitted, text)
    curation = Curation(teaching, AnswerStore("sqlite://", identity_of_text(fitted, teaching.candidates)))
    progress = progress_of(curation)
    curation.close()
    counted = re.search(r"(\d+) relations \(\d+% of ([\d,]+) candidates, from probability ([\d.]+) on\)", predicted)
    assert counted is not None
    assert counted[0] in card_summary(fitted.card, "m")
    why = json.loads(explained)
    return {
        "predict": (int(counted[1]), int(counted[2].replace(",", "")), counted[3]),
        "explain": (why["accepted"], why["candidates"], f"{why['lowest']:.2f}"),
        "curate": (progress["accepted"], progress["total"], f"{progress['threshold']:.2f}"),
    }


def test_of_raw_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text(SHEET)
    (tmp_path / "raw.txt").write_text(RAW)
    model = tmp_path / "m.relhash"
    assert run(capsys, "fit", tmp_path / "sheet.csv", "--adapt", tmp_path / "raw.txt", "-o", model)[0] == 0
    assert len(set(said_by_all(capsys, model, tmp_path / "raw.txt", tmp_path).values())) == 1


def test_of_annotated_text(capsys: pytest.CaptureFixture[str], folder: Path, model: Path, tmp_path: Path) -> None:
    found = said_by_all(capsys, model, folder / "fulltext.jsonl", tmp_path)
    _, evaluated, _ = run(capsys, "evaluate", model, folder / "fulltext.jsonl", "--json")
    rows = json.loads(evaluated)["rows"]
    assert {(rows["accepted"], rows["candidates"], f"{rows['lowest']:.2f}"), *found.values()} == {found["predict"]}
