"""How far people are, and what their answers say."""

from __future__ import annotations

from tests.web.gold import answer_by_gold


def test_questions_drawn_at_random_tell_the_precision(client, teaching):
    replies = answer_by_gold(client, teaching, 15, order="random")
    found = replies[-1]["progress"]["precision"]
    assert 0 <= found["low"] <= found["value"] <= found["high"] <= 1
    assert found["n"] > 0
