"""A name that somebody corrects while answering: kept, shown, exported, and used when the text is read again."""

from __future__ import annotations

import json
import sqlite3

import pytest

import relhash
from relhash.curate.store import AnswerStore, Given
from relhash.errors import CorpusError
from relhash.model.answers.answer import Answer, Answered
from relhash.model.answers.teaching import Teaching
from tests.curate.asked import get
from tests.curate.gold import answer
from tests.curate.taken_in import pair_of, take_in
from tests.curate.test_exports import export


@pytest.fixture
def cut(teaching):
    """A candidate whose first name has several letters, and what somebody says of it: without the last one, and with an id."""
    candidate = next(one for one in teaching.candidates if len(one.participants[0].text) > 3)
    name = candidate.participants[0]
    return candidate, name, [f"{name.text[:-1]} [HGNC:1]"]


def names_in(path, candidate):
    document = next(one for one in relhash.read(path) if one.id == candidate.document.id)
    return {(mention.text, mention.ids) for mention in document.mentions}


def test_it_is_kept_and_shown_wherever_the_name_is(client, teaching, cut, open_curation):
    candidate, name, said = cut
    answer(client, candidate.key, "yes", names=said)
    other = next(one for one in teaching.candidates if name in one.mentions and one.key != candidate.key)
    shown = next(one for one in get(client, "questions", other.key)["entities"] if one["id"] == "HGNC:1")
    assert shown["text"] == name.text[:-1]
    assert shown["spans"][0][1] - shown["spans"][0][0] == len(name.text) - 1
    assert [one["names"] for one in get(client, "questions", candidate.key)["answers"]] == [said]
    assert "HGNC:1" in json.dumps(get(client, "documents", candidate.document.id)["entities"])
    assert open_curation().standing()[0].names == tuple(said)
    client.delete("/api/answers/last", params={"curator": "ann"})
    assert "HGNC:1" not in json.dumps(get(client, "questions", other.key)["entities"])


@pytest.mark.parametrize("format", ["jsonl", "tsv", "xlsx"])
def test_it_is_used_when_the_text_is_read_again(client, teaching, cut, fulltext, tmp_path, format):
    candidate, name, said = cut
    answer(client, candidate.key, "yes", names=said)
    path = export(client, tmp_path, format)
    again, given = Teaching.answered(teaching.model, fulltext, [path])
    assert [(one.key, one.answer, one.names[0]) for one in given] == [(candidate.key, Answer.YES, said[0])]
    right = again.candidates[again.row_of[candidate.key]].participants[0]
    assert (right.text, right.ids, right.spans) == (name.text[:-1], ("HGNC:1",), ((name.start, name.end - 1),))
    client.delete("/api/answers/last", params={"curator": "ann"})
    assert take_in(client, path.read_bytes()).json()["saved"] == 1
    assert get(client, "questions", candidate.key)["answers"][0]["names"][0] == said[0]


def test_texts_are_written_with_the_right_names(client, cut, tmp_path):
    candidate, name, said = cut
    answer(client, candidate.key, "yes", names=said)
    assert (name.text[:-1], ("HGNC:1",)) in names_in(export(client, tmp_path, "bioc"), candidate)


def test_a_row_with_a_wrong_name_was_not_right():
    assert Answered("k", Answer.YES).is_right
    assert Answered("k", Answer.YES, names=("", "IL-2 receptor")).is_right is False


@pytest.mark.parametrize("names", [["not in the text"], ["", "", "x" * 301], [5]])
def test_what_cannot_be_understood_is_refused(client, cut, names):
    reply = client.post("/api/answers", json={"key": cut[0].key, "answer": "yes", "curator": "ann", "names": names})
    assert reply.status_code == 422
    assert not get(client, "questions", cut[0].key)["answers"]


def test_names_do_not_overlap(client, teaching):
    candidate = teaching.candidates[0]
    first, second = sorted(candidate.participants, key=lambda one: one.start)
    both = candidate.document.text[first.start : second.end]
    reply = client.post("/api/answers", json={"key": candidate.key, "answer": "yes", "curator": "ann", "names": [both, ""]})
    assert (reply.status_code, "overlap" in reply.json()["detail"]) == (422, True)


def test_a_sheet_says_where_a_correction_is_wrong(teaching, cut, fulltext, tmp_path):
    path = tmp_path / "answers.tsv"
    path.write_text(f"answer\tkey\tright1\nyes\t{cut[0].key}\tnonsense\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"answers\.tsv:2: 'nonsense' is no other cut of"):
        Teaching.answered(teaching.model, fulltext, [path])


def test_label_studio_cuts_names_in_its_own_way(client, teaching, curation):
    candidate, [(start, end), other] = pair_of(teaching, 0)
    regions = [
        {"id": str(n), "type": "labels", "value": {"start": one[0], "end": one[1], "labels": ["protein"]}}
        for n, one in enumerate([(start, end - 1), other])
    ]
    result = [*regions, {"type": "relation", "from_id": "0", "to_id": "1"}]
    task = {"data": {"text": candidate.document.text}, "annotations": [{"result": result}]}
    assert take_in(client, json.dumps([task]), "label-studio").json()["saved"] == 1
    assert [(one.key, one.names) for one in curation.standing()] == [
        (candidate.key, (candidate.document.text[start : end - 1], ""))
    ]


def test_a_database_from_before_corrections(tmp_path):
    path = tmp_path / "answers.sqlite"
    AnswerStore(f"sqlite:///{path}", {}).add([Given("k", "ann", Answer.YES)])
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE relhash_answers DROP COLUMN names")
    store = AnswerStore(f"sqlite:///{path}", {})
    store.add([Given("l", "ann", Answer.NO, names=("p53", ""))])
    assert [one.names for one in store.standing()] == [(), ("p53", "")]
