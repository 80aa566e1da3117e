"""Questions and answers over HTTP."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from relhash.curate.application import ServerSettings, create_application
from tests.curate.asked import ask
from tests.curate.gold import answer, answer_by_gold


def test_a_question_says_what_the_page_needs(client, teaching):
    [asked] = ask(client)
    candidate = teaching.candidates[teaching.row_of[asked["key"]]]
    for entity, mention in zip(asked["entities"], candidate.mentions, strict=True):
        assert [asked["sentence"][start:end] for start, end in entity["spans"]] == [mention.text]
    assert asked["probability"] == asked["probability_before"]
    assert "uncertain" in asked["why"]
    assert asked["answers"] == []
    with_path = next(one for one in ask(client, n=20) if one["path"])
    words = [one["text"] for one in with_path["stations"] if one["kind"] == "word"]
    on_path = " ".join(with_path["sentence"][start:end] for start, end in with_path["path"])
    assert all(word in on_path for word in words)


def test_the_model_learns_and_the_next_question_comes(client, teaching):
    replies = answer_by_gold(client, teaching, 10)
    assert replies[-1]["progress"]["answered"] == 10
    assert any(one["changed"] for one in replies)
    assert all(one["refitted"] for one in replies)
    assert len({one["next"]["key"] for one in replies}) == 10
    changed = [one for one in replies if one["before"] != one["after"]]
    assert len(changed) > 3
    assert client.get("/api/progress").json()["open"] == len(teaching.candidates) - 10


def test_answers_outlive_the_server(client, teaching, open_curation):
    answer_by_gold(client, teaching, 8)
    before = client.get("/api/progress").json()
    again = open_curation()
    app = create_application(teaching.model, again, ServerSettings(curator="ann"))
    with TestClient(app, base_url="http://localhost") as other:
        after = other.get("/api/progress").json()
    for same in ("answered", "open", "precision", "threshold", "accepted", "has_learned"):
        assert before[same] == after[same]


def test_undo(client, teaching, curation):
    replies = answer_by_gold(client, teaching, 5)
    before = curation.settled().taught.probabilities.copy()
    answer_by_gold(client, teaching, 1)
    undone = client.delete("/api/answers/last", params={"curator": "ann"}).json()
    assert undone["undone"] == replies[-1]["next"]["key"]
    assert undone["question"]["key"] == undone["undone"]
    assert undone["progress"]["answered"] == 5
    np.testing.assert_array_equal(curation.settled().taught.probabilities, before)
    nobody = client.delete("/api/answers/last", params={"curator": "nobody"})
    assert nobody.status_code == 404
    assert nobody.json()["detail"] == "nobody has no answer to take back"


def test_an_answer_that_is_sent_twice_counts_once(client, curation):
    [asked] = ask(client)
    first, second = (answer(client, asked["key"], "yes") for _ in range(2))
    assert first["id"] == second["id"]
    assert len(curation.store.standing()) == 1
    client.delete("/api/answers/last", params={"curator": "ann"})
    assert curation.store.standing() == []


def test_a_change_of_mind_keeps_the_draw(client, curation):
    [asked] = ask(client, order="random")
    answer(client, asked["key"], "yes")
    answer(client, asked["key"], "no")
    [standing] = curation.standing()
    assert standing.answer == "no"
    assert standing.draw


def test_one_answer_to_several(client, curation):
    keys = [one["key"] for one in ask(client, n=6)]
    answer(client, keys[0], "yes")
    reply = client.post("/api/answers/alike", json={"keys": keys, "answer": "no", "curator": "ann"}).json()
    assert reply["saved"] == 5
    assert reply["progress"]["answered"] == 6
    assert client.delete("/api/answers/last", params={"curator": "ann"}).json()["count"] == 5


@pytest.mark.parametrize(
    ("body", "status"),
    [({"key": "elsewhere", "answer": "yes", "curator": "a"}, 404),
     ({"key": "k", "answer": "perhaps", "curator": "a"}, 422),
     ({"key": "k", "answer": "yes", "curator": ""}, 422),
     ({"key": "k", "answer": "yes", "curator": "a\x1b[2J"}, 422),
     ({"key": "k", "answer": "yes", "curator": "a\u202eb"}, 422),
     ({"key": "k", "answer": "yes", "curator": "x" * 81}, 422),
     ({"key": "k", "answer": "yes", "curator": "a", "seconds": -1}, 422),
     ({"key": "k", "answer": "yes", "curator": "a", "whatever": 1}, 422),
     ([], 422)],
)  # fmt: skip
def test_what_is_no_answer_is_refused_in_one_sentence(client, body, status):
    reply = client.post("/api/answers", json=body)
    assert reply.status_code == status
    assert isinstance(reply.json()["detail"], str)


def test_an_unknown_type_is_refused(client):
    [asked] = ask(client)
    reply = client.post("/api/answers", json={"key": asked["key"], "answer": "yes", "type": "loves", "curator": "a"})
    assert reply.status_code == 422
