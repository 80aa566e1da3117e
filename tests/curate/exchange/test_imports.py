"""Answers from files: what fits is taken, what does not is said."""

from __future__ import annotations

import pytest

from relhash.model.answers.answer import Answer
from tests.curate.exchange.taken_in import take_in
from tests.curate.gold import answer


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
     b'{"key": "k", "answer": "yes"}\n{"key": "k", "answer": "no"}', b"answer\tkey\nperhaps\tk\n"],
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
