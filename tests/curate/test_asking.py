"""Which question comes next: by order, filters, and what others have answered."""

from __future__ import annotations

import pytest

from relhash.model.answers.questions import ORDERS
from tests.curate.asked import ask
from tests.curate.gold import answer, answer_by_gold


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


@pytest.mark.parametrize("order", ORDERS)
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


def test_a_question_that_somebody_skipped_is_no_second_opinion(client, teaching):
    for one in ask(client, n=3, curator="ann"):
        answer(client, one["key"], "skip", "ann")
    replies = answer_by_gold(client, teaching, 10, "bob")
    assert "do you agree" not in replies[8]["next"]["why"]
