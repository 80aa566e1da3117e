from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from relhash.curate.curation import HeldOut
from relhash.errors import ParameterError
from tests.curate.gold import answer_by_gold
from tests.curate.test_curation import by_gold


def test_f1_is_that_of_evaluate_before_and_after_answers(small_model, abstracts, teaching, open_curation):
    held_out = HeldOut(small_model.fitted, abstracts)
    curation = open_curation(held_out=held_out)
    before = curation.moment.held_out
    assert before.value == pytest.approx(small_model.fitted.evaluate(abstracts).f1)
    from fastapi.testclient import TestClient

    from relhash.curate.application import create_application
    from tests.curate.conftest import CHANGING

    with TestClient(create_application(teaching.model, curation), base_url="http://localhost", headers=CHANGING) as client:
        answer_by_gold(client, teaching, 8)
        expected = curation.settled(300).taught.model.evaluate(abstracts).f1
        assert client.get("/api/progress").json()["f1"]["value"] == pytest.approx(expected)


def test_a_settled_moment_is_measured(small_model, abstracts, teaching, open_curation, monkeypatch):
    """It came without the F1 of its own model, which is measured after it."""
    held_out = HeldOut(small_model.fitted, abstracts)
    curation = open_curation(held_out=held_out)
    may_measure, measured = threading.Event(), held_out.score

    def score(model):
        may_measure.wait(300)
        return measured(model)

    monkeypatch.setattr(held_out, "score", score)
    curation.add(by_gold(teaching, range(8)))
    with ThreadPoolExecutor(1) as pool:
        settled = pool.submit(curation.settled, 300)
        assert not wait([settled], timeout=0.2).done
        may_measure.set()
        moment = settled.result()
    assert len(moment.answers) == 8
    assert moment.held_out == measured(moment.taught.model)


def test_sentences_of_both_texts_are_told(small_model, abstracts, teaching):
    assert HeldOut(small_model.fitted, abstracts).shared_with(teaching.candidates) == 0
    own = HeldOut(small_model.fitted, [candidate.document for candidate in teaching.candidates[:1]])
    assert own.shared_with(teaching.candidates) == len(own.candidates)


def test_text_without_labels_is_no_gold(small_model):
    with pytest.raises(ParameterError, match="--gold"):
        HeldOut(small_model.fitted, [])


def test_held_out_candidates_are_counted_not_those_of_the_text(small_model, teaching):
    """Both sides of a sentence with three pairs, of which one is asked about: three held-out figures flatter."""
    sentences = Counter((one.document.id, one.sentence) for one in teaching.candidates)
    place, n = sentences.most_common(1)[0]
    assert n > 1
    inside = [one for one in teaching.candidates if (one.document.id, one.sentence) == place]
    held_out = HeldOut(small_model.fitted, [inside[0].document])
    assert held_out.shared_with(inside[:1]) == n
