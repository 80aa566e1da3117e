"""Pairs of entities: answers move what is believed of them."""

from __future__ import annotations

import pytest

from tests.curate.asked import get
from tests.curate.gold import answer


def test_pairs_with_belief_that_answers_move(client, teaching, curation):
    best, *_ = before = get(client, "pairs")["pairs"]
    assert [one["belief"] for one in before] == sorted((one["belief"] for one in before), reverse=True)
    assert 0 < best["belief"] < 1
    for key in best["keys"]:
        answer(client, key, "no")
    names = {best["a"], best["b"]}
    assert not [one for one in get(client, "pairs", search=best["a"])["pairs"] if {one["a"], one["b"]} == names]
    answer(client, best["keys"][0], "yes", "ann")
    [again] = [one for one in get(client, "pairs", search=best["a"])["pairs"] if {one["a"], one["b"]} == names]
    assert again["sentences"] == 1
    assert again["answered"] == len(best["keys"])
    assert again["belief"] == pytest.approx(0.95)  # as sure as one sentence can make it
