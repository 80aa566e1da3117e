from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from relhash.web.application import Settings, create_application
from tests.web.conftest import CHANGING
from tests.web.gold import answer, answer_by_gold


def ask(client, **more):
    return client.get("/api/queue", params=more).json()["questions"]


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
    app = create_application(teaching.model, again, Settings(curator="ann"))
    with TestClient(app, base_url="http://localhost") as other:
        after = other.get("/api/progress").json()
    for same in ("answered", "open", "precision", "threshold", "accepted", "model_weight"):
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


def test_nobody_is_asked_what_somebody_else_is_asked(client):
    asked = [ask(client, curator=name, n=5) for name in ("ann", "bob", "cy")]
    keys = [one["key"] for own in asked for one in own]
    assert len(set(keys)) == 15
    # who asks again gets the same, as long as the model has learned nothing
    assert [one["key"] for one in ask(client, curator="bob", n=5)] == keys[5:10]


def test_what_is_held_does_not_come_again(client):
    first, second = ask(client, n=2)
    reply = answer(client, first["key"], "no", holding=[second["key"]])
    assert reply["next"]["key"] not in (first["key"], second["key"])
    [other] = ask(client, curator="bob")
    assert other["key"] not in (second["key"], reply["next"]["key"])


def test_questions_drawn_at_random_tell_the_precision(client, teaching):
    replies = answer_by_gold(client, teaching, 15, order="random")
    found = replies[-1]["progress"]["precision"]
    assert 0 <= found["low"] <= found["value"] <= found["high"] <= 1
    assert found["n"] > 0


def test_disagreements_have_their_own_queue(client):
    keys = [one["key"] for one in ask(client, n=3)]
    for key in keys:
        answer(client, key, "yes", "ann")
    answer(client, keys[0], "no", "bob")
    answer(client, keys[1], "yes", "bob")
    assert client.get("/api/progress").json()["agreement"]["double"] == 2
    [asked] = ask(client, curator="cy", order="disagreements", n=5)
    assert asked["key"] == keys[0]
    assert {(one["curator"], one["answer"]) for one in asked["answers"]} == {("ann", "yes"), ("bob", "no")}
    answer(client, keys[0], "no", "cy")
    assert ask(client, curator="dan", order="disagreements") == []


def test_every_tenth_question_is_one_that_somebody_else_has_answered(client, teaching):
    answer_by_gold(client, teaching, 3, "ann")
    replies = answer_by_gold(client, teaching, 10, "bob")
    assert "do you agree" in replies[8]["next"]["why"]
    assert replies[8]["next"]["answers"] == []  # not told what the other said
    assert replies[9]["progress"]["agreement"] == {"kappa": 1.0, "double": 1}


@pytest.mark.parametrize("order", ["useful", "uncertain", "confident", "random", "entity", "pair"])
def test_filters_hold_in_every_order(client, teaching, order):
    [asked] = ask(client)
    name, document = asked["entities"][0]["text"], asked["document"]
    wanted = {"order": order, "n": 100}
    for one in ask(client, entity=name.lower(), **wanted):
        assert any(name.lower() in entity["text"].lower() for entity in one["entities"])
    assert {one["document"] for one in ask(client, document=document, **wanted)} == {document}
    between = ask(client, min_probability=0.3, max_probability=0.6, **wanted)
    assert between
    assert all(0.3 <= one["probability"] <= 0.6 for one in between)
    assert all(one["assertion"] == "negated" for one in ask(client, assertion="negated", **wanted))
    assert ask(client, type="no such type", **wanted) == []
    assert len(ask(client, type=asked["type"], **wanted)) == 100


def test_the_next_question_obeys_the_filters(client):
    [asked] = ask(client)
    reply = answer(client, asked["key"], "no", filters={"max_probability": 0.2}, order="confident")
    assert reply["next"]["probability"] <= 0.2


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


def test_a_lease_ends(teaching, open_curation):
    app = create_application(teaching.model, open_curation(), Settings(lease_seconds=0.0))
    with TestClient(app, base_url="http://localhost", headers=CHANGING) as client:
        first, second = (ask(client, curator=name)[0]["key"] for name in ("ann", "bob"))
    assert first == second
