"""Answers from files: what fits is taken, what does not is said."""

from __future__ import annotations

import json

import pytest

from relhash.model.answers.answer import Answer
from tests.curate.gold import answer
from tests.curate.taken_in import take_in


def test_a_sheet_that_was_filled(client, teaching, curation):
    keys = [candidate.key for candidate in teaching.candidates[:3]]
    sheet = f"answer\tkey\tdraw\ny\t{keys[0]}\t0.01\nentity wrong\t{keys[1]}\t\n\t{keys[2]}\t\nno\telsewhere|1|2\t\n"
    reply = take_in(client, sheet).json()
    assert (reply["saved"], reply["skipped"]) == (2, 1)
    found = {one.key: one for one in curation.standing()}
    assert found[keys[0]].answer is Answer.YES
    assert found[keys[0]].draw == 0.01
    assert found[keys[0]].curator == "cy"
    assert found[keys[1]].answer is Answer.WRONG_ENTITY
    again = take_in(client, sheet).json()
    assert again["saved"] == 0
    assert again["detail"] == "2 were here already"


def test_names_that_differ_belong_to_another_text(client, teaching):
    sheet = f"answer,key,entity1,entity2\nyes,{teaching.candidates[0].key},Nobody,Noone\n"
    assert take_in(client, sheet).json()["skipped"] == 1


@pytest.mark.parametrize("format", ["relhash", "label-studio", "inception"])
@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\xff\xfe", b"PK\x03\x04 no archive", b"[]", b"{}", b"[1, 2]", b'{"a": [', b"null", b"hello\n",
     b'[{"data": 3}]', b'{"%FEATURE_STRUCTURES": [{}]}', b'{"key": "k", "answers": [3]}',
     b'{"key": "k", "answer": "yes"}\n{"key": "k", "answer": "no"}', b"answer\tkey\nperhaps\tk\n",
     b"[" * 100_000, b'{"%FEATURE_STRUCTURES": [{"%ID": 1e999, "%TYPE": "uima.cas.Sofa", "sofaString": "a"}]}',
     b'{"%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "custom.Span"}]}', b'{"key": "\\ud800", "answer": "yes"}',
     b'[{"data": {"text": "a"}, "annotations": [{"result": [{"id": "a", "value": {"start": 1e999, "end": 2}}]}]}]'],
)  # fmt: skip
def test_what_is_no_such_file_is_refused_in_one_sentence(client, curation, format, content):
    reply = take_in(client, content, format)
    assert reply.status_code in (200, 422)
    assert isinstance(reply.json()["detail"], str)
    if reply.status_code == 200:
        assert reply.json()["saved"] == 0
    else:
        assert "/tmp" not in reply.json()["detail"]
    assert curation.standing() == []


def test_who_has_answered_here_is_not_overruled(client, teaching, curation):
    key = teaching.candidates[0].key
    answer(client, key, "no", "cy")
    assert take_in(client, f"answer,key\nyes,{key}\n").json()["saved"] == 0
    assert [one.answer for one in curation.standing()] == [Answer.NO]


@pytest.mark.parametrize("name", ["ann\x00", "\u202enna", "x" * 200])
def test_names_that_cannot_be_shown_are_nobodys(client, teaching, curation, name):
    """SQLite kept them, PostgreSQL did not."""
    candidate = teaching.candidates[0]
    spans = [(mention.start, mention.end) for mention in candidate.mentions]
    regions = [{"id": str(n), "value": {"start": start, "end": end}} for n, (start, end) in enumerate(spans)]
    result = [*regions, {"type": "relation", "from_id": "0", "to_id": "1", "labels": []}]
    task = {"data": {"text": candidate.document.text}, "annotations": [{"result": result, "completed_by": {"email": name}}]}
    reply = take_in(client, json.dumps([task]).encode(), "label-studio")
    assert reply.status_code == 200
    curators = {one.curator for one in curation.standing()}
    assert curators <= {"label-studio " + "x" * 60}
