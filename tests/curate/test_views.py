"""One question, and those that resemble it."""

from __future__ import annotations

import pytest

from relhash.model.answers.alike import SAME
from tests.curate.asked import get
from tests.curate.gold import answer


def test_similar_sentences_come_by_exact_similarity(client, teaching):
    row = 3
    found = get(client, "questions", teaching.candidates[row].key, "similar", n=10)["questions"]
    rows = [teaching.row_of[one["key"]] for one in found]
    assert row not in rows
    assert [one["similarity"] for one in found] == pytest.approx(teaching.alike.among(row, rows), abs=1e-3)
    assert [one["similarity"] for one in found] == sorted((one["similarity"] for one in found), reverse=True)
    assert all(one["in_group"] == (one["similarity"] >= SAME) for one in found)


def test_one_question_shows_all_answers(client, teaching):
    key = teaching.candidates[0].key
    answer(client, key, "entity", "ann")
    answer(client, key, "no", "bob")
    found = get(client, "questions", key)
    assert [(one["curator"], one["answer"]) for one in found["answers"]] == [("ann", "entity"), ("bob", "no")]
    assert client.get("/api/questions/nothing").status_code == 404
    assert client.get("/api/questions/nothing/evidence").status_code == 404
