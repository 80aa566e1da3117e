from __future__ import annotations

import pytest

from relhash.errors import ParameterError
from relhash.web.held_out import HeldOut
from tests.web.gold import answer_by_gold


def test_f1_is_that_of_evaluate_before_and_after_answers(small_model, abstracts, teaching, open_curation):
    held_out = HeldOut(small_model.fitted, abstracts)
    curation = open_curation(held_out=held_out)
    before = curation.moment.held_out
    assert before.value == pytest.approx(small_model.fitted.evaluate(abstracts).f1)
    from fastapi.testclient import TestClient

    from relhash.web.application import create_application
    from tests.web.conftest import CHANGING

    with TestClient(create_application(teaching.model, curation), base_url="http://localhost", headers=CHANGING) as client:
        answer_by_gold(client, teaching, 8)
        taught = curation.settled().taught.model
        expected = taught.evaluate(abstracts).f1
        for _ in range(200):
            if client.get("/api/progress").json()["f1"]["value"] == pytest.approx(expected):
                break
        assert client.get("/api/progress").json()["f1"]["value"] == pytest.approx(expected)


def test_sentences_of_both_texts_are_told(small_model, abstracts, teaching):
    assert HeldOut(small_model.fitted, abstracts).shared_with(teaching.candidates) == 0
    own = HeldOut(small_model.fitted, [candidate.document for candidate in teaching.candidates[:1]])
    assert own.shared_with(teaching.candidates) == len(own.candidates)


def test_text_without_labels_is_no_gold(small_model):
    with pytest.raises(ParameterError, match="--gold"):
        HeldOut(small_model.fitted, [])
