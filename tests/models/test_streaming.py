"""Documents of any number through a model: some at a time, in order, nothing taken before it is needed."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.models import streaming
from relhash.models.streaming import annotated_stream, candidates_of, hashed_stream


@pytest.fixture
def taken(monkeypatch, fulltext):
    """Documents that are counted as they are taken, two of them a batch."""
    monkeypatch.setattr(streaming, "BATCH", 2)
    monkeypatch.setattr(streaming, "BATCH_OF_PARSED", 2)
    seen = []

    def documents():
        for document in list(fulltext)[:7]:
            seen.append(document.id)
            yield document

    return documents, seen


def test_no_more_is_taken_than_a_batch(small_model, taken):
    documents, seen = taken
    first, _ = next(annotated_stream(small_model.model_, documents()))
    assert first.id == seen[0]
    assert len(seen) == 2


def test_every_document_comes_out_with_its_own_candidates(small_model, taken):
    documents, seen = taken
    model = small_model.model_
    out = list(annotated_stream(model, documents(), all_candidates=True))
    assert [document.id for document, _ in out] == seen
    for document, judged in out:
        assert [one.candidate.key for one in judged] == [one.key for one in candidates_of(model, [document])]


def test_without_all_candidates_only_relations_come(small_model, taken):
    documents, _ = taken
    model = small_model.model_
    everything = [found for _, found in annotated_stream(model, documents(), all_candidates=True)]
    accepted = [[one.score for one in found if one.is_relation] for found in everything]
    assert [[one.score for one in found] for _, found in annotated_stream(model, documents())] == accepted
    assert sum(map(len, everything)) > sum(map(len, accepted)) > 0


def test_codes_of_a_stream_are_those_of_all_at_once(small_model, taken):
    documents, _ = taken
    model = small_model.model_
    code = model.features.code
    hashed = list(hashed_stream(model, code, documents()))
    together = np.concatenate([codes for _, codes in hashed])
    found = [candidate for own, _ in hashed for candidate in own]
    assert (together == code.learner.codes(model._structures(found))).all()
