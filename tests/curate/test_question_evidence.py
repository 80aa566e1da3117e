"""What the page shows of one question: what moved the decision, and whom it resembles."""

from __future__ import annotations

import pytest

from tests.curate.asked import get
from tests.curate.gold import answer_by_gold


def test_evidence_sums_to_the_log_odds_of_the_taught_model(client, teaching, curation):
    answer_by_gold(client, teaching, 8)
    row = 7
    found = get(client, "questions", teaching.candidates[row].key, "evidence")
    total = found["base"] + sum(one["contribution"] for one in found["reasons"])
    assert total == pytest.approx(found["log_odds"])
    decision = curation.settled().taught.model.decision
    assert found["log_odds"] == pytest.approx(float(decision.classifier.log_odds(teaching.features[[row]])[0]))
    assert found["hash_functions"]
    assert {one["side"] for one in found["hash_functions"]} <= {0, 1}
    assert found["neighbours"][0]["from"] == "your answers"
    assert found["neighbours"][0]["sentence"]


def test_evidence_without_answers(client, teaching):
    found = get(client, "questions", teaching.candidates[0].key, "evidence")
    assert found["reasons"]
    assert all(one["from"] == "training text" for one in found["neighbours"])
