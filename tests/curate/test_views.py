"""One question, and those that resemble it."""

from __future__ import annotations

import numpy as np

from relhash.hashing.hamming import hamming_distances
from tests.curate.asked import get
from tests.curate.gold import answer


def test_similar_sentences_are_the_nearest_codes(client, teaching):
    row = 3
    found = get(client, "questions", teaching.candidates[row].key, "similar", n=10)["questions"]
    distances = hamming_distances(teaching.codes[[row]], teaching.codes)[0].astype(int)
    others = np.delete(distances, row)
    assert [one["distance"] for one in found] == np.sort(others)[:10].tolist()
    assert teaching.candidates[row].key not in [one["key"] for one in found]


def test_one_question_shows_all_answers(client, teaching):
    key = teaching.candidates[0].key
    answer(client, key, "entity", "ann")
    answer(client, key, "no", "bob")
    found = get(client, "questions", key)
    assert [(one["curator"], one["answer"]) for one in found["answers"]] == [("ann", "entity"), ("bob", "no")]
    assert client.get("/api/questions/nothing").status_code == 404
    assert client.get("/api/questions/nothing/evidence").status_code == 404
