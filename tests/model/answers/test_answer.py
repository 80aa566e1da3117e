from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import CorpusError
from relhash.model.answers.answer import Answer, answer_of, read_answers


@pytest.mark.parametrize(
    ("text", "answer"),
    [("yes", "yes"), ("TRUE", "yes"), ("✓", "yes"), ("ja", "yes"), ("n", "no"), ("0.0", "no"), ("skip", "skip"), ("?", "skip"),
     ("Entity Wrong", "entity wrong"), ("entity_wrong", "entity wrong"), ("g", "entity wrong"), ("Negated", "negated")],
)  # fmt: skip
def test_what_people_write(text, answer):
    assert answer_of(text) is Answer(answer)


@given(st.sampled_from(list(Answer)), st.sampled_from([str.upper, str.title, lambda text: f"  {text} "]))
def test_answers_are_read_back_however_written(answer, written):
    assert answer_of(written(answer.value)) is answer


def test_labels_of_answers():
    assert [answer.label for answer in Answer] == [True, False, None, None, False]
    assert [answer.is_right for answer in Answer] == [True, False, None, False, False]


def sheet(tmp_path, text, name="review.csv"):
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def test_a_sheet_as_excel_saves_it(tmp_path):
    lines = "Answer;Entity 1;entity2;draw;key\r\nyes;RAF1;MEK1;0.25;d|T1|T2\r\n;A;B;;d|T3|T4\r\n"
    path = sheet(tmp_path, lines.encode("utf-16"))
    (found,) = read_answers(path)
    assert (found.key, found.answer, found.draw, found.entities) == ("d|T1|T2", Answer.YES, 0.25, ("RAF1", "MEK1"))


def test_lines_of_json(tmp_path):
    lines = [{"key": "a", "answer": "no", "draw": None}, {"key": "b", "answer": ""}]
    path = sheet(tmp_path, "\n".join(map(json.dumps, lines)) + "\n", "review.answers.jsonl")
    assert [(one.key, one.answer) for one in read_answers(path)] == [("a", Answer.NO)]


@pytest.mark.parametrize(
    ("text", "said"),
    [("answer,key\nperhaps,a\n", "2: 'perhaps' is no answer; write one of yes, no"),
     ("answer,key\nyes,a\nno,a\n", "3: this question has another answer in 2"),
     ("answer,key\nyes,\n", "2: the row has no key"),
     ("answer,key\n,a\n", "not one answer"),
     ("answer,key,draw\nyes,a,often\n", "'often' is no number"),
     ("text,label\nx,1\n", "no columns 'answer' and 'key'")],
)  # fmt: skip
def test_errors_name_place_and_remedy(tmp_path, text, said):
    with pytest.raises(CorpusError) as error:
        read_answers(sheet(tmp_path, text))
    assert said in str(error.value)


@pytest.mark.parametrize(("name", "said"), [("gone.csv", "no such file"), ("review.html", "Save answers")])
def test_files_that_hold_no_answers(tmp_path, name, said):
    if name.endswith("html"):
        (tmp_path / name).write_text("<html>")
    with pytest.raises(CorpusError, match=said):
        read_answers(tmp_path / name)


@pytest.mark.parametrize("line", ["{", "[" * 3000])
def test_broken_json_is_told(tmp_path, line):
    with pytest.raises(CorpusError, match=r"x\.jsonl:1: not JSON"):
        read_answers(sheet(tmp_path, line, "x.jsonl"))


@pytest.mark.parametrize("draw", [[1], 10**400, "often"], ids=["list", "large", "word"])
def test_a_draw_that_is_no_number_is_told(tmp_path, draw):
    with pytest.raises(CorpusError, match=r"x\.jsonl:1: draw: .{1,60} is no number"):
        read_answers(sheet(tmp_path, json.dumps({"key": "a", "answer": "yes", "draw": draw}), "x.jsonl"))
