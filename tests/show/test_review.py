"""Questions as a sheet and as a page, and the way back: every format gives the answers that a person wrote into it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from relhash.errors import ParameterError
from relhash.model.answers.answer import Answer, read_answers
from relhash.show.review import review_page, write_review

HOSTILE = '<script>alert(1)</script>\u202e "=1+1'


def rows(n: int = 6) -> list[dict[str, object]]:
    return [
        {
            "answer": "", "document": f"d{number}", "entity1": "RAF1", "type1": "protein", "start1": 0, "end1": 4, "ids1": "",
            "entity2": f"={number}+1", "type2": "protein", "start2": 9, "end2": 12, "ids2": "", "relation": "binds",
            "probability": 0.5, "assertion": "asserted", "is_relation": True, "evidence": "RAF1 — binds — X",
            "sentence": f"RAF1 binds {HOSTILE}", "marked": f"[E1]RAF1[/E1] binds [E2]X[/E2] {HOSTILE}", "directed": False,
            "model": "m", "model_version": "1", "why": "uncertain (0.50)", "key": f"d{number}|T1|T2",
            "draw": "0.125" if number == 4 else "",
        }
        for number in range(n)
    ]  # fmt: skip


def fill(path: Path, answers: list[str]) -> None:
    """What a person does with the sheet."""
    if path.suffix == ".xlsx":
        from openpyxl import load_workbook

        book = load_workbook(path)
        sheet = book.worksheets[0]
        assert sheet["A1"].value == "answer"
        assert sheet.data_validations.dataValidation[0].formula1 == '"yes,no,skip,entity wrong,negated"'
        for number, answer in enumerate(answers, 2):
            sheet.cell(number, 1).value = answer or None
        book.save(path)
        return
    separator = "\t" if path.suffix == ".tsv" else ","
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    filled = [f"{answer}{line}" for line, answer in zip(lines, answers, strict=True)]
    assert header.startswith(f"answer{separator}")
    path.write_text("\n".join([header, *filled]) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", ["review.xlsx", "review.tsv", "review.csv"])
def test_a_sheet_comes_back_with_its_answers(tmp_path, name):
    path = tmp_path / name
    assert write_review(rows(), path, "Questions") == 6
    fill(path, ["yes", "no", "", "skip", "entity wrong", "negated"])
    found = read_answers(path)
    assert [one.key for one in found] == [f"d{number}|T1|T2" for number in (0, 1, 3, 4, 5)]
    assert [one.answer for one in found] == list(Answer)
    assert [one.draw for one in found] == [None, None, None, 0.125, None]
    assert found[1].entities == ("RAF1", "=1+1")  # what would be a formula comes back as it was


def test_the_page_is_harmless_and_complete(tmp_path):
    page = review_page(rows(), HOSTILE)
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert page.count("<article") == 6
    assert page.count("<script") == 1
    assert "http:" not in page
    assert "https:" not in page
    assert page.count('data-answer="entity wrong"') == 6
    assert 'data-draw="0.125"' in page
    assert write_review(rows(), tmp_path / "review.html", "Questions") == 6


def test_what_the_page_saves_is_read(tmp_path):
    saved = {"key": "d0|T1|T2", "answer": "negated", "draw": "", "entity1": "RAF1", "entity2": "=0+1"}
    (tmp_path / "review.answers.jsonl").write_text(json.dumps(saved) + "\n")
    (found,) = read_answers(tmp_path / "review.answers.jsonl")
    assert (found.answer, found.draw) == (Answer.NEGATED, None)


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="no format of tables"):
        write_review(rows(), tmp_path / "review.docx", "Questions")
